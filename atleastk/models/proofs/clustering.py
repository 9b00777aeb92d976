"""Shared parts of the proofs of r-gather and cellular clustering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from atleastk.instances.clustering import Clustering
from atleastk.models.proofs.chosen import Choice, Chosen
from atleastk.models.proofs.vipr import Number


def clusters_chosen(
    instance: Clustering, remarks: Sequence[str], choices: Sequence[Choice]
) -> Chosen:
    """Return the program of clusters."""
    outliers = min(instance.max_outliers, instance.n)
    about = (
        "Variables: how often a cluster is used, and whether a point is in it:",
        *remarks,
        "Rows: a point is in a cluster that is used, each has enough points, and every "
        f"point is in one, but {outliers} may be outliers.",
    )
    return Chosen.of(about, choices, [1] * instance.n, outliers)


def refute_clusters(
    instance: Clustering,
    chosen: Chosen,
    weights: Sequence[int],
    cost: Mapping[int, Number],
) -> None:
    """Add the proof that weights of points refute all clusterings.

    `cost` has the row of the cost, if there is one, with its factor.
    """
    program = chosen.program
    limit = None
    if instance.max_clusters is not None:
        limit = program.row("clusters", "L", chosen.count, instance.max_clusters)
    if not chosen.made:
        weights = [1] * instance.n
    combined = chosen.bounded({**chosen.worth(weights), **cost})
    greatest = max(chosen.greatest(combined), default=0)
    if greatest > 0:
        combined[_most_clusters(instance, chosen, limit)] = greatest
    elif greatest < 0:
        combined[_one_cluster(instance, chosen)] = greatest
    if chosen.out.row is not None:
        positive = sorted((y for y in weights if y > 0), reverse=True)
        q = instance.max_outliers
        combined[chosen.out.row] = positive[q] if len(positive) > q else 0
    program.refuted(combined)


def _most_clusters(instance: Clustering, chosen: Chosen, limit: int | None) -> int:
    """Return the line of the most clusters: each has r points."""
    if limit is not None and instance.most_clusters == instance.max_clusters:
        return limit
    combined = dict.fromkeys(chosen.rows, Fraction(1, instance.r))
    for made in chosen.made:
        combined[made.enough] = Fraction(-1, instance.r)
    return chosen.program.rounded("L", chosen.count, combined)


def _one_cluster(instance: Clustering, chosen: Chosen) -> int:
    """Return the line that there is a cluster: not all points may be outliers."""
    share = Fraction(1, instance.n)
    combined = dict.fromkeys(chosen.rows, share)
    if chosen.out.row is not None:
        combined[chosen.out.row] = -share
    for made in chosen.made:
        combined.update(dict.fromkeys(made.links.values(), -share))
    return chosen.program.rounded("G", chosen.count, combined)
