"""
A worst case among its neighbours
=================================

The tight family of Fold, with noise of `sigma` around it, twenty times each. Without it
Fold pays almost three times the optimum; a little takes most of that away.
"""

from concurrent.futures import ThreadPoolExecutor

import atleastk
from atleastk.plots.studies import draw_curves
from atleastk.research.studies.curves import panels_of

noise = [0.0, 0.01, 0.03, 0.1, 0.2, 0.3]
study = atleastk.Study(
    problem="bin-covering",
    instances=[{"family": "tight-fold", "k": 41, "sigma": noise, "seeds": 20}],
    algorithms=["fold", "spread", "five-halves"],
    against="sigma",
)
results = atleastk.conduct(study, executor=ThreadPoolExecutor(1))
((name, panels),) = panels_of(results).items()
ratios = {what: lines for what, lines in panels.items() if "/" in what}
picture = draw_curves({name: ratios}, "sigma")
