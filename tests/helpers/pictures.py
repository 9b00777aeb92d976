"""What tests of pictures share: results by hand, and what is on the Axes."""

import numpy as np

import atleastk
from atleastk import Result, Solution, Status, Trust
from atleastk.plots.drawing import save


def result_of(instance, claim, **more):
    solution = Solution.of(claim) if isinstance(claim, list) else claim
    solved = solution is not None
    return Result(
        problem=instance.problem,
        status=Status.FEASIBLE if solved else Status.INFEASIBLE,
        trust=Trust.HEURISTIC if solved else Trust.PROVED,
        cost=atleastk.check(instance, solution).cost if solved else None,
        bound=None,
        solution=solution,
        method="by hand",
        **{"seconds": 0.0, **more},
        instance_sha256=instance.sha256,
    )


def shades(ax):
    (image,) = ax.images
    return np.asarray(image.get_array())


def saved(ax, path):
    """Return the size of the file of a picture."""
    save(ax, path)
    return path.stat().st_size


def texts(ax):
    return [text.get_text() for text in ax.texts]


def dots(ax):
    """Return the only collection of points."""
    (drawn,) = (c for c in ax.collections if type(c).__name__ == "PathCollection")
    return drawn
