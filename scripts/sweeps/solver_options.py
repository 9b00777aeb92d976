"""Random options of solvers, and other solvers, below whatever method is at work.

Presolve, symmetry, linearisation, the SAT solver: no option may change an answer, nor
may another back end that is asked the same model.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from unittest.mock import patch

from atleastk.arrays import IntArray
from atleastk.models.linear import LinearModel
from atleastk.solvers.backends import cp_sat
from atleastk.solvers.backends.backend import Answer, Backend, Claims
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.maxsat import MaxSat
from atleastk.solvers.backends.milp import Milp
from atleastk.solvers.backends.sat import SAT_SOLVERS, Sat
from atleastk.solvers.budget import Budget

Options = Mapping[str, Any]

BACKENDS: Final[Mapping[str, Callable[[Options], Backend]]] = {
    "CP-SAT": lambda options: CpSat(parameters=options),
    "HiGHS": lambda options: Highs(options=options),
    "PuLP HiGHS": lambda options: Milp(options=options),
    "SAT": lambda options: Sat(**options),
    "RC2": lambda _: MaxSat(),
}

_KINDS: Final = (CpSat, Highs, Milp, Sat, MaxSat)
_NAMES: Final[Mapping[type[Any], str]] = dict(zip(_KINDS, BACKENDS, strict=True))

_VALUES: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "CP-SAT": {
        "cp_model_presolve": [False, True],
        "cp_model_probing_level": [0, 2],
        "linearization_level": [0, 1, 2],
        "symmetry_level": [0, 1, 2, 3],
        "optimize_with_core": [False, True],
        "randomize_search": [False, True],
        "keep_all_feasible_solutions_in_presolve": [False, True],
    },
    "HiGHS": {
        "presolve": ["off", "on"],
        "mip_detect_symmetry": [False, True],
        "mip_heuristic_effort": [0.0, 0.05, 0.5],
        "mip_allow_restart": [False, True],
        "simplex_strategy": [1, 4],
    },
    "PuLP HiGHS": {"presolve": ["off", "on"]},
    "SAT": {"solver": SAT_SOLVERS},
    "RC2": {},
}


def random_options(rng: random.Random, backend: str) -> dict[str, Any]:
    """Return some options of a back end with random values."""
    return {
        name: rng.choice(values)
        for name, values in _VALUES[backend].items()
        if rng.random() < 0.5
    }


@contextmanager
def configured(
    options: Mapping[str, Options], instead: str | None = None
) -> Iterator[None]:
    """Let solvers have these options, by the name of their back end.

    If one is named `instead`, it is asked all linear models, whoever was to be.
    """
    own: dict[type[Any], Any] = {kind: kind._run_on for kind in _KINDS}

    def asked(
        named: Backend,
        model: LinearModel,
        budget: Budget,
        claims: Claims,
        hint: IntArray | None,
    ) -> Answer:
        name = instead or _NAMES[type(named)]
        if instead is not None or name in options:
            named = BACKENDS[name]({**options.get(name, {}), **_held(named, name)})
            named._refuse(model)
        answer: Answer = own[type(named)](named, model, budget, claims, hint)
        return answer

    plain = cp_sat._run

    def run(
        model: Any, budget: Budget, claims: Claims, held: Options, *rest: Any
    ) -> Answer:
        return plain(
            model, budget, claims, {**options.get("CP-SAT", {}), **held}, *rest
        )

    with ExitStack() as stack:
        for kind in _KINDS:
            stack.enter_context(patch.object(kind, "_run_on", asked))
        stack.enter_context(patch.object(cp_sat, "_run", run))
        yield


def _held(backend: Backend, name: str) -> Options:
    if _NAMES[type(backend)] != name:
        return {}
    return getattr(backend, "options", None) or getattr(backend, "parameters", {})
