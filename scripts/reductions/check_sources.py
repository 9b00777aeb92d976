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
from itertools import pairwise
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
_SAID = ("source", "target", "kind", "reference", "claim")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="the smallest only")
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    reports = [
        checked(reduction, corpus_of(reduction, chosen.seed, chosen.quick))
        for reduction in every()
    ]
    chosen.out.mkdir(parents=True, exist_ok=True)
    document = json.dumps(reports, indent=1)
    (chosen.out / f"{NAME}.json").write_text(document + "\n")
    broken = [r for r in reports if r["repaired"] and r["refuted"]]
    if broken:
        names = (f"{r['source']} -> {r['target']}" for r in broken)
        sys.exit("\n".join(["WRONG", *names]))


def every() -> list[Reduction]:
    modules = (exact_cover, set_packing, triangle_partition, vertex_cover)
    return [reduction for module in modules for reduction in module.REDUCTIONS]


def checked(reduction: Reduction, corpus: Corpus) -> dict[str, Any]:
    """Compare both sides of a claim on all instances; tell what came of it.

    Of what refutes it the first, a smallest one, is told; of seconds of the processor
    those of all instances, and of the longest one.
    """
    tried = [each for each in corpus.instances if reduction.applies(each)]
    refuting, ends = [], [time.process_time()]
    for instance in tried:
        why = objection(reduction, instance)
        ends.append(time.process_time())
        if why is not None:
            refuting.append({"instance": instance.to_dict(), "why": why})
    longest = max((end - begun for begun, end in pairwise(ends)), default=0.0)
    return {
        **{name: getattr(reduction, name) for name in _SAID},
        "checked": len(tried),
        "failed": len(refuting),
        "refuted": refuting[0] if refuting else None,
        "repaired": reduction.repaired,
        "hypotheses": reduction.hypotheses,
        "instances": corpus.words,
        "seconds": [round(ends[-1] - ends[0], 1), round(longest, 2)],
    }


if __name__ == "__main__":
    main()
