"""The back ends that can be used here."""

from __future__ import annotations

from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.maxsat import MaxSat
from atleastk.solvers.backends.milp import Milp, milp_solvers
from atleastk.solvers.backends.sat import Sat


def installed() -> list[Backend]:
    """Return the back ends that can be used here, the defaults of a family first."""
    named = [Milp(solver) for solver in milp_solvers()]
    return [CpSat(), Highs(), Sat(), MaxSat(), *named]
