"""Pair partition: the exact methods.

``groups`` generates columns; the others are models that share nothing with it, in two
solver families each, so that `atleastk solve --agree` can compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.instances.pair_partition import PairPartition
from atleastk.models.encodings.pair_partition import group_model, pair_model
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.engine.modelled import Methods, at_most, refusing
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.method import Method
from atleastk.solvers.pair_partition import two_groups
from atleastk.solvers.pair_partition.auto import (
    begin,
    generate_columns,
    refuses_prices,
    solve,
)
from atleastk.solvers.pair_partition.subset_dp import priced

__all__ = ["METHODS", "solve"]

_MOST_PAIRED: Final = 60
"""Items of models of pairs: 103,000 rows of triangles. Not tuned."""

_METHODS: Final = Methods(begin)


def _refuses_pairs(instance: PairPartition) -> str | None:
    if instance.objective != "sum" or instance.connected:
        return "pairs alone know neither sizes nor connected groups"
    return at_most(_MOST_PAIRED, "items")(instance)


METHODS: Sequence[Method[PairPartition]] = (
    _METHODS.one(
        "groups",
        "groups by column generation, then all that may be needed",
        Highs.family,
        lambda search, _: generate_columns(search),
        refuses_prices,
    ),
    _METHODS.one(
        "halves",
        "two groups: trees of semidefinite programs",
        "combinatorial",
        lambda search, _: two_groups.close(search, search.budget),
        two_groups.refuses,
    ),
    *_METHODS.modelled(
        "a variable for every pair, and triangles",
        pair_model,
        {"pairs": CpSat(), "pairs-highs": Highs()},
        _refuses_pairs,
    ),
    *_METHODS.modelled(
        "all groups of few items",
        group_model,
        {"listed": CpSat(), "listed-highs": Highs()},
        refusing(group_model),
    ),
    by_subsets(
        "a dynamic program over all subsets of items",
        begin,
        cheapest(priced),
    ),
)
"""What `--method` can name."""
