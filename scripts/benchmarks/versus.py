"""Versus: the automatic choice beside plain models, and beside packages of others.

For fresh draws of every problem, the same seconds for all: the model that a user of
CP-SAT or HiGHS would write (a formulation of `atleastk models`, with no start, bound or
reduction), and the packages of `peers.py` that are installed. Whatever anybody finds is
recomputed by the checker, and no bound may be above any cost. A command::

    python -m scripts.benchmarks.versus [--only WORD] [--time-limit S] [--workers N]
        [--seed S] [--runs FILE] [--markdown PAGE]

Seconds are of the process, divided by its workers. An interrupted command goes on with
its file.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any, Final

import atleastk
from atleastk import Instance, NotApplicableError
from atleastk.doors.assigning.request import AssignRequest, asked_of
from atleastk.frames.open_frame import framed
from atleastk.packages import nx
from atleastk.research.formulating import formulation_of
from atleastk.research.studies.results import gap_of
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from scripts.benchmarks.measured import (
    OUT,
    Run,
    answered,
    carry_on,
    judged,
    kept,
    seconds_of_process,
    software,
    solved,
)
from scripts.benchmarks.peers import PEERS, Groups, Peer
from scripts.benchmarks.side_by_side import is_proof, par2

Draw = tuple[str, Mapping[str, Any]]
"""A family, and its parameters."""

Drawn = Callable[[int], Instance]
"""What a seed makes."""

_ENTRIES: Final = {"on": "entries"}
_ATTRIBUTES: Final = {"on": "attributes"}

DRAWS: Final[Mapping[str, Sequence[Draw]]] = {
    "bin-covering": [
        ("uniform", {"n": 20}),
        ("uniform", {"n": 40}),
        ("uniform", {"n": 80, "high": 10**4}),
        ("few-sizes", {"n": 60}),
        ("heavy", {"n": 150, "heavy": 25}),
        ("census-like", {"n": 300}),
    ],
    "interval-covering": [
        ("uniform", {"n": 30}),
        ("uniform", {"n": 100}),
        ("uniform", {"n": 120, "high": 10**4}),
        ("uniform", {"n": 150}),
        ("unit", {"n": 50}),
        ("unit", {"n": 150}),
    ],
    "k-anonymity": [
        ("uniform", {"n": 15, "m": 4}),
        ("uniform", {"n": 30, "m": 6}),
        ("skewed", {"n": 60, "m": 6}),
        ("planted", {"groups": 12, "size": 5}),
        ("hard-zone", {"n": 40, "m": 5}),
        ("skewed", {"n": 200, "m": 8}),
    ],
    "suppression": [
        ("uniform", {"n": 15}),
        ("uniform", {"n": 30, "m": 5}),
        ("uniform", {"n": 60, "m": 6}),
        ("uniform", {"n": 40, "variant": "MIN-c'-SUP"}),
        ("uniform", {"n": 40, "variant": "MIN-r'-SUP"}),
        ("uniform", {"n": 150, "m": 6}),
    ],
    "generalization": [
        ("trees", {"n": 20, **_ENTRIES}),
        ("trees", {"n": 40, **_ENTRIES}),
        ("postal", {"n": 100, **_ENTRIES}),
        ("trees", {"n": 40, "m": 5, **_ATTRIBUTES}),
        ("trees", {"n": 120, "m": 5, **_ATTRIBUTES}),
        ("adult", {"n": 300, **_ATTRIBUTES}),
    ],
    "diversity": [
        ("diagnoses", {"n": 20}),
        ("diagnoses", {"n": 40}),
        ("diagnoses", {"n": 100, "m": 5}),
        ("diagnoses", {"n": 40, "m": 5, **_ATTRIBUTES}),
        ("diagnoses", {"n": 120, "m": 5, **_ATTRIBUTES}),
        ("diagnoses", {"n": 300, "m": 6, **_ATTRIBUTES}),
    ],
    "k-ambiguity": [
        ("uniform", {"n": 12}),
        ("uniform", {"n": 30, "m": 5}),
        ("skewed", {"n": 60, "m": 6}),
        ("planted", {"groups": 10, "size": 6}),
        ("uniform", {"n": 120, "m": 6, "values": 3}),
        ("skewed", {"n": 300, "m": 8}),
    ],
    "r-gather": [
        ("uniform", {"n": 30}),
        ("clustered", {"n": 60}),
        ("uniform", {"n": 60, "max_outliers": 6}),
        ("graph", {"n": 60, "max_clusters": 8}),
        ("uniform", {"n": 120, "r": 5}),
        ("us-cities", {"n": 200, "r": 8}),
    ],
    "cellular-clustering": [
        ("uniform", {"n": 15}),
        ("uniform", {"n": 30}),
        ("clustered", {"n": 40, "r": 5}),
        ("hamming", {"n": 40}),
        ("us-cities", {"n": 50}),
        ("line", {"n": 60}),
    ],
    "connected-partition": [
        ("delaunay", {"n": 20, "parts": 5}),
        ("delaunay", {"n": 40, "parts": 8}),
        ("grid", {"rows": 8, "columns": 8, "parts": 12}),
        ("tree", {"n": 80, "parts": 12}),
        ("delaunay", {"n": 100, "parts": 20}),
        ("delaunay", {"n": 150, "parts": 10}),
    ],
    "rectangle-tiling": [
        ("uniform", {"n": 15, "parts": 4}),
        ("uniform", {"n": 25}),
        ("lattice", {"n": 60, "side": 12, "parts": 12}),
        ("full-lattice", {"rows": 12, "columns": 12, "parts": 20}),
        ("lattice", {"n": 150, "side": 20, "parts": 20}),
        ("full-lattice", {"rows": 20, "columns": 20, "parts": 40}),
    ],
    "rectangle-tiling-grid": [
        ("uniform", {"rows": 8, "columns": 8, "p": 8}),
        ("peaks", {"rows": 12, "columns": 12, "p": 10}),
        ("uniform", {"rows": 12, "columns": 12, "p": 20}),
        ("peaks", {"rows": 16, "columns": 16, "p": 15}),
        ("uniform", {"rows": 20, "columns": 20, "p": 40}),
        ("uniform", {"rows": 25, "columns": 25, "p": 40}),
    ],
    "pair-partition": [
        ("uniform", {"n": 15}),
        ("uniform", {"n": 25}),
        ("points", {"n": 60}),
        ("points", {"n": 30, "objective": "sum"}),
        ("points", {"n": 150, "k": 5}),
        ("uniform", {"n": 40, "k": 4}),
    ],
}
"""What is drawn; of points by squares there is no plain model."""


def league(n: int) -> Drawn:
    """Return how teams at random places are drawn, for divisions of four or five.

    The map has 4,000 by 2,500 kilometres.
    """

    def made(seed: int) -> Instance:
        rng = random.Random(seed)
        places = [(rng.randint(0, 4000), rng.randint(0, 2500)) for _ in range(n)]
        table = [{"x": x, "y": y} for x, y in places]
        return asked(table, size=(4, 5), near=["x", "y"])

    return made


def teams(n: int) -> Drawn:
    """Return how pupils are drawn, who name two friends each, for teams.

    Two of each sex are in a team, and some pairs are apart.
    """

    def made(seed: int) -> Instance:
        rng = random.Random(seed)
        table = [
            {"sex": "fm"[i % 2], "score": round(rng.gauss(60, 15))} for i in range(n)
        ]
        friends = [
            [i + 1, j + 1]
            for i in range(n)
            for j in rng.sample([x for x in range(n) if x != i], 2)
        ]
        apart = [[x + 1 for x in rng.sample(range(n), 2)] for _ in range(n // 15)]
        having = {"sex": (2, None)}
        return asked(table, size=(4, 5), having=having, friends=friends, apart=apart)

    return made


def asked(table: list[dict[str, Any]], **wishes: Any) -> Instance:
    """Return the instance that `assign` makes."""
    return asked_of(framed(table), AssignRequest(**wishes)).instance


def communities(graph: nx.Graph[Any]) -> Drawn:
    """Return the modularity of a graph, taken times a square: nothing is drawn."""
    degree, edges = dict(graph.degree()), graph.number_of_edges()
    costs = [
        [i, j, degree[u] * degree[v] - 2 * edges * graph.has_edge(u, v)]
        for (i, u), (j, v) in combinations(enumerate(graph), 2)
    ]
    made = atleastk.PairPartition(items=len(degree), costs=costs, k=1)
    return lambda _: made


def signed(n: int) -> Drawn:
    """Return how pairs are drawn that cost from -50 to 50 each."""

    def made(seed: int) -> Instance:
        rng = random.Random(seed)
        pairs = combinations(range(n), 2)
        costs = [[i, j, rng.randint(-50, 50)] for i, j in pairs]
        return atleastk.PairPartition(items=n, costs=costs, k=3)

    return made


USES: Final[Mapping[str, Sequence[Drawn]]] = {
    "leagues": [league(20), league(32), league(60), league(100)],
    "teams": [teams(16), teams(30), teams(60), teams(100)],
    "communities": [
        signed(20),
        signed(40),
        communities(nx.davis_southern_women_graph()),
        communities(nx.karate_club_graph()),
        communities(nx.les_miserables_graph()),
    ],
}
"""Pair partition as it is used: divisions, teams in windows, pairs of both signs."""

MODELS: Final[Mapping[str, Mapping[str, str]]] = {
    "connected-partition": {"CP-SAT": "levels", "HiGHS": "flows"},
    "pair-partition": {"CP-SAT": "pairs", "HiGHS": "pairs"},
}
"""The formulation of a rival, where it is not the usual one of the instance."""

AUTO: Final = "auto"

_NET: Final = 3_600.0
"""Seconds of the wall that solvers are given: the clock of the run stops them."""

_PATIENCE: Final = 30.0
"""Limits of the wall after which a package of others is not waited for."""

_USUAL: Final = {"presolve_inclusion_work_limit": 10**8}
"""Parameters of CP-SAT that the package changes, as they are for others."""

BACKENDS: Final[Mapping[str, Backend]] = {
    "CP-SAT": CpSat({"max_time_in_seconds": _NET, **_USUAL}),
    "HiGHS": Highs({"time_limit": _NET}),
}

ABOUT: Final = """\
Every rival has the same instance and the same seconds as the automatic choice, which
stands beside it on the instances that it takes. CP-SAT and HiGHS have the model that a
user would write, a [formulation](../formulations.md) with no start, bound or reduction
of ours; writing it down takes none of their time. It is the usual one of the problem,
for maps `levels` in CP-SAT and `flows` in HiGHS. Leagues, teams and communities are
pair partition as it is used: divisions of four or five by distance, teams of four or
five with two of each sex and friends, pairs of both signs and the modularity of three
graphs of networkx. Packages of others prove nothing. All
costs are recomputed by the checker, and no bound of anybody is above a cost of anybody.

PAR-2 is the mean of seconds, two limits for what is not proved; a gap is 100 % without
a cost or bound; *dearer* is the mean over the instances that both solved; the ratio is
that of PAR-2, at least 0.01 s each.

```sh
python -m scripts.benchmarks.versus
pip install spopt k-means-constrained anonypy gerrychain # the others, if wanted
```

""".splitlines()
"""What the page says of its columns."""

COLUMNS: Final = (
    "problem",
    "rival",
    "runs>",
    "solved>",
    "proofs>",
    "PAR-2>",
    "gap %>",
    "dearer %>",
    "auto: solved>",
    "proofs>",
    "PAR-2>",
    "gap %>",
    "ratio>",
)


def plain(backend: Backend, instance: Instance, seconds: float, workers: int) -> Run:
    """Leave the model of a user to a solver; writing it down takes no time.

    Raise `NotApplicableError` if the instance has no such model.
    """
    name = MODELS.get(instance.problem, {}).get(backend.name)
    with CLOCK.standing():
        encoding = formulation_of(instance, name).encoded(instance)
    answer = backend.minimise(encoding.model, Budget.of(seconds, workers))
    cost = None
    if answer.values is not None:
        cost = judged(instance, encoding.decode(answer.values))
    return {"status": answer.status.name, "cost": cost, "bound": answer.bound}


def foreign(peer: Peer, instance: Instance, seconds: float, workers: int) -> Run:
    """Ask a package of others for groups, in a process that is killed if it hangs.

    It proves nothing.
    """
    work = partial(_groups_of, peer, instance, seconds, workers)
    groups = answered(_PATIENCE * seconds, work)
    if isinstance(groups, NotApplicableError):
        raise groups
    cost = None if groups is None else judged(instance, groups)
    return {"status": "UNKNOWN" if cost is None else "FEASIBLE", "cost": cost}


def _groups_of(
    peer: Peer, instance: Instance, seconds: float, workers: int
) -> Groups | NotApplicableError | None:
    try:
        return peer(instance, seconds, workers)
    except NotApplicableError as error:
        return error


RIVALS: Final[Mapping[str, Callable[[Instance, float, int], Run]]] = {
    AUTO: solved,
    **{name: partial(plain, backend) for name, backend in BACKENDS.items()},
    **{name: partial(foreign, peer) for name, peer in PEERS.items()},
}
"""All that are compared, in the order in which they run."""


def every() -> dict[str, list[Drawn]]:
    """Return what is drawn, by the name of a problem or use."""
    found: dict[str, list[Drawn]] = {
        problem: [
            partial(atleastk.generate, problem, family, **parameters)
            for family, parameters in draws
        ]
        for problem, draws in DRAWS.items()
    }
    return found | {use: [*draws] for use, draws in USES.items()}


def drawn(only: str, seed: int) -> Iterator[tuple[str, Instance]]:
    """Yield the first instance of every name that has a word, and so on."""
    for i, row in enumerate(zip_longest(*every().values())):
        for name, make in zip(every(), row, strict=True):
            if only in name and make is not None:
                yield name, make(seed + i)


def timed(rival: str, instance: Instance, seconds: float, workers: int) -> Run | None:
    """Run a rival on a clock of the process; None if it does not take the instance."""
    began = CLOCK.now()
    try:
        run = RIVALS[rival](instance, seconds, workers)
    except NotApplicableError:
        return None
    taken = {"seconds": CLOCK.now() - began, "bound": None}
    return {**taken, **run, "software": software()}


def contradictions(runs: Sequence[Run]) -> Iterator[str]:
    """Yield where a bound is above a cost of the same instance."""
    for instance, own in by("instance", runs).items():
        bounds = {run["rival"]: run["bound"] for run in own if run["bound"] is not None}
        costs = {run["rival"]: run["cost"] for run in own if run["cost"] is not None}
        for by_bound, bound in bounds.items():
            for by_cost, cost in costs.items():
                if bound > cost:
                    yield f"{instance}: {by_bound} {bound} above {by_cost} {cost}"


def by(field: str, runs: Sequence[Run]) -> dict[str, list[Run]]:
    """Return runs by the value of a field."""
    found: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        found[run[field]].append(run)
    return found


def mean(values: Sequence[float]) -> str:
    return f"{100.0 * sum(values) / len(values):.1f}" if values else ""


def ends(runs: Sequence[Run], limit: float) -> list[object]:
    """Return solved, proofs, PAR-2 and mean gap of some runs."""
    solved = sum(run["cost"] is not None for run in runs)
    proofs = sum(map(is_proof, runs))
    return [solved, proofs, f"{par2(runs, limit):.2f}", mean([*map(gap_of, runs)])]


def row_of(
    problem: str, rival: str, own: Sequence[Run], autos: Sequence[Run], limit: float
) -> list[object]:
    """Return the line of a rival, beside the automatic choice on what it takes."""
    dearer = [
        (run["cost"] - auto["cost"]) / abs(auto["cost"])
        for run, auto in zip(own, autos, strict=True)
        if run["cost"] is not None and auto["cost"]
    ]
    solved, proofs, seconds, apart = ends(own, limit)
    if rival in PEERS:
        proofs = seconds = apart = ratio = ""
    else:
        ratio = f"{par2(own, limit) / max(par2(autos, limit), 0.01):.0f}"
    figures = [len(own), solved, proofs, seconds, apart, mean(dearer)]
    return [problem, rival, *figures, *ends(autos, limit), ratio]


def page_lines(runs: Sequence[Run], limit: float, workers: int) -> Iterator[str]:
    """Yield the table: a line for every rival of every problem, and for all."""
    rows = []
    autos = {run["instance"]: run for run in runs if run["rival"] == AUTO}
    each = dict(sorted(by("problem", runs).items()))
    for problem, own in (each | {"all": runs}).items():
        for rival, theirs in by("rival", own).items():
            if rival != AUTO and (problem != "all" or rival in BACKENDS):
                beside = [autos[run["instance"]] for run in theirs]
                rows.append(row_of(problem, rival, theirs, beside, limit))
    yield from ("# Beside plain models and packages of others", "")
    of = sum(map(len, every().values()))
    yield f"{len(autos)} of {of} instances that the script draws (`--only` runs some),"
    yield f"{limit:g} s of CPU time each, workers: {workers}."
    yield from ABOUT
    for line in dict.fromkeys(run["software"] for run in runs):
        yield from (line, "")
    yield from markdown_table(COLUMNS, rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--time-limit", type=float, default=10.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=5_000)
    parser.add_argument("--runs", type=Path, default=Path("versus.jsonl"))
    parser.add_argument("--markdown", type=Path, default=OUT / "versus.md")
    chosen = parser.parse_args(arguments)
    limit, workers = chosen.time_limit, chosen.workers
    CLOCK.source = partial(seconds_of_process, workers)
    runs = kept(chosen.runs)
    asked = (
        (
            {"problem": name, "instance": instance.sha256, "rival": rival},
            partial(timed, rival, instance, limit, workers),
        )
        for name, instance in drawn(chosen.only, chosen.seed)
        for rival in RIVALS
    )
    carry_on(chosen.runs, runs, asked)
    wrong = "\n".join(contradictions(runs))
    if wrong:
        parser.exit(3, f"{wrong}\n")
    page = "\n".join(page_lines(runs, limit, workers)) + "\n"
    chosen.markdown.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
