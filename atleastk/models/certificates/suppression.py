"""Certificates of suppression, checked in integers without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.
``{"kind": "weights", "scale": D, "weights": [u per distinct record]}``
    A bound of suppressed entries, as in k-anonymity.
``{"kind": "tree", "tree": node}``
    A bound of any cost, or that nothing is feasible:
    :mod:`~atleastk.models.certificates.pattern_trees`.

Every solution, whatever it minimises and is limited by, is one of k-anonymity on the
same table: its entries are no fewer. So the weights that prove it there
prove it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates import k_anonymity
from atleastk.models.certificates.count import expect_rows
from atleastk.models.certificates.forms import NODE_OF_PATTERNS, TABLES, Forms
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.certificates.pattern_trees import check_tree
from atleastk.models.certificates.weights import kind_of


def check_certificate(
    instance: Suppression, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    if kind_of(certificate, instance, *FORMS) == "tree":
        expect_rows(instance)
        check_tree(PatternProblem(instance), certificate, bound)
        return
    if bound is not None and instance.minimise != "entries":
        raise CertificateError(
            f"minimise: weights bound entries, not {instance.minimise}"
        )
    k_anonymity.check_certificate(instance, certificate, bound)


FORMS: Final[Forms] = TABLES

NODE_FORM: Final = NODE_OF_PATTERNS
