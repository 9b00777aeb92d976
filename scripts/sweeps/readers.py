"""Readers: the commands that read files, and a true file for each."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any, Final, NamedTuple

import geopandas
import pandas
import pyreadstat

import atleastk
from atleastk import Instance, Study, conduct
from atleastk.instances.files import files
from atleastk.instances.files.paths import PACKED
from atleastk.research.adversary.searching import Adversary
from atleastk.research.collecting.improving import improved
from atleastk.research.collecting.record import Record
from atleastk.research.reducing import forward_along, instance_of, way
from atleastk.runs.pools import Here
from atleastk.runs.registry import algorithm_named, problem_named
from scripts.sweeps import broken_writes
from scripts.sweeps.instances import PROBLEMS, draw


class Reader(NamedTuple):
    """What reads a file, and the true file that others are made from."""

    name: str
    words: str
    """The command; ``FILE`` stands for the file, ``OUT`` for a file that is written, of
    the same end of its name if no other is said."""
    source: str
    """The name of the true file among the inputs."""
    answers: bool = False
    """Whether the file gives answers, which may be wrong: exit code 3."""


_TABLES: Final = (
    *("csv", "tsv", "csv.gz", "parquet", "feather", "xlsx"),
    *("sav", "zsav", "por", "xpt", "dta"),
)
_ANSWERS: Final = ("a study that goes on", "an algorithm", "what a program prints")

_COMMANDS: Final[Mapping[str, str]] = {
    **{f"instance: {name}": f"check {{{name}.json}} r.json" for name in PROBLEMS},
    **{f"instance packed by {e[1:]}": f"check {{g.json{e}}} r.json" for e in PACKED},
    **{f"result: {x}": f"check {x}.json {{{x}.result.json}}" for x in PROBLEMS},
    **{
        f"proof of: {x}": f"prove {x}.json {{{x}.result.json}} -o OUT.vipr"
        for x in PROBLEMS
    },
    **{
        f"table: {end}": f"anonymize {{t.{end}}} -k 2 --time-limit 1 -o OUT"
        for end in _TABLES
    },
    "instances in lines": "check {g.jsonl} r.jsonl",
    "results in lines": "check g.jsonl {r.jsonl}",
    "a start": "solve g.json --start {r.json}",
    "how anonymous a table is": "anonymize {t.csv} --check --columns age,sex",
    "hierarchy": "anonymize t.csv -k 2 --hierarchies sex={sex.csv} -o OUT",
    "all persons": "anonymize t.csv -k 2 --population {t.csv} --report OUT.json -o OUT",
    "points": "cluster {t.csv} -r 2 --columns age,ill -o OUT",
    "map: GeoJSON": "partition {map.geojson} -k 5 -o OUT",
    "map: shapes": "partition {map.a.shp} -k 5 -o OUT.geojson",
    "map: GeoPackage": "partition {map.gpkg} -k 5 -o OUT.geojson",
    "map: nodes": "partition {nodes.csv} --edges edges.csv -k 7 -o OUT",
    "map: edges": "partition nodes.csv --edges {edges.csv} -k 7 -o OUT",
    "source of a reduction": "reduce X3C c-DEL {cover.json} -o OUT",
    "result of a reduction": "reduce X3C c-DEL cover.json --back {c-DEL.json}",
    "a proof in lemmas": "prove g.json {g.result.json} --to veripb -o OUT",
    "what is cited": "cite {g.result.json}",
    "what is drawn": "plot g.json {g.result.json} -o OUT.svg",
    "events": "plot g.json {g.result.json} --kind events -o OUT.svg",
    **{
        f"{form} for {problem}": f"convert {problem} {{{source}}} -k 3 --from {form} "
        "--column size -o OUT.jsonl"
        for problem, form, source in (
            ("r-gather", "tsplib", "plane.txt"),
            ("rectangle-tiling", "tsplib", "plane.txt"),
            ("cellular-clustering", "tsplib", "matrix.txt"),
            ("connected-partition", "dimacs", "graph.txt"),
            ("bin-covering", "or-library", "sizes.txt"),
            ("bin-covering", "bpplib", "one.txt"),
            ("interval-covering", "csv", "sizes.csv"),
        )
    },
    "a submission": "library submit {r.jsonl} --folder true",
    "a study": "study {study.toml} -o OUT.db",
    "a study that goes on": "study study.toml -o {true/study.db}",
    "results of a study": "report {true/study.db} -o OUT.html",
    "finds of an adversary": "adversary spread --problem bin-covering "
    "--time-limit 0.01 -o {finds.jsonl}",
    "an algorithm": "approximate g.json --algorithm {together.py}:together",
    "what a program prints": "approximate g.json --algorithm 'cmd:cat {groups.json}'",
}
"""What reads a file, with the true one in braces."""


def _reader(name: str, command: str) -> Reader:
    before, source, after = re.split("[{}]", command)
    return Reader(name, f"{before}FILE{after}", source, name in _ANSWERS)


READERS: Final[Sequence[Reader]] = (
    *starmap(_reader, _COMMANDS.items()),
    Reader(
        "map: table of shapes", "partition wrong.b.shp -k 5 -o OUT.geojson", "map.b.dbf"
    ),
    Reader("records of a library", "library check --folder .", "true/lib.jsonl.gz"),
    Reader("shown records", "library show all --folder .", "true/lib.jsonl.gz"),
)

_TEXTS: Final = {
    "plane.txt": """\
NAME : square
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0.0 0.0
2 0 10
3 10.5 0
4 1e1 10
DEMAND_SECTION
1 0
2 7
3 1
4 2
EOF
""",
    "matrix.txt": """\
DIMENSION: 3
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
0 1 2 1 0 3
2 3 0
EOF
""",
    "graph.txt": "c a path\np edge 3 2\nn 2 5\ne 1 2\ne 2 3\n",
    "sizes.txt": "2\n u1\n 150 3 2\n42\n69\n67\n u2\n 100 2 1\n49\n50\n",
    "one.txt": "3\n150\n42\n69\n67\n",
    "sizes.csv": "name,size\na,3\nb,4\n",
    "together.py": """\
def together(instance, seed=0):
    return [list(range(instance.n))]
""",
    "groups.json": "[[0], [1, 2], [3]]",
    "sex.csv": "f,person,*\nm,person,*\n",
    "study.toml": """\
title = "Bins"
problem = "bin-covering"
algorithms = ["spread", "together.py:together"]
methods = ["auto"]
seeds = [0, 1]
time_limit = 5

[[instances]]
files = "g.jsonl"
k = [7, 9]

[[instances]]
family = "uniform"
seeds = 2
n = 5
k = 100
""",
}
"""Files that are short."""


def prepare(folder: Path) -> None:
    broken_writes.prepare(folder, 12)
    for name, text in _TEXTS.items():
        (folder / name).write_text(text)
    table = pandas.read_csv(folder / "t.csv")
    table.to_csv(folder / "t.tsv", index=False, sep="\t")
    pyreadstat.write_sav(table, str(folder / "t.sav"))
    pyreadstat.write_sav(table, str(folder / "t.zsav"), compress=True)
    pyreadstat.write_por(table, str(folder / "t.por"))
    pyreadstat.write_xport(table, str(folder / "t.xpt"))
    (folder / "map.geojson").write_text(json.dumps(_map()))
    frame = geopandas.GeoDataFrame.from_features(_map(), crs=4326)
    frame.to_file(folder / "map.gpkg", layer="regions")
    for name in ("map.a", "map.b", "wrong.a", "wrong.b"):
        frame.to_file(folder / f"{name}.shp")
    bins = files.read(folder / "g.json")
    for end in PACKED:
        files.write(folder / f"g.json{end}", bins)
    files.write_lines(folder / "g.jsonl", [bins, {**bins, "k": 7}])
    results = [atleastk.solve(i) for i in atleastk.load_all(folder / "g.jsonl")]
    files.write_lines(folder / "r.jsonl", [result.to_dict() for result in results])
    rng = random.Random(1)
    for problem in PROBLEMS:
        instance = _solvable(problem, rng)
        files.write(folder / f"{problem}.json", instance.to_dict())
        result = atleastk.solve(instance, 10, certify=True, workers=1)
        result.save(folder / f"{problem}.result.json")
    _prepare_proved(folder, atleastk.load(folder / "g.json"))
    steps = way("X3C", "c-DEL")
    cover = instance_of(steps[0].source, files.read(folder / "cover.json"))
    image = forward_along(steps, cover)[-1]
    atleastk.solve(image, 10, workers=1).save(folder / "c-DEL.json")


def _prepare_proved(folder: Path, bins: Instance) -> None:
    """Write what is known of one instance: a result, a record, a study, a find."""
    result = atleastk.solve(bins, certify=True, workers=1)
    result.save(folder / "g.result.json")
    (folder / "true").mkdir()
    fields = {"name": "bins", "family": "small", "source": "a test", "licence": "none"}
    record = improved(Record.of(bins, **fields), result, "2026-01-31")
    files.write_lines(folder / "true" / "lib.jsonl.gz", [record.to_dict()])
    conduct(
        Study.load(folder / "study.toml"),
        folder / "true" / "study.db",
        executor=Here(),
        workers=1,
    )
    problem = problem_named("bin-covering")
    spread = algorithm_named(problem, "spread")
    find = Adversary(problem).worst_of(spread, seconds=0.0)
    assert find is not None
    files.write_lines(folder / "finds.jsonl", [find.to_dict()])


def _solvable(problem: str, rng: random.Random) -> Any:
    """Return a small instance that has a solution."""
    while True:
        instance: Any = atleastk.from_dict(draw(problem, rng))
        if 3 <= instance.n <= 8 and atleastk.solve(instance, 1, workers=1).solution:
            return instance


def _map() -> dict[str, Any]:
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"name": f"r{i}", "population": 3 + i % 2},
                "geometry": {
                    "type": "Polygon",
                    "coordinates": [[[i, 0], [i + 1, 0], [i + 1, 1], [i, 1], [i, 0]]],
                },
            }
            for i in range(4)
        ],
    }
