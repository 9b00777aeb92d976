"""The adversary: a search for the worst instances of an algorithm.

`tiny` lists the smallest instances of each problem. Larger ones are *plants*: instances
with planted groups. The cost of these groups is at least the optimum, so the cost of
the algorithm over theirs is a lower bound on its ratio: simulated annealing over plants
(`walking`) needs no solver. `grounds` describes the plants of each problem, `searching`
runs all stages.
"""
