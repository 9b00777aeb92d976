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
import random
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from networkx.generators.atlas import graph_atlas_g

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions import (
    exact_cover,
    set_packing,
    triangle_partition,
    vertex_cover,
)
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.set_packing import SetPacking
from atleastk.instances.reductions.triangle_partition import (
    TrianglePacking,
    TrianglePartition,
)
from atleastk.instances.reductions.vertex_cover import CubicVertexCover
from atleastk.research.claims.sources import objection

OUT = Path(__file__).parents[2] / "docs/benchmarks"
NAME = "reduction_sources"
CUBIC = {4: 1, 6: 2, 8: 5, 10: 19}
"""How many connected cubic graphs there are, by their vertices."""
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


@dataclass(frozen=True, slots=True)
class Corpus:
    """Instances of a source, smallest first, and what they are."""

    instances: Sequence[Any]
    words: str


def corpus_of(reduction: Reduction, seed: int, quick: bool) -> Corpus:
    if reduction.source == "VC-3":
        most = 6 if quick else max(CUBIC)
        graphs = [g for r in CUBIC if r <= most for g in cubic_graphs(r, seed)]
        return Corpus(graphs, f"all connected cubic graphs of 4 to {most} vertices")
    if reduction.source in ("RPT", "MAX TP-B"):
        return _graphs(reduction, seed, 5 if quick else 400)
    most_sets, drawn, largest = (3, 2, 3) if quick else _sizes(reduction)
    kind = ExactCover if reduction.source == "X3C" else SetPacking
    small = [kind(3, [(0, 1, 2)])]
    small += [kind(6, s) for s in triple_systems(6, most_sets)]
    rng = random.Random(seed)
    more = [kind(9, random_triples(rng, 9, largest)) for _ in range(drawn)]
    more.sort(key=lambda problem: len(problem.sets))
    bound = "" if most_sets >= 20 else f" with at most {most_sets} sets"
    return Corpus(
        [*small, *more],
        f"all on 3 and 6 elements{bound} up to isomorphism ({len(small)}), and "
        f"{drawn} random ones on 9 with at most {largest} sets",
    )


def _sizes(reduction: Reduction) -> tuple[int, int, int]:
    """Return the most triples of 6 elements, and how many instances of 9, how large."""
    if "RPT" in reduction.target or "TP-B" in reduction.target:
        return 3, 20, 3
    if "c'" in reduction.target:
        return (6, 60, 5) if reduction.repaired else (3, 6, 3)
    layered = reduction.repaired and "r'" in reduction.target
    return (4, 10, 4) if layered else (20, 600, 9)


def _graphs(reduction: Reduction, seed: int, drawn: int) -> Corpus:
    kind = TrianglePartition if reduction.source == "RPT" else TrianglePacking
    small = [
        problem
        for graph in graph_atlas_g()
        if len(graph) in (3, 6)
        for problem in [_without_cliques(kind, len(graph), graph.edges)]
        if problem is not None
    ]
    rng = random.Random(seed)
    more: list[TrianglePartition] = []
    while len(more) < drawn:
        problem = _without_cliques(kind, 9, random_edges(rng, 9))
        more += [] if problem is None else [problem]
    more.sort(key=lambda problem: len(problem.edges))
    return Corpus(
        [*small, *more],
        f"all graphs without K_4 on 3 and 6 vertices ({len(small)}), and {drawn} "
        "random ones on 9",
    )


def _without_cliques(
    kind: type[TrianglePartition], vertices: int, edges: Iterable[Any]
) -> TrianglePartition | None:
    try:
        return kind(vertices, sorted(map(sorted, edges)))
    except InvalidInstanceError:
        return None


def random_edges(rng: random.Random, vertices: int) -> list[tuple[int, int]]:
    pairs = list(combinations(range(vertices), 2))
    share = rng.uniform(0.2, 0.7)
    edges = {pair for pair in pairs if rng.random() < share}
    if rng.random() < 0.5:
        edges = {pair for pair in edges if rng.random() < 0.6}
        edges |= {p for p in pairs if p[0] // 3 == p[1] // 3}
    return sorted(edges)


def random_triples(
    rng: random.Random, elements: int, most: int
) -> list[tuple[int, ...]]:
    """Draw triples; every other time an exact cover is among them, if they suffice."""
    every = list(combinations(range(elements), 3))
    count = rng.randint(1, most)
    planted = [tuple(range(i, i + 3)) for i in range(0, elements, 3)]
    if count >= len(planted) and rng.random() < 0.5:
        others = [triple for triple in every if triple not in planted]
        return planted + rng.sample(others, count - len(planted))
    return rng.sample(every, count)


@cache
def triple_systems(elements: int, most: int) -> Sequence[Sequence[tuple[int, ...]]]:
    """Return the sets of 1..most triples up to isomorphism, smaller ones first."""
    triples = list(combinations(range(elements), 3))
    place: dict[tuple[int, ...], int] = {t: i for i, t in enumerate(triples)}
    images = np.array(
        [
            [1 << place[tuple(sorted(p[i] for i in triple))] for triple in triples]
            for p in permutations(range(elements))
        ]
    )
    systems: list[Sequence[tuple[int, ...]]] = []
    level: list[tuple[int, ...]] = [()]
    for _ in range(min(most, len(triples))):
        found: dict[int, tuple[int, ...]] = {}
        for chosen in level:
            for t in set(range(len(triples))) - set(chosen):
                larger = (*chosen, t)
                found.setdefault(int(images[:, larger].sum(axis=1).min()), larger)
        level = list(found.values())
        systems += [[triples[t] for t in sorted(chosen)] for chosen in level]
    return systems


def cubic_graphs(vertices: int, seed: int) -> list[CubicVertexCover]:
    """Return all connected cubic graphs, drawn until their known number is reached."""
    rng = random.Random(seed)
    found: list[nx.Graph[int]] = []
    while len(found) < CUBIC[vertices]:
        graph = nx.random_regular_graph(3, vertices, seed=rng.randrange(2**32))
        if nx.is_connected(graph) and not any(
            nx.is_isomorphic(graph, other) for other in found
        ):
            found.append(graph)
    return [CubicVertexCover(vertices, list(map(list, g.edges))) for g in found]


if __name__ == "__main__":
    main()
