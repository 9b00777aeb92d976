"""The adversary: it looks for instances on which an algorithm is as bad as can be.

A *plant* is an instance with groups that were planted in it. What the groups cost is no
less than the optimum, so the cost of the algorithm over theirs is no more than its
ratio: no solver is asked while `searching` walks from plant to plant. `grounds` says of
each problem what it is made of.
"""
