"""Certificates of l-diversity and t-closeness, checked without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.
``{"kind": "whole"}``
    Not even the whole table satisfies the conditions: infeasible.
On entries
    Weights as of generalisation (:mod:`~atleastk.models.certificates.generalization`),
    of the instance without sensitive values, and with `Diversity.least_rows` for k; or
    ``{"kind": "tree", "tree": node}`` that knows the values, with that k as well
    (:mod:`~atleastk.models.certificates.pattern_trees`).
On attributes
    A lattice, as of generalisation; refused nodes have a class of less than k rows, or
    one that breaks a condition. If rows may be suppressed, lower bounds of the
    suppressed rows of each class decide what is refused, and what a node that stands
    alone loses (:mod:`~atleastk.models.diverse_deletion`).

Theorems and proofs: :mod:`atleastk.instances.diversity`, "Joins" and "Bounds".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import CertificateError
from atleastk.models.certificates import generalization
from atleastk.models.certificates.count import expect_rows
from atleastk.models.certificates.forms import NODE_OF_PATTERNS, Forms, object_form
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.certificates.pattern_trees import check_tree
from atleastk.models.certificates.weights import kind_of
from atleastk.models.diverse_deletion import Deletion
from atleastk.models.diversity import is_diverse_node, is_diverse_whole


def check_certificate(
    instance: Diversity, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    if generalization.is_of_highest(certificate):
        generalization.expect_highest_refused(instance, bound, least_at)
        return
    wanted = ("lattice",) if instance.on == "attributes" else ("weights", "tree")
    kind = kind_of(certificate, instance, "count", "whole", *wanted)
    whole = is_diverse_whole(instance)
    refuted = {"count": instance.has_too_few, "whole": not whole}.get(kind, False)
    if refuted != (bound is None) or (bound is not None and not whole):
        raise CertificateError(
            f'a certificate of kind "{kind}" does not prove the bound {bound}'
        )
    if bound is None:
        return
    expect_rows(instance)
    if kind == "lattice":
        generalization.require_checkable(instance)
        least = partial(least_at, instance)
        generalization.check_lattice(instance, certificate, bound, least)
    elif kind == "tree":
        check_tree(pattern_problem(instance), certificate, -(-bound // instance.unit))
    else:
        generalization.check_certificate(instance.relaxed, certificate, bound)


def least_at(instance: Diversity, levels: tuple[int, ...]) -> int | None:
    """Return a lower bound of the loss of a node; None if it is refused."""
    of_k = generalization.least_at(instance, levels)
    if of_k is None:
        return None
    if not instance.suppress_rows:
        return of_k if is_diverse_node(instance, levels) else None
    deletion = Deletion.at(instance, levels)
    return None if deletion.refused else max(of_k, deletion.least_loss)


def pattern_problem(instance: Diversity) -> PatternProblem:
    """Return diversity on entries as assignments to patterns, in units of the loss."""
    found = generalization.pattern_problem(instance.relaxed)
    return replace(found, diverse=instance)


FORMS: Final[Forms] = {**generalization.FORMS, "whole": object_form()}

NODE_FORM: Final = NODE_OF_PATTERNS
