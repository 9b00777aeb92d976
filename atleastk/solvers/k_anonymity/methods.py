"""k-anonymity by cell suppression: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.k_anonymity.auto`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.k_anonymity import (
    LEADERS,
    leader_model,
    pattern_model,
)
from atleastk.models.linear import Label
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.maxsat import MaxSat
from atleastk.solvers.backends.milp import Milp
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.engine.modelled import Methods, refusing
from atleastk.solvers.engine.subsets import by_subsets
from atleastk.solvers.k_anonymity import subset_dp
from atleastk.solvers.k_anonymity.auto import run_of, solve
from atleastk.solvers.k_anonymity.constant_tables import (
    MOST_PATTERNS,
    minimise_by_guesses,
)
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search
from atleastk.solvers.tables.closed_patterns import MODELLED_PAIRS, listed_patterns
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.leaders import refuses_leaders
from atleastk.solvers.tables.reduced_cost_fixing import close_gap

__all__ = ["METHODS", "solve"]

_ASCENT = 0.1
"""The share of the time left for weights before groups are listed: not tuned."""

_MOST_PULP_PAIRS = 50_000
"""The same, where PuLP makes objects of everything in a model."""
_MOST_GUESSED_PAIRS = 2**20
"""The same, where no model is written; the patterns are few in any case."""


def _by_groups(search: Search[KAnonymity], source: str) -> None:
    """Close the gap as the automatic choice does, in HiGHS alone."""
    table, budget = run_of(search), replace(search.budget, workers=1)
    table.patterns = _listed(search.instance, MODELLED_PAIRS)
    proved = improve(table.listed, budget.share(_ASCENT))
    table.raise_bound(proved.bound, source, proved)
    close_gap(table, proved, budget)


def _by_guesses(search: Search[KAnonymity], source: str) -> None:
    patterns = _listed_for_guesses(search.instance)
    minimise_by_guesses(search, patterns, source)


def _listed(instance: KAnonymity, most_pairs: int) -> Patterns:
    return listed_patterns(instance.records, instance.k, most_pairs)


def _whole_patterns(instance: KAnonymity) -> Encoding:
    """Distinct records are assigned to closed patterns [Chakaravarthy10].

    Variables: x_p_t, how many copies of record t get the pattern p; y_p, it is used.
    A pattern keeps some columns, on which all its records agree. With n_t copies of t
    and s_p columns that p suppresses:

    minimise    sum_{p,t} s_p x_p_t
    subject to  sum_p x_p_t = n_t                      for every record t,
                sum_t x_p_t >= k y_p                   for every pattern p,
                x_p_t <= n_t y_p                       for all p, t.
    """
    patterns = _listed(instance, MODELLED_PAIRS)
    encoding = pattern_model(instance.records, instance.k, patterns)
    labels: list[Label] = [
        ("x", p, record)
        for p, (start, end) in enumerate(pairwise(patterns.starts.tolist()))
        for record in patterns.records[start:end].tolist()
    ]
    labels += [("y", p) for p in range(patterns.count)]
    return replace(encoding, model=replace(encoding.model, labels=labels))


FORMULATIONS: Final = (LEADERS, Formulation("patterns", _whole_patterns))


def _listed_for_guesses(instance: KAnonymity) -> Patterns:
    patterns = _listed(instance, _MOST_GUESSED_PAIRS)
    if patterns.count > MOST_PATTERNS:
        raise NotApplicableError(
            f"{patterns.count} closed patterns have too many subsets; it takes "
            f"{MOST_PATTERNS}"
        )
    return patterns


def _pattern_model(instance: KAnonymity, most_pairs: int) -> Encoding:
    patterns = _listed(instance, most_pairs)
    return pattern_model(instance.records, instance.k, patterns)


_EXACT: Final = Methods(begin)
_PATTERNS: Final = "records assigned to closed patterns"

METHODS: Sequence[Method[KAnonymity]] = (
    *_EXACT.modelled(
        _PATTERNS,
        partial(_pattern_model, most_pairs=MODELLED_PAIRS),
        {"patterns": Highs(), "patterns-cp-sat": CpSat()},
        refusing(partial(_listed, most_pairs=MODELLED_PAIRS)),
    ),
    _EXACT.one(
        "groups",
        "branch and price on columns, or exact cover by groups in the gap, in HiGHS",
        Highs.family,
        _by_groups,
        refusing(partial(_listed, most_pairs=MODELLED_PAIRS)),
    ),
    *_EXACT.modelled(
        "rows led by the first of their group",
        leader_model,
        {"leaders": CpSat(), "sat": Sat(), "maxsat": MaxSat()},
        lambda instance: refuses_leaders(instance.n, instance.m),
    ),
    by_subsets(
        "a dynamic program over all subsets of rows",
        begin,
        subset_dp.best_partition,
        subset_dp.refuses,
    ),
    _EXACT.one(
        "constant-tables",
        "flows for all sets of open patterns [Chakaravarthy10, section 4]",
        "combinatorial",
        _by_guesses,
        refusing(_listed_for_guesses),
    ),
    *_EXACT.modelled(
        _PATTERNS,
        partial(_pattern_model, most_pairs=_MOST_PULP_PAIRS),
        {"pulp": Milp()},
        refusing(partial(_listed, most_pairs=_MOST_PULP_PAIRS)),
    ),
)
