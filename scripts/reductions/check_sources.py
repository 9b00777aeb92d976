"""Check the reductions that enter the suppression family, instance by instance.

    python -m scripts.reductions.check_sources [--quick] [--seed S] [--out DIR]

The claims are the `REDUCTIONS` of the four modules of sources (exact covers, packings,
triangles, vertex covers). Both sides of each are solved exactly and compared: yes with
yes, optimum with the formula, and what the way back makes of a best solution with what
the source asks for. Instances come smallest first, so the first that refutes a claim is
a smallest one:

- triples of 3 and 6 elements, all of them up to isomorphism, and random ones of 9,
- graphs without K_4 of 3 and 6 vertices, all of them, and random ones of 9,
- connected cubic graphs of 4, 6, 8 and 10 vertices, all of them.

Both are solved as `atleastk.research.claims.sources` does. Writes
DIR/reduction_sources.json, which check_reduction_web.py --redraw takes into the
pictures and into the package, from where the claims tell it. The exit code is 1 if a
claim that is said to be repaired is refuted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from atleastk.instances.reductions import (
    exact_cover,
    set_packing,
    triangle_partition,
    vertex_cover,
)
from atleastk.instances.reductions.reduction import Reduction
from atleastk.research.claims.sources import objection
from scripts.reductions.source_instances import Corpus, corpus_of

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "reduction_sources"


@dataclass(slots=True)
class Report:
    """What came of one claim.

    Attributes
    ----------
    checked, failed
        Instances to which the claim applies, and those of them that refute it.
    refuted
        A smallest of these and why; None if there is none.
    instances
        What was tried, in words.
    seconds
        CPU time of all, and of the longest single instance.
    """

    source: str
    target: str
    kind: str
    reference: str
    claim: str
    checked: int
    failed: int
    refuted: dict[str, Any] | None
    repaired: bool
    hypotheses: str
    instances: str
    seconds: tuple[float, float]


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = _parser().parse_args(arguments)
    reports = [
        checked(reduction, corpus_of(reduction, chosen.seed, chosen.quick))
        for reduction in every()
    ]
    chosen.out.mkdir(parents=True, exist_ok=True)
    document = json.dumps([asdict(report) for report in reports], indent=1)
    (chosen.out / f"{NAME}.json").write_text(document + "\n")
    broken = [r for r in reports if r.repaired and r.refuted]
    if broken:
        sys.exit("\n".join(["WRONG", *(f"{r.source} -> {r.target}" for r in broken)]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="the smallest only")
    parser.add_argument("--out", type=Path, default=OUT)
    return parser


def every() -> list[Reduction]:
    modules = (exact_cover, set_packing, triangle_partition, vertex_cover)
    return [reduction for module in modules for reduction in module.REDUCTIONS]


def checked(reduction: Reduction, corpus: Corpus) -> Report:
    """Compare both sides of a claim on all instances."""
    failed, tried, longest = 0, 0, 0.0
    refuted: dict[str, Any] | None = None
    begun = time.process_time()
    for instance in corpus.instances:
        if not reduction.applies(instance):
            continue
        before = time.process_time()
        tried += 1
        why = objection(reduction, instance)
        if why is not None:
            failed += 1
            refuted = refuted or {"instance": instance.to_dict(), "why": why}
        longest = max(longest, time.process_time() - before)
    return Report(
        reduction.source,
        reduction.target,
        reduction.kind,
        reduction.reference,
        reduction.claim,
        tried,
        failed,
        refuted,
        reduction.repaired,
        reduction.hypotheses,
        corpus.words,
        (round(time.process_time() - begun, 1), round(longest, 2)),
    )


if __name__ == "__main__":
    main()
