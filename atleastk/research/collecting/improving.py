"""Improving a record of the library by a result, which is checked first.

The cost is recomputed from the instance, and a bound is accepted if a certificate
proves it or the checker can count it. A bound that a solver proved without a
certificate is accepted only on request, and replaces a certified one only if it closes
the instance. So no record ever gets worse, and a result that contradicts one is an
error that names both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    InvalidResultError,
    WrongAnswerError,
)
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status, Trust
from atleastk.research.collecting.record import Entry, Record, plain
from atleastk.runs.api import check


@dataclass(frozen=True, slots=True)
class _Bound:
    """A lower bound; with value None the claim that there is no solution."""

    known: bool  # whether anything is known
    value: int | None
    trust: Trust
    certificate: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, result: Result, proof: str | None) -> Self:
        """Return the bound of a result, certified if `proof` is its certificate's."""
        infeasible = result.status is Status.INFEASIBLE
        trust = result.trust if result.status >= Status.INFEASIBLE else None
        certified = proof is not None and result.certificate is not None
        return cls(
            infeasible or result.bound is not None,
            None if infeasible else result.bound,
            Trust.CERTIFIED if certified else trust or Trust.PROVED,
            result.certificate if certified else None,
        )

    def gains_on(self, old: _Bound, cost: int | None) -> bool:
        """Tell whether this bound should replace an older one."""
        if not self.known or not old.known:
            return self.known
        if self.value == old.value:
            return self.trust > old.trust
        if self.value is None or old.value is None:
            return self.value is None
        higher = self.value > old.value
        return higher and (self.trust >= old.trust or self.value == cost)


def improved(
    record: Record, result: Result, day: str, *, taking_claims: bool = False
) -> Record:
    """Return a record updated by a result: the same if nothing was gained.

    Raise `InvalidResultError` if the result does not hold, and `WrongAnswerError` if
    the result and the record contradict each other. `day` is that of the result, such
    as 2026-01-31; with `taking_claims` a bound without a certificate is accepted, too.
    """
    if not taking_claims:
        result = result.certified
    verdict = check(record.instance, result)
    if not verdict.feasible:
        raise InvalidResultError(
            f"{record.name}: does not hold: {verdict.violations[0]}"
        )
    old = record.result
    before = _Bound(False, None, Trust.PROVED)
    if old is not None:
        before = _Bound.of(old, "the record's own")
    said = _Bound.of(result, verdict.proof)
    cost, witness = None if old is None else old.cost, record.witness
    cheaper = result.cost is not None and (cost is None or result.cost < cost)
    if cheaper and result.solution is not None:
        cost, witness = result.cost, plain(result.solution.to_dict())
    for bound in (before, said):
        _refuse_contradiction(record, bound, cost)
    takes = (verdict.proof is not None or taking_claims) and said.gains_on(before, cost)
    if not cheaper and not takes:
        return record
    bound = said if takes else before
    status = _status(bound, cost)
    entry = Entry(
        date=day,
        status=status,
        trust=bound.trust if status >= Status.INFEASIBLE else None,
        cost=cost,
        bound=bound.value,
        method=result.method,
        seconds=round(result.seconds, 3),
        versions=result.versions,
        certificate=None if bound.certificate is None else bound.certificate["kind"],
    )
    return replace(
        record,
        history=(*record.history, entry),
        witness=witness,
        certificate=None if bound.certificate is None else plain(bound.certificate),
    )


def violation_of(record: Record) -> str | None:
    """Return why a record is false or wrongly called certified; None if it is fine."""
    try:
        instance = record.instance
    except InvalidInstanceError as error:
        return str(error)
    if record.result is None:
        return None
    verdict = check(instance, record.result)
    if not verdict.feasible:
        return f"does not hold: {verdict.violations[0]}"
    if record.status == Trust.CERTIFIED and not verdict.proved:
        return f"is certified, but {verdict.claimed[0]}"
    return None


def _status(bound: _Bound, cost: int | None) -> Status:
    if bound.known and bound.value is None:
        return Status.INFEASIBLE
    if cost is None:
        return Status.UNKNOWN
    return Status.OPTIMAL if bound.value == cost else Status.FEASIBLE


def _refuse_contradiction(record: Record, bound: _Bound, cost: int | None) -> None:
    if not bound.known or cost is None:
        return
    if bound.value is not None and bound.value <= cost:
        return
    claim = "infeasible" if bound.value is None else f"at least {bound.value}"
    raise WrongAnswerError(
        f"{record.name}: a solution of cost {cost} is known, and {claim} is "
        f"{bound.trust}; one of them is wrong"
    )
