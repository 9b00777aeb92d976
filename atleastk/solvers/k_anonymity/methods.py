"""k-anonymity by cell suppression: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.k_anonymity.auto`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.k_anonymity import leader_model, pattern_model
from atleastk.models.tables.patterns import MOST_COLUMNS, Patterns
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.maxsat import MaxSat
from atleastk.solvers.backends.milp import Milp
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.modelled import begun, modelled
from atleastk.solvers.engine.subsets import by_subsets
from atleastk.solvers.k_anonymity import subset_dp
from atleastk.solvers.k_anonymity.auto import solve
from atleastk.solvers.k_anonymity.constant_tables import (
    MOST_PATTERNS,
    minimise_by_guesses,
)
from atleastk.solvers.k_anonymity.explicit_groups import minimise_groups
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search
from atleastk.solvers.tables.closed_patterns import closed_patterns

__all__ = ["METHODS", "solve"]

_MOST_PAIRS = 400_000
"""Pairs of a pattern and a record it matches: models of 1.6 million entries."""
_MOST_PULP_PAIRS = 50_000
"""The same, where PuLP makes objects of everything in a model."""
_MOST_GUESSED_PAIRS = 2**20
"""The same, where no model is written; the patterns are few in any case."""
_MOST_CELLS = 300_000
"""Pairs of rows times columns: models of 1.5 million entries, written in a second."""


def _by_groups(search: Search[KAnonymity], source: str) -> None:
    patterns = _listed(search.instance, _MOST_PAIRS)
    minimise_groups(search, patterns, source)


def _by_guesses(search: Search[KAnonymity], source: str) -> None:
    patterns = _listed(search.instance, _MOST_GUESSED_PAIRS)
    minimise_by_guesses(search, patterns, source)


def _refuses_patterns(instance: KAnonymity, most_pairs: int) -> str | None:
    if instance.m > MOST_COLUMNS:
        return f"patterns take at most {MOST_COLUMNS} columns, not {instance.m}"
    if closed_patterns(instance.records, instance.k, most_pairs) is None:
        return f"its closed patterns match more than {most_pairs} records in all"
    return None


def _refuses_guesses(instance: KAnonymity) -> str | None:
    reason = _refuses_patterns(instance, _MOST_GUESSED_PAIRS)
    if reason is not None:
        return reason
    count = _listed(instance, _MOST_GUESSED_PAIRS).count
    if count > MOST_PATTERNS:
        return (
            f"{count} closed patterns have too many subsets; it takes {MOST_PATTERNS}"
        )
    return None


def _refuses_leaders(instance: KAnonymity) -> str | None:
    cells = instance.n * instance.n // 2 * max(1, instance.m)
    if cells > _MOST_CELLS:
        return f"{instance.n} rows are too many to be led by one another"
    return None


def _listed(instance: KAnonymity, most_pairs: int) -> Patterns:
    patterns = closed_patterns(instance.records, instance.k, most_pairs)
    if patterns is None:
        reason = _refuses_patterns(instance, most_pairs)
        raise NotApplicableError(reason)
    return patterns


def _patterns_method(
    name: str, summary: str, backend: Backend, most_pairs: int = _MOST_PAIRS
) -> Method[KAnonymity]:
    def encode(instance: KAnonymity) -> Encoding:
        return pattern_model(
            instance.records, instance.k, _listed(instance, most_pairs)
        )

    refuses = partial(_refuses_patterns, most_pairs=most_pairs)
    return modelled(name, summary, encode, backend, begin, refuses)


def _leaders_method(name: str, summary: str, backend: Backend) -> Method[KAnonymity]:
    return modelled(name, summary, leader_model, backend, begin, _refuses_leaders)


METHODS: Sequence[Method[KAnonymity]] = (
    _patterns_method(
        "patterns", "records assigned to closed patterns, in HiGHS", Highs()
    ),
    _patterns_method(
        "patterns-cp-sat", "records assigned to closed patterns, in CP-SAT", CpSat()
    ),
    Method(
        "groups",
        "column generation over groups, then exact cover within the gap, in HiGHS",
        "MILP",
        begun(begin, _by_groups, "groups"),
        partial(_refuses_patterns, most_pairs=_MOST_PAIRS),
    ),
    _leaders_method(
        "leaders", "rows led by the first of their group, in CP-SAT", CpSat()
    ),
    _leaders_method("sat", "rows led by the first of their group, in SAT", Sat()),
    _leaders_method(
        "maxsat",
        "rows led by the first of their group, in weighted MaxSAT (RC2)",
        MaxSat(),
    ),
    by_subsets(
        "a dynamic program over all subsets of rows",
        begin,
        subset_dp.best_partition,
        subset_dp.refuses,
    ),
    Method(
        "constant-tables",
        "flows for all sets of open patterns [Chakaravarthy10, section 4]",
        "combinatorial",
        begun(begin, _by_guesses, "constant-tables"),
        _refuses_guesses,
    ),
    _patterns_method(
        "pulp",
        "records assigned to closed patterns, in HiGHS through PuLP",
        Milp(),
        _MOST_PULP_PAIRS,
    ),
)
