"""Lazy imports of slow packages: each is imported on the first use of an attribute.

So no solver is imported to check an instance or to list the problems. Numba has a
module of its own: :mod:`atleastk.solvers.compiled.compile`. `Axes` and `Figure` of
matplotlib are here for annotations only.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

loading: Callable[[], AbstractContextManager[object]] = nullcontext
"""What an import runs in: the clock of runs, where there is one, stands still."""

if TYPE_CHECKING:
    import highspy as highspy
    import networkx
    import pulp as pulp
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
    from ortools.graph.python import min_cost_flow as min_cost_flow
    from ortools.sat.python import cp_model as cp_model
    from pysat import card as card
    from pysat import formula, solvers
    from pysat import pb as pb
    from pysat.examples import rc2 as rc2
    from scipy import optimize as optimize
    from scipy import sparse as sparse
    from scipy import spatial as spatial
    from scipy import stats
    from scipy.sparse import csgraph as csgraph
    from scipy.sparse import linalg as linalg

    nx, formulas, sat_solvers, statistics = networkx, formula, solvers, stats
else:

    class _Later(ModuleType):
        """A module that is imported on the first access to an attribute."""

        def __getattr__(self, name: str) -> Any:
            with loading():
                found = getattr(import_module(self.__name__), name)
            setattr(self, name, found)
            return found

    Axes = Figure = Any
    card = _Later("pysat.card")
    cp_model = _Later("ortools.sat.python.cp_model")
    csgraph = _Later("scipy.sparse.csgraph")
    formulas = _Later("pysat.formula")
    highspy = _Later("highspy")
    linalg = _Later("scipy.sparse.linalg")
    min_cost_flow = _Later("ortools.graph.python.min_cost_flow")
    nx = _Later("networkx")
    optimize = _Later("scipy.optimize")
    pb = _Later("pysat.pb")
    pulp = _Later("pulp")
    rc2 = _Later("pysat.examples.rc2")
    sat_solvers = _Later("pysat.solvers")
    sparse = _Later("scipy.sparse")
    spatial = _Later("scipy.spatial")
    statistics = _Later("scipy.stats")
