"""Proving: certificates in formats that other people's checkers read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from atleastk.instances.fields.errors import (
    InvalidResultError,
    NotApplicableError,
    UnknownNameError,
)
from atleastk.instances.files import files
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.files.writing import make_folder
from atleastk.instances.instance import Instance
from atleastk.models.proofs.knapsack import Lemma
from atleastk.models.proofs.vipr import Program
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.runs.api import check
from atleastk.runs.registry import problem_of

FORMATS: Final = ("vipr", "veripb", "opb")


def prove(
    instance: Instance,
    result: Result,
    output: AnyPath | None = None,
    *,
    to: str = "vipr",
) -> dict[str, str]:
    """Return the proof of a result's bound as files, by name; and write them.

    Parameters
    ----------
    result
        A result with a certificate, as of ``solve(..., certify=True)``.
    output
        Where it is written: a file for VIPR, a folder for the others.
    to
        ``"vipr"``: an integer program over all admissible groups with the lines that
        refute it. ``"opb"``: for every number of bins the formula that no bin weighs
        more than the certificate says, ``"veripb"``: with their proofs.

    Raises
    ------
    InvalidResultError
        If the result does not hold.
    NotApplicableError
        If there is no certificate, none that can be put that way, or one that would be
        too long.
    """
    if to not in FORMATS:
        raise UnknownNameError(f"to: expected one of {', '.join(FORMATS)}, got {to}")
    certificate, bound = _proved(instance, result)
    subject = "no solution"
    if bound is not None:
        subject += f" that costs less than {bound}"
    head = (
        f"{instance.problem}: {subject}.",
        f"The instance has the sha256 {instance.sha256}.",
    )
    if to == "vipr":
        refuted = problem_of(instance).refuted
        if refuted is None:
            raise NotApplicableError(f"no proofs of {instance.problem} are written")
        program: Program = refuted(instance, certificate, bound)
        made = {"proof.vipr": _text(program.text(head))}
    else:
        lemmas = _lemmas(instance, certificate, bound)
        made = {f"{name}.opb": _text(one.formula(head)) for name, one in lemmas.items()}
        if to == "veripb":
            made |= {f"{name}.pbp": _text(one.proof()) for name, one in lemmas.items()}
    if output is not None:
        _write(made, output, to)
    return made


def _proved(instance: Instance, result: Result) -> tuple[Mapping[str, Any], int | None]:
    """Return the certificate and its bound; None stands for infeasible."""
    verdict = check(instance, result)
    if verdict.violations:
        raise InvalidResultError(verdict.violations[0])
    infeasible = result.status is Status.INFEASIBLE
    bound = None if infeasible else result.certified.bound
    reason = None
    if result.certificate is None:
        reason = "the result has no certificate"
    elif bound is not None and bound <= instance.least_cost:
        reason = f"its numbers alone say that no cost is below {bound}"
    elif verdict.proof is None and result.certified_bound is None:
        reason = "its certificate is too large to be re-checked"
    if reason is not None or result.certificate is None:
        raise NotApplicableError(f"nothing to prove: {reason}")
    return result.certificate, bound


def _lemmas(
    instance: Instance, certificate: Mapping[str, Any], bound: int | None
) -> Mapping[str, Lemma]:
    found = problem_of(instance).lemmas
    if found is None:
        raise NotApplicableError(
            f"the lemma of one group of {instance.problem} is no knapsack problem: "
            "take vipr"
        )
    return found(instance, certificate, bound)


def _text(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _write(made: Mapping[str, str], output: AnyPath, to: str) -> None:
    if to == "vipr":
        (text,) = made.values()
        files.write_text(output, text)
        return
    make_folder(output)
    for name, text in made.items():
        files.write_text(Path(output) / name, text)
