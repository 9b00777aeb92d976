"""Checking a result: which of its claims are verified, unproved, or false.

The groups and their cost are recomputed from the instance. A bound, or infeasibility,
is verified by the certificate of the result; without one by counting. Any other bound
is only claimed, however many methods agreed on it; and no result passes as certified
whose certificate was not re-checked here. No solver runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Verdict
from atleastk.models.results.status import Status, Trust
from atleastk.solvers.problem import Problem

_COUNTS: Final = ("count", "counting", "total", "columns")
"""The kinds of certificates that have no other field."""

_WITNESSES: Final = {
    Trust.PROVED: "that one method proved it",
    Trust.AGREED: "that two methods of unrelated families proved it",
}
"""The claims of trust that a result cannot prove; that it is certified it can."""


class _Evidence(NamedTuple):
    """Whether a bound, or infeasibility, is proved here."""

    proof: str | None = None  # the proof, in words; None without one
    broken: str | None = None  # why the certificate is refused; None if it is not
    unread: str | None = None  # why the certificate cannot be re-checked, if it cannot


def judged(problem: Problem[Any], instance: Instance, claim: Result) -> Verdict:
    """Return the verdict on a result."""
    if claim.problem != problem.name:
        wrong = f"the result is of {claim.problem}, the instance of {problem.name}"
        return Verdict(None, (wrong,))
    found = Verdict(None)
    if claim.solution is not None:
        found = problem.check(instance, claim.solution)
    evidence = _evidence(problem, instance, claim.certified)
    violations = [*found.violations, *_mismatches(instance, claim, found.cost)]
    verified, claimed = [], []
    if found.cost is not None and not violations:
        verified.append(f"cost {found.cost}: recomputed, the groups are a solution")
    subject = _subject(claim.certified, holds=not violations)
    if evidence.broken is not None:
        violations.append(evidence.broken)
    elif evidence.unread is not None and _says_certified(claim):
        violations.append(f"the result claims to be certified, but {evidence.unread}")
    elif evidence.proof is not None:
        verified.append(f"{subject}: proved by {evidence.proof}")
    elif subject is not None:
        why = f" ({evidence.unread})" if evidence.unread else ""
        claimed.append(f"{subject}: claimed, not proved here{why}")
    if claim.certified_bound is not None:
        less = _subject(claim, holds=not violations)
        claimed.append(f"{less}: claimed, not proved here")
    if claim.trust in _WITNESSES:
        claimed.append(f"trust {claim.trust}: claimed, {_WITNESSES[claim.trust]}")
    return Verdict(
        found.cost,
        tuple(violations),
        tuple(verified),
        tuple(claimed),
        evidence.proof if claim.certified_bound is None else None,
    )


def _says_certified(claim: Result) -> bool:
    """Tell whether a result calls its bound certified, or a part of it."""
    return claim.trust is Trust.CERTIFIED or claim.certified_bound is not None


def _subject(claim: Result, *, holds: bool) -> str | None:
    """Return the claim of a result about all solutions; None without one.

    Its own may be optimal only if its cost `holds`.
    """
    if claim.status is Status.INFEASIBLE:
        return "infeasible"
    if claim.bound is None:
        return None
    optimal = holds and claim.status is Status.OPTIMAL
    return f"bound {claim.bound}, so {'optimal' if optimal else 'nothing costs less'}"


def _mismatches(instance: Instance, claim: Result, cost: int | None) -> Iterator[str]:
    """Yield why a result is of another instance or cost."""
    if claim.instance_sha256 != instance.sha256:
        yield (
            f"the result is of another instance: its sha256 is "
            f"{claim.instance_sha256[:12]}..., the instance's {instance.sha256[:12]}..."
        )
    if cost is not None and cost != claim.cost:
        yield f"the claimed cost is {claim.cost}, the recomputed cost {cost}"


def _evidence(problem: Problem[Any], instance: Instance, claim: Result) -> _Evidence:
    infeasible = claim.status is Status.INFEASIBLE
    bound = None if infeasible else claim.bound
    if claim.certificate is None:
        if claim.trust is Trust.CERTIFIED:
            broken = "the result claims to be certified but carries no certificate"
            return _Evidence(broken=broken)
        if not infeasible and bound is None:
            return _Evidence()
        return _Evidence(proof=_proof_by_counting(problem, instance, bound))
    if not infeasible and bound is None:
        return _Evidence(broken="there is a certificate but no bound that it proves")
    try:
        problem.check_certificate(instance, claim.certificate, bound)
    except CertificateError as error:
        return _Evidence(broken=f"the certificate does not hold: {error}")
    except NotApplicableError as error:
        return _Evidence(unread=f"its certificate cannot be re-checked: {error}")
    kind = claim.certificate.get("kind")
    return _Evidence(f"its certificate{f' of kind {kind}' * isinstance(kind, str)}")


def _proof_by_counting(
    problem: Problem[Any], instance: Instance, bound: int | None
) -> str | None:
    """Return a proof of a bound, or of infeasibility (None), without a certificate."""
    if bound is not None and bound <= instance.least_cost:
        return "what costs are counted in"
    for kind in _COUNTS:
        with suppress(CertificateError, NotApplicableError):
            problem.check_certificate(instance, {"kind": kind}, bound)
            return "counting"
    return None
