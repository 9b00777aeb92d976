"""Side by side: two trees of sources, the same instances, in turns.

What a change of the solvers may not do is measured here: lose a proof, take longer to
the proofs that both find, or end dearer where both stay open. A command::

    python -m scripts.benchmarks.side_by_side OLD NEW [SPEC ...] [--library N]
        [--fresh N] [--every N] [--time-limit S] [--workers N] [--seed S]
        [--runs FILE] [--markdown PAGE]

OLD and NEW are checkouts; instances are those of `scripts.benchmarks.credits`, of the
targets every N-th. Each tree has a process of its own, in which compiling is not
counted. Seconds are of that process, divided by its workers: other programs of the
machine count little. HiGHS and CP-SAT look at the clock of the wall: they have as many
more seconds of it as the run has needed until then. An interrupted command goes on with
its file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from atleastk import Instance
from atleastk.research.tables.markdown import markdown_table
from scripts.benchmarks.credits import instances_of
from scripts.benchmarks.measured import Run, carry_on, kept

Pair = Run
"""A line of the file: problem, instance, and the runs of both trees."""

COLUMNS: Final = (
    "problem",
    "runs>",
    "proofs, old>",
    "new>",
    "lost>",
    "PAR-2, old>",
    "new>",
    "open>",
    "cost, new to old>",
    "bound>",
)

ANSWERING: Final = """
import json, sys, time
import atleastk
from atleastk.solvers.clock import CLOCK

limit, workers = float(sys.argv[1]), int(sys.argv[2])
for line in sys.stdin:
    instance = atleastk.from_dict(json.loads(line))
    CLOCK.source = lambda: time.process_time() / workers
    started = CLOCK.now()
    result = atleastk.solve(instance, time_limit=limit, workers=workers)
    seconds = CLOCK.now() - started
    ends = {"cost": result.cost, "bound": result.bound, "seconds": seconds}
    print(json.dumps({"status": result.status.name, **ends}), flush=True)
"""


class Tree:
    """A checkout and the process in which its sources answer."""

    def __init__(self, folder: Path, limit: float, workers: int) -> None:
        words = [sys.executable, "-c", ANSWERING, f"{limit:g}", str(workers)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            words, cwd=folder, stdin=pipe, stdout=pipe, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def answer(self, instance: Instance) -> Run:
        """Solve an instance.

        Raises
        ------
        ChildProcessError
            If the process has ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(instance.to_dict()), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise ChildProcessError(f"no answer to {instance.name}")
        run: Run = json.loads(line)
        return run


def is_proof(run: Run) -> bool:
    """Tell whether a run ended with an optimum or a proof that there is none."""
    return run["status"] in {"OPTIMAL", "INFEASIBLE"}


def par2(runs: Sequence[Run], limit: float) -> float:
    """Return the mean seconds; what is not proved counts as two limits."""
    seconds = [run["seconds"] if is_proof(run) else 2 * limit for run in runs]
    return sum(seconds) / len(seconds)


def ratio(pairs: Sequence[Pair], end: str) -> str:
    """Return the mean of new to old, where both runs stay open and have that end."""
    ends = [(pair["new"][end], pair["old"][end]) for pair in pairs]
    ratios = [new / old for new, old in ends if new and old]
    return f"{sum(ratios) / len(ratios):.4f}" if ratios else ""


def row_of(name: str, pairs: Sequence[Pair], limit: float) -> list[object]:
    old, new = ([pair[tree] for pair in pairs] for tree in ("old", "new"))
    pairs_open = [p for p in pairs if not is_proof(p["old"]) and not is_proof(p["new"])]
    lost = sum(is_proof(a) and not is_proof(b) for a, b in zip(old, new, strict=True))
    return [
        name,
        len(pairs),
        sum(map(is_proof, old)),
        sum(map(is_proof, new)),
        lost,
        f"{par2(old, limit):.3f}",
        f"{par2(new, limit):.3f}",
        len(pairs_open),
        ratio(pairs_open, "cost"),
        ratio(pairs_open, "bound"),
    ]


def page_lines(pairs: Sequence[Pair], limit: float, workers: int) -> Iterator[str]:
    """Yield the page: a line for every problem, one for all, and the proofs lost."""
    yield from ("# Side by side: two states of the sources", "")
    yield f"{len(pairs)} instances, {limit:g} s, workers: {workers}, in turns, by"
    yield from ("`python -m scripts.benchmarks.side_by_side`.", "")
    by_problem: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_problem[pair["problem"]].append(pair)
    rows = [row_of(name, own, limit) for name, own in sorted(by_problem.items())]
    yield from markdown_table(COLUMNS, [*rows, row_of("all", pairs, limit)])
    lost = [p for p in pairs if is_proof(p["old"]) and not is_proof(p["new"])]
    yield from ("", "Proofs lost:" if lost else "No proof was lost.", "")
    for pair in lost:
        old, new = pair["old"], pair["new"]
        seconds, gap = old["seconds"], f"{new['cost']} over {new['bound']}"
        yield f"- {pair['problem']}, {pair['name']}: {seconds:.2f} s; now {gap}."


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("studies", nargs="*", type=Path, metavar="SPEC")
    parser.add_argument("--library", type=int, default=0, metavar="N")
    parser.add_argument("--fresh", type=int, default=0, metavar="N")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--time-limit", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1_000)
    parser.add_argument("--runs", type=Path, default=Path("side_by_side.jsonl"))
    parser.add_argument("--markdown", type=Path)
    chosen = parser.parse_args(arguments)
    limit, workers = chosen.time_limit, chosen.workers
    pairs = kept(chosen.runs)
    with (
        Tree(chosen.old, limit, workers) as old,
        Tree(chosen.new, limit, workers) as new,
    ):

        def both(instance: Instance) -> Pair:
            runs = {"old": old.answer(instance), "new": new.answer(instance)}
            return {"name": instance.name or "", **runs}

        asked = (
            ({"problem": each.problem, "instance": each.sha256}, partial(both, each))
            for each in instances_of(chosen)
        )
        carry_on(chosen.runs, pairs, asked)
    page = "\n".join(page_lines(pairs, limit, workers)) + "\n"
    if chosen.markdown is None:
        print(page)
    else:
        chosen.markdown.write_text(page)


if __name__ == "__main__":
    main()
