"""
Where instances are hard
========================

Random sizes in bins of at least `k`: with few items there is no solution, then one that
is quickly found, and where bins have a few items each the models that anybody would
write take many times longer, in either solver.
"""

from concurrent.futures import ThreadPoolExecutor

import atleastk
from atleastk.plots.studies import draw_curves
from atleastk.research.studies.curves import panels_of

levels = [1300, 650, 520, 433, 260, 130, 100, 81, 65, 52]
study = atleastk.Study(
    problem="bin-covering",
    instances=[{"family": "uniform", "n": 13, "k": levels, "seeds": 5}],
    algorithms=[],
    methods=["model:compact", "cp-sat:compact"],
    against="n / k",
)
results = atleastk.conduct(study, executor=ThreadPoolExecutor(1))
((name, panels),) = panels_of(results).items()
shown = {what: lines for what, lines in panels.items() if "cost" not in what}
picture = draw_curves({name: shown}, "n / k")
