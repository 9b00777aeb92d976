"""``atleastk claims``: what the papers say, put to the test again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.options import option
from atleastk.cli.print_table import print_table
from atleastk.cli.progress import refreshed
from atleastk.cli.readers import amount, level
from atleastk.cli.shared_options import executed, printed, seeded
from atleastk.research.claims.catalogue import claims
from atleastk.research.claims.examining import Finding, examine
from atleastk.runs.performing import performed


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    names: Sequence[str] = option(
        "NAME", "claims whose name holds one of these words (default: all)", nargs="*"
    )
    papers: Sequence[str] | None = option(
        "--paper PAPER", "claims of this paper; may be repeated", action="append"
    )
    verdict: str | None = option(
        "--verdict WORDS", 'claims that stand so as printed, such as "refuted"'
    )
    budget: float = option(
        "--budget SECONDS",
        "to try cases, for each claim (default: 1)",
        amount,
        default=1.0,
    )
    cases: int | None = option("--cases N", "try this many cases instead", level)
    seed: int = seeded()
    executor: str | None = executed()
    json: bool = printed()


def run(options: Options) -> Exit:
    chosen = claims(*options.names, paper=options.papers or (), verdict=options.verdict)
    findings = dict[int, Finding]()

    def line() -> str:
        number = min(len(findings), len(chosen) - 1)
        return f"{number + 1} of {len(chosen)} claims: {chosen[number].name}"

    try:
        with refreshed(line):
            calls = (partial(_examined, claim.name, options) for claim in chosen)
            for place, found in performed(calls, options.executor):
                finding = Finding(chosen[place], *found)
                findings[place] = finding
                if options.json:
                    print(json.dumps(_record(finding)), flush=True)
    finally:  # an interrupt, too, leaves what was found
        if findings and not options.json:
            _print([findings[place] for place in sorted(findings)])
    wrong = any(finding.against for finding in findings.values())
    return Exit(NO if wrong else OK)


def _examined(name: str, options: Options) -> tuple[int, str, str | None, float]:
    """Test a claim, here or on a worker; return all of its finding but the claim."""
    (claim,) = (claim for claim in claims(name) if claim.name == name)
    found = examine(
        claim, cases=options.cases, seconds=options.budget, seed=options.seed
    )
    return found.tried, found.shown, found.against, found.seconds


def _print(findings: Sequence[Finding]) -> None:
    columns = ("claim", "as printed", "as repaired", "cases>", "what was found")
    print_table(columns, map(_row, findings))
    standings = Counter(finding.printed for finding in findings)
    outcomes = ", ".join(
        f"{many} {standing}" for standing, many in sorted(standings.items())
    )
    print(f"{len(findings)} claims as printed: {outcomes or 'none'}")
    wrong = [finding.claim.name for finding in findings if finding.against]
    if wrong:
        print(f"{len(wrong)} of them WRONG: {', '.join(wrong)}")


def _row(finding: Finding) -> Sequence[object]:
    claim = finding.claim
    found = f"WRONG: {finding.against}" if finding.against else finding.shown
    return claim.name, finding.printed, finding.mended or "", finding.tried, found


def _record(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    known = asdict(claim) | {"trial": None, "repaired": None}
    stated = {name: value for name, value in known.items() if value}
    return stated | {
        "name": claim.name,
        "as_printed": finding.printed,
        "as_repaired": finding.mended,
        "family": claim.tested.family if claim.tested else None,
        "cases": finding.tried,
        "shown": finding.shown or None,
        "against": finding.against,
        "seconds": round(finding.seconds, 3),
    }
