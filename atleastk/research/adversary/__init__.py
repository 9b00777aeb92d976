"""The adversary: it looks for instances on which an algorithm is as bad as can be.

`tiny` lists the smallest instances of each problem. Larger ones are *plants*: instances
with groups that were planted in them. What the groups cost is no less than the optimum,
so the cost of the algorithm over theirs is no more than its ratio: no solver is asked
while `searching` walks from plant to plant. `grounds` says what the plants of each
problem are made of.
"""
