"""Branch-and-bound trees that refute all cheaper clusterings, checked in integers.

``{"kind": "tree", "tree": node}`` of cellular clustering proves that no solution costs
less than the bound, ``{"kind": "tree", "radius": K, "tree": node}`` of r-gather that
the cost is above K. Inner nodes branch on pairs and outliers
(:mod:`~atleastk.models.certificates.pair_trees`). A leaf is refuted by weights of the
points:

``{"scale": D, "weights": [y per point], "most": Y}``

Theorem
-------
Let C(S) be the cost of a cluster S, of r-gather 0, and B the bound, of r-gather and
where nothing is to be feasible 1 (and C(S) = 0). If y(S) - D C(S) <= Y for all clusters
S that satisfy the decisions above the leaf, and

    sum of y - the greatest positive ones that may be outliers - m Y  >  D (B - 1),

then no solution of the leaf costs less than B. The sum is over points that are not
decided to be outliers; as many of them as are left of max_outliers may be outliers, if
they are not decided to be in a cluster. And m is the greatest number of clusters if
Y > 0, else the least.

Proof: add up y(S) - D C(S) over the clusters of a solution. They are at most m Y; and
at least the sum of y over their points, less D times the cost.

The clusters are those of :mod:`~atleastk.models.admissible.clusters`; with centres
anywhere exactly those whose points are within the diameter of each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.models.admissible.clusters import NodeSites, Sites
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.pair_trees import leaves_of
from atleastk.models.certificates.weights import expect_safe, field, integer, weights_of
from atleastk.models.results.fields import INTEGER

_MOST_POINTS: Final = 150
"""The most points of a tree: a leaf then takes a fifth of a second."""


@dataclass(frozen=True, slots=True)
class ClusterLeaf:
    """The weights of a leaf."""

    scale: int
    weights: tuple[int, ...]
    most: int

    @classmethod
    def parsed(cls, document: Mapping[str, Any], n: int) -> ClusterLeaf:
        """Read a leaf for n points; without a scale, costs do not count."""
        return cls(
            field({"scale": 0, **document}, "scale", integer(0)),
            weights_of(document, n),
            field(document, "most", INTEGER),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what `parsed` reads."""
        scaled = {"scale": self.scale} if self.scale else {}
        return {**scaled, "weights": list(self.weights), "most": self.most}


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What a tree refutes: solutions that cost less than the bound, at least 1."""

    instance: Clustering
    sites: Sites
    bound: int

    def enough(self, scale: int, surplus: int) -> int | None:
        """Return the greatest Y that refutes a leaf; None if there is none."""
        left = surplus - scale * (self.bound - 1) - 1
        count = self.instance.most_clusters if left >= 0 else self._fewest
        return left // count if count else (0 if left >= 0 else None)

    def refuted(self, decided: Decided, sites: NodeSites, leaf: ClusterLeaf) -> bool:
        """Tell whether weights refute all solutions under these decisions."""
        n, factors = self.instance.n, (*leaf.weights, leaf.most)
        heaviest = max(map(abs, factors)) + leaf.scale * max(1, self.sites.dearest)
        expect_safe((n + 1) * heaviest)
        weights = np.array(leaf.weights, dtype=np.int64)
        left = decided.surplus(weights, self.instance.max_outliers)
        count = self.instance.most_clusters if leaf.most > 0 else self._fewest
        if left - leaf.most * count <= leaf.scale * (self.bound - 1):
            return False
        return next(sites.above(weights, leaf.scale, leaf.most), None) is None

    @property
    def _fewest(self) -> int:
        return 1 if self.instance.least_clustered else 0


def suits_trees(instance: Clustering) -> bool:
    """Tell whether there are few enough points for a tree."""
    return instance.n <= _MOST_POINTS


def expect_few_points(instance: Clustering) -> None:
    """Raise `NotApplicableError` if there are too many points for a tree."""
    if not suits_trees(instance):
        raise NotApplicableError(f"{instance.n} points are too many to re-check a tree")


def check_tree(question: Question, certificate: Mapping[str, Any]) -> None:
    """Raise `CertificateError` unless a tree refutes what a question asks."""
    n = question.instance.n
    for document, decided in leaves_of(certificate, n, outliers=True):
        sites = question.sites.restricted(decided)
        if not question.refuted(decided, sites, ClusterLeaf.parsed(document, n)):
            raise CertificateError("the weights of a leaf do not refute it")
