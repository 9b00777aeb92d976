"""``atleastk check``: results against their instances, without any solver."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import result_at
from atleastk.cli.shared_options import Reading, printed
from atleastk.instances.fields.errors import (
    ContradictoryResultError,
    InvalidResultError,
)
from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.models.results.solution import Verdict
from atleastk.runs import api


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    instance: str = option(
        "INSTANCE", "one instance; several in a .jsonl", reads="the instance"
    )
    result: str = option(
        "RESULT", "what solve -o has written; several in a .jsonl", reads="the result"
    )
    require: str | None = option(
        "--require",
        "exit with 1 also if a bound or infeasibility is only claimed",
        choices=("proof",),
    )
    json: bool = printed()


def run(options: Options) -> Exit:
    """Re-check results; of several instances each against the one that it names."""
    instances = api.load_all(options.instance)
    results = files.documents(options.result, InvalidResultError)
    code = OK
    for place, document in results:
        verdict, what = _judged(instances, place, document)
        demand_met = verdict.proved if options.require == "proof" else verdict.feasible
        code = max(code, OK if demand_met else NO)
        shown = place if len(results) > 1 else None
        if options.json:
            row = {
                **({} if shown is None else {"result": shown}),
                "holds": verdict.feasible,
                "proved": verdict.proved,
                "cost": verdict.cost,
                "violations": verdict.violations,
                "verified": verdict.verified,
                "claimed": verdict.claimed,
            }
            print(json.dumps(row))
        else:
            _print(verdict, what, demand_met, shown)
    return Exit(code)


def _judged(
    instances: Sequence[Instance], place: str, document: Mapping[str, Any]
) -> tuple[Verdict, str]:
    """Return the verdict on a result, and the claim of the result in a few words."""
    try:
        result = result_at(place, document)
    except ContradictoryResultError as error:
        return Verdict(None, (str(error),)), ""
    of = {instance.sha256: instance for instance in reversed(instances)}
    instance = of.get(result.instance_sha256, instances[0])
    if len(instances) > 1 and result.instance_sha256 not in of:
        wrong = f"the result is of none of the {len(instances)} instances"
        return Verdict(None, (wrong,)), ""
    verdict = api.check(instance, result)
    if verdict.cost is None:
        return verdict, result.status.lower()
    what = f"cost {verdict.cost} {instance.meaning(verdict.cost)}"
    return verdict, what.rstrip()


def _print(verdict: Verdict, what: str, demand_met: bool, place: str | None) -> None:
    head = "" if place is None else f"{place}: "
    if not verdict.feasible:
        head += "does not hold: "
        print(f"{head}{verdict.violations[0]}")
        for violation in verdict.violations[1:]:
            print(f"{' ' * len(head)}{violation}")
        return
    if not demand_met:
        word = "not proved"
    elif verdict.cost is None and verdict.claimed and not verdict.proved:
        word = "claimed"
    else:
        word = "holds"
    print(f"{head}{word}: {what}")
    for line in (*verdict.verified, *verdict.claimed):
        print(f"  {line}")
