"""What is in the library: every instance with its name, its source and its licence.

Families of the registry with chosen parameters and seeds, images of hard problems under
the reductions, data sets that come with the package, and samples of larger ones from a
folder of data. What is drawn depends on nothing but this file and the generators.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import networkx as nx

from atleastk import BinCovering, Instance, KAmbiguity, KAnonymity, RGather, Suppression
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.census_names import NameSet, census_names
from atleastk.instances.datasets.counties import connected_partition_from_tables
from atleastk.instances.fields.errors import InvalidInstanceError, NotApplicableError
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.reductions.checked import check_of
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.suppression_names import DECISIONS, MAXIMISATIONS, MINIMISATIONS
from atleastk.research.collecting.record import Record, named
from atleastk.research.reducing import REDUCTIONS, SOURCES, forward_along
from atleastk.runs import api
from scripts.reductions.check_sources import random_edges, random_triples
from scripts.studies.datasets import read_rows

OURS = "CC BY 4.0"
UCI = "CC BY 4.0 (UCI Machine Learning Repository)"
GEONAMES = "CC BY 4.0 (GeoNames)"
CENSUS = "public domain (US Census Bureau)"
LICENCES = {"adult": UCI, "us-cities": GEONAMES, "mississippi": CENSUS}
"""Of families that are made of data."""

LARGE = 30_000
"""Characters of JSON above which a record holds the recipe of an instance."""


def grid(**values: Sequence[Any]) -> list[dict[str, Any]]:
    """Return every choice of one value for each parameter."""
    return [
        dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())
    ]


ON = ("entries", "attributes")
CENTRES = ("input", "member", "any")
POINTS: Sequence[tuple[str, Sequence[Mapping[str, Any]], int]] = (
    ("uniform", grid(n=(8, 12, 20, 40, 100), r=(2, 3)), 1),
    ("uniform", grid(n=(12,), r=(3,), centres=CENTRES, max_outliers=(0, 2)), 1),
    ("clustered", grid(n=(20, 60), r=(3, 5), max_outliers=(0, 3)), 1),
    ("line", grid(n=(15, 60), r=(3,)), 1),
    ("lattice", grid(side=(4, 6, 9), r=(2, 3)), 1),
    ("graph", grid(n=(14, 40), r=(3,)), 1),
    ("hamming", grid(n=(14, 40), r=(3,)), 1),
    ("hamming-clustered", grid(n=(24, 60), r=(3,)), 1),
    ("us-cities", grid(n=(10, 25, 50, 100), r=(3,)), 1),
    ("figure-1", [{}, {"r": 3}], 1),
    ("figure-3", [{}, {"r": 3}], 1),
)
FAMILIES: Mapping[str, Sequence[tuple[str, Sequence[Mapping[str, Any]], int]]] = {
    "bin-covering": (
        ("uniform", grid(n=(8, 12, 16, 20, 30, 50, 100)), 3),
        ("uniform", grid(n=(20, 40), high=(10**6, 10**12)), 1),
        ("few-sizes", grid(n=(20, 60, 200)), 2),
        ("three-partition-yes", grid(groups=(3, 5, 8, 12, 20)), 1),
        ("three-partition-no", grid(groups=(5, 10, 20)), 1),
        ("heavy", grid(n=(15, 30, 60)), 2),
        ("census-like", grid(n=(100, 1000)), 1),
        ("tight-fold", grid(k=(21, 61, 301)), 1),
        ("tight-five-halves", grid(k=(14, 40, 200)), 1),
        ("tight-spread", grid(k=(20, 60, 200)), 1),
    ),
    "interval-covering": (
        ("uniform", grid(n=(10, 20, 50, 100, 300, 1000)), 3),
        ("uniform", grid(n=(30, 200), high=(10**9,)), 1),
        ("unit", grid(n=(20, 50, 101), k=(3, 4, 7)), 1),
    ),
    "k-anonymity": (
        ("uniform", grid(n=(8, 12, 20, 40), k=(2, 3)), 2),
        ("skewed", grid(n=(12, 20, 40, 100), k=(3,)), 2),
        ("planted", grid(groups=(3, 5, 10), k=(3, 4)), 1),
        ("hard-zone", grid(n=(10, 14, 20, 30), k=(3, 4)), 1),
        (
            "full-product",
            grid(sizes=("2,3,4", "3,3,3,3", "3,5,4,4,3,2,3,3"), k=(3, 5)),
            1,
        ),
        ("employees-4", grid(k=(2, 3)), 1),
        ("employees-8", grid(k=(2, 3, 4)), 1),
        ("tight-dr", grid(k=(4, 6)), 1),
        ("tight-leftovers", grid(k=(4, 10), m=(1, 3)), 1),
        ("adult", grid(n=(30, 60, 150, 400, 1000), columns=(4, 8), k=(2, 5)), 1),
    ),
    "pair-partition": (
        ("uniform", grid(n=(8, 12, 16), k=(2, 3)), 2),
        ("points", grid(n=(10, 16, 24, 40), k=(3,), objective=("sum", "squares")), 2),
        ("points", grid(n=(20,), k=(3, 5), dimension=(1, 5)), 1),
        ("network", grid(n=(12, 20), density=(30, 60)), 2),
    ),
    "suppression": (
        (
            "people",
            grid(variant=("MIN-e-SUP", "MIN-r'-SUP", "MIN-c-DEL", "c'-PART")),
            1,
        ),
        ("tight-forest", grid(cost=("columns", "per_column", "entries")), 1),
    ),
    "generalization": (
        ("people", grid(on=ON, loss=("height", "precision"), k=(2, 3)), 1),
        ("trees", grid(n=(8, 12, 20, 40), on=ON), 2),
        ("postal", grid(n=(12, 30, 100), on=ON), 1),
        ("adult", grid(n=(30, 100, 1000), columns=(4,), on=ON), 1),
        ("adult", grid(n=(1000,), columns=(8,)), 1),
    ),
    "diversity": (
        ("patients", grid(on=ON, k=(2, 3)), 1),
        ("diagnoses", grid(n=(8, 12, 20, 40), on=ON), 3),
        ("diagnoses", grid(n=(12, 30), l=(3,), on=ON), 2),
    ),
    "k-ambiguity": (
        ("uniform", grid(n=(6, 8, 12, 16), k=(2, 3)), 3),
        ("skewed", grid(n=(8, 12, 16, 30), k=(3,)), 2),
        ("planted", grid(groups=(3, 5, 8)), 2),
        ("people", grid(k=(2, 3)), 1),
    ),
    "r-gather": (
        *POINTS,
        ("tight-star", grid(r=(3, 5)), 1),
        ("tight-line", grid(r=(3, 5)), 1),
        ("tight-outliers", grid(r=(4, 6)), 1),
        ("tight-k-outliers", grid(r=(3, 5)), 1),
        ("three-sat", grid(variables=(4, 6), clauses=(8,)), 2),
    ),
    "cellular-clustering": (
        *POINTS,
        ("uniform", grid(n=(15, 30), facility=(500,)), 1),
        ("tight-facilities", grid(leaves=(5, 8)), 1),
        ("set-cover", grid(elements=(8, 12)), 2),
    ),
    "connected-partition": (
        ("delaunay", grid(n=(12, 20, 40, 80, 150)), 2),
        ("grid", grid(rows=(4, 6, 10), columns=(5, 10)), 1),
        ("cubic", grid(n=(12, 24, 60)), 2),
        ("wheel", grid(n=(10, 20, 40)), 1),
        ("tree", grid(n=(15, 30, 100)), 2),
        ("path", grid(n=(20, 100)), 1),
        ("mississippi", grid(k=(50_000, 100_000, 200_000, 700_000)), 1),
        ("tight-3-connected", grid(k=(8, 20)), 1),
        ("tight-4-connected", grid(k=(8, 20)), 1),
    ),
    "rectangle-tiling": (
        ("uniform", grid(n=(10, 15, 25, 40), cover=("plane", "points")), 2),
        ("clustered", grid(n=(20, 40)), 2),
        ("lattice", grid(n=(20, 36)), 2),
        ("full-lattice", grid(rows=(4, 7), columns=(5, 7)), 1),
        ("full-lattice", grid(rows=(6,), columns=(6,), guillotine=(1,)), 1),
        ("multiplicity", grid(n=(20, 40)), 1),
        ("ring", grid(centre=(1, 4), guillotine=(0, 1)), 1),
        ("tight-kd", grid(k=(5, 10)), 1),
    ),
    "rectangle-tiling-grid": (
        ("uniform", grid(rows=(4, 6, 9, 14), p=(4, 9)), 2),
        ("uniform", grid(rows=(5, 8), p=(5,), guillotine=(1,)), 1),
        ("peaks", grid(rows=(8, 12, 20), p=(5, 8)), 2),
        ("pinwheel", grid(arm=(2, 4, 8), guillotine=(0, 1)), 1),
    ),
}
"""What is drawn of the families: the parameters, and the number of seeds."""


def draws(data: Path | None) -> Iterator[Record]:
    """Draw the instances as records of which nothing is known yet.

    `data` is the folder of larger data sets; None leaves out what is made of them.
    """
    seen: set[str] = set()
    parts = [_families(), _objectives(), _variants(), _names(), _worst(), _images()]
    if data is not None:
        parts += [_tables(data), _maps(data), _places(data)]
    for part in parts:
        for record in part:
            if record.instance_sha256 not in seen:
                seen.add(record.instance_sha256)
                yield record


def _families() -> Iterator[Record]:
    for problem, drawn in FAMILIES.items():
        for family, choices, seeds in drawn:
            for chosen, seed in product(choices, range(1, seeds + 1)):
                yield _of_family(problem, family, seed, chosen)


def _of_family(
    problem: str, family: str, seed: int, chosen: Mapping[str, Any]
) -> Record:
    instance = api.generate(problem, family, seed, **chosen)
    suffix = "-".join(
        f"{name}-{value}" if isinstance(value, str) else f"{name}{value}"
        for name, value in chosen.items()
    )
    name = f"{family}-{suffix}-s{seed}" if suffix else f"{family}-s{seed}"
    licence = LICENCES.get(family, OURS)
    large = len(json.dumps(instance.to_dict())) > LARGE
    recipe = {"family": family, "seed": seed, "parameters": chosen}
    more = {"document": None, "recipe": recipe} if large else {}
    return _record(instance, name, family, instance.source or family, licence, **more)


def _record(
    instance: Instance, name: str, family: str, source: str, licence: str, **more: Any
) -> Record:
    return Record.of(
        instance,
        name=named(f"{instance.problem}-{name}"),
        family=family,
        source=source,
        licence=licence,
        **more,
    )


def _objectives() -> Iterator[Record]:
    for kind, objective, n, seed in product(
        (BinCovering, IntervalCovering), ("excess", "quadratic"), (10, 20, 40), (1, 2)
    ):
        rng = random.Random(f"{objective} {n} {seed}")
        sizes = [rng.randint(1, 100) for _ in range(n)]
        instance = kind.from_dict({"sizes": sizes, "k": 150, "objective": objective})
        source = f"drawn: sizes uniform in 1..100, seed {seed}"
        yield _record(instance, f"{objective}-n{n}-s{seed}", objective, source, OURS)


def _variants() -> Iterator[Record]:
    for number, name in enumerate((*MINIMISATIONS, *MAXIMISATIONS, *DECISIONS)):
        for n in (8, 14) if number % 2 else (10,):
            try:
                instance = api.generate(
                    "suppression", "uniform", number + 1, n=n, k=2, variant=name
                )
            except InvalidInstanceError:  # a few have no limits of a half
                continue
            plain = name.replace("c'", "pc").replace("r'", "pr")
            source = instance.source or name
            yield _record(instance, f"{plain}-n{n}", "uniform", source, OURS)


def _names() -> Iterator[Record]:
    sets: Sequence[tuple[NameSet, Sequence[int]]] = (
        ("female", (10, 50, 500, 2629)),
        ("male", (50, 500, 3318)),
        ("last", (10, 100, 1006)),
    )
    for names, ks in sets:
        for k in ks:
            instance = census_names(names, k)
            source = instance.source or "US Census 1990"
            yield _record(instance, f"{names}-1990-k{k}", "names", source, CENSUS)


def _worst() -> Iterator[Record]:
    for sizes, k in (
        ([98] * 3 + [71, 50] + [49] * 3 + [10] * 3 + [3] * 3 + [1] * 3, 100),
        ([59] + [57] * 8 + [30] * 2 + [3] * 5 + [1] * 10, 60),
        ([18, 4, 18, 4, 16, 6, 16, 6, 15, 7], 22),
        ([7, 7, 6, 6, 3, 2, 2], 8),
    ):
        source = "found by a search for large ratios of spread-decreasing and others"
        instance = BinCovering(sizes, k)
        yield _record(instance, f"worst-k{k}-n{len(sizes)}", "worst", source, OURS)


def _images() -> Iterator[Record]:
    """Return images of hard problems, under reductions that are not refuted."""
    for reduction in REDUCTIONS:
        check = check_of(reduction)
        refuted = check is not None and check.refuting > 0
        if reduction.source not in SOURCES or reduction.target in SOURCES or refuted:
            continue
        for seed in (1, 2):
            made = _image(reduction, seed)
            if made is None:
                continue
            plain = f"{reduction.source}-{reduction.target}-{reduction.kind}"
            plain = plain.replace("c'", "pc").replace("r'", "pr")
            repaired = ", repaired" * reduction.repaired
            source = (
                f"image of a random instance of {reduction.source}, seed {seed}, "
                f"{reduction.reference}{repaired}"
            )
            name = f"image-{plain}{'-repaired' * reduction.repaired}-s{seed}"
            yield _record(made, name, "image", source, OURS)


def _image(reduction: Reduction, seed: int) -> Instance | None:
    """Return the image of a drawn instance; None if none fits or it is large."""
    for attempt in range(20):
        rng = random.Random(f"{reduction.source} {seed} {attempt}")
        try:
            fields = _fields(reduction.source, rng)
            source = SOURCES[reduction.source].from_dict(fields)
            image = forward_along([reduction], source)[-1]
        except (InvalidInstanceError, NotApplicableError):
            continue
        if len(json.dumps(image.to_dict())) <= LARGE:
            return image
    return None


def _fields(problem: str, rng: random.Random) -> dict[str, Any]:
    """Draw an instance of a problem that only reductions know, as its fields."""
    match problem:
        case "X3C" | "MAX 3SP-B":
            return {"elements": 6, "sets": random_triples(rng, 6, 5)}
        case "RPT" | "MAX TP-B":
            return {"vertices": 6, "edges": random_edges(rng, 6)}
        case "VC-3":
            graph = nx.random_regular_graph(3, rng.choice((4, 6)), rng.randrange(999))
            edges = sorted(map(sorted, graph.edges))
            return {"vertices": len(graph), "edges": edges}
        case "PARTITION":
            drawn = [rng.randint(1, 99) for _ in range(rng.randint(6, 14))]
            return {"weights": drawn}
        case "3-PARTITION":
            sizes = api.generate(
                "bin-covering", "three-partition-yes", rng.randrange(99), groups=5
            )
            return {"target": 1000, "weights": sizes.to_dict()["sizes"]}
        case "3-SAT":
            signs = [rng.sample(range(1, 5), 3) for _ in range(6)]
            signed = [[v * rng.choice((-1, 1)) for v in clause] for clause in signs]
            return {"clauses": signed}
        case "SET-COVER":
            sets = [sorted(rng.sample(range(8), rng.randint(1, 4))) for _ in range(6)]
            return {"elements": 8, "sets": [*sets, [0, 2, 4, 6], [1, 3, 5, 7]]}
        case _:
            triples = {tuple(rng.randrange(2) for _ in range(3)) for _ in range(4)}
            return {"n": 2, "triples": sorted(triples)}


def _tables(data: Path) -> Iterator[Record]:
    for name, file in (
        ("adult", "adult/adult_qi9.csv.gz"),
        ("census-income", "census_income/census_income_qi9.csv.gz"),
        ("letter", "letter/letter.csv.gz"),
        ("nursery", "nursery/nursery.csv.gz"),
    ):
        with gzip.open(data / file, "rt", encoding="utf-8", newline="") as opened:
            header, *rows = csv.reader(opened)
        for n, m in ((20, 4), (50, 5), (100, 8), (300, 8)):
            rng = random.Random(f"{name} {n} {m}")
            table = [row[:m] for row in rng.sample(rows, n)]
            source = (
                f"{name} of the UCI repository: {n} random rows, the first {m} columns"
            )
            made: list[Instance] = [
                KAnonymity(table, k, columns=header[:m]) for k in (2, 3, 5)
            ]
            if n <= 100:
                limits = {"columns": m // 2}
                made += [
                    Suppression(table, 3, columns=header[:m], minimise="rows"),
                    Suppression(table, 3, columns=header[:m], limits=limits),
                ]
            if n <= 50:
                made.append(KAmbiguity(table[:20], 2, columns=header[:m]))
            for instance in made:
                k = instance.to_dict()["k"]
                of = "-rows" if instance.to_dict().get("minimise") else ""
                of += "-limits" if instance.to_dict().get("limits") else ""
                yield _record(instance, f"{name}-n{n}-m{m}-k{k}{of}", name, source, UCI)


def _maps(data: Path) -> Iterator[Record]:
    """Return the counties of states and the tracts of some, in a few parts."""
    for level, region, year, parts in (
        ("county", "us_counties", 2010, (4,)),
        ("county", "us_counties", 2010, (12,)),
        ("tract", "us_tracts", 2010, (8,)),
    ):
        nodes = data / region / f"{level}_nodes_{year}.csv.gz"
        edges = data / region / f"{level}_edges_{year}.csv.gz"
        states = sorted({state for (state,) in read_rows(nodes, ["state"])})
        for state, count in product(states, parts):
            whole = connected_partition_from_tables(nodes, edges, 1, state=state)
            if not 3 * count <= whole.n <= 300:
                continue
            k = whole.total * 9 // (10 * count)
            instance = ConnectedPartition(
                whole.weights, whole.edges, k, labels=whole.labels
            )
            plural = {"county": "counties", "tract": "tracts"}[level]
            source = f"{plural} of {state} and their inhabitants, {year}"
            name = f"{plural}-{state}-{count}"
            yield _record(instance, name, plural, source, CENSUS)


def _places(data: Path) -> Iterator[Record]:
    """Draw places of states: clusters of them, and tilings by their inhabitants."""
    columns = ("state", "lon", "lat", "population")
    rows = read_rows(data / "us_cities/us_cities.csv.gz", columns)
    for state, n in product(("CO", "IA", "KS", "NM", "OH", "WY"), (15, 30)):
        held = sorted(
            (
                (float(lon), float(lat), int(population))
                for where, lon, lat, population in rows
                if where == state
            ),
            key=lambda place: -place[2],
        )[:n]
        degrees = [[lat, lon] for lon, lat, _ in held]
        metric: dict[str, Any] = {"points": degrees, "metric": "great-circle"}
        source = f"the {n} most populous places of {state}, GeoNames"
        total = sum(population for *_, population in held)
        for instance in (
            RGather(**metric, r=3),
            CellularClustering(**metric, r=3, scale=1),
            RectangleTiling(held, total // 6),
        ):
            yield _record(instance, f"places-{state}-n{n}", "places", source, GEONAMES)
