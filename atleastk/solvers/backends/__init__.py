"""Back ends: general solvers that take a linear model, behind one interface.

- :mod:`~atleastk.solvers.backends.cp_sat`: CP-SAT of OR-Tools;
- :mod:`~atleastk.solvers.backends.highs`: HiGHS;
- :mod:`~atleastk.solvers.backends.milp`: any MILP solver that PuLP knows;
- :mod:`~atleastk.solvers.backends.sat`: SAT solvers of PySAT.

None is believed: every point is recomputed and every status follows from what was
recomputed; see :mod:`~atleastk.solvers.backends.backend`.
"""
