"""
An algorithm of your own
========================

A few lines make an algorithm; here, sizes in their order fill one bin after the other.
Its ratios to the optimum stand beside those of Fold.
"""

import atleastk


@atleastk.algorithm("bin-covering")
def one_after_the_other(instance: atleastk.BinCovering) -> list[list[int]]:
    """Fill bins in the order of the sizes; the rest goes into the last."""
    groups, level = [[]], 0
    for i, size in enumerate(instance.sizes):
        if level >= instance.k and sum(instance.sizes[i:]) >= instance.k:
            groups, level = [*groups, []], 0
        groups[-1].append(i)
        level += size
    return groups


family = {"n": 12, "low": 1, "high": 20, "k": 25}
ratios = atleastk.ratio([one_after_the_other, "fold"], "uniform", seeds=50, **family)
picture = ratios.plot()
