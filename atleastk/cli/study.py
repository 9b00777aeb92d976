"""``atleastk study``: algorithms and exact methods on many instances."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from atleastk.cli.console import CONTRADICTION, NO, OK, Exit, complain
from atleastk.cli.options import Paths, option
from atleastk.cli.outputs import LATEX, MARKDOWN, RUNS, STUDY
from atleastk.cli.print_table import print_table
from atleastk.cli.progress import refreshed
from atleastk.cli.readers import processors
from atleastk.cli.shared_options import Reading, executed
from atleastk.instances.fields.errors import AtleastkError, placed
from atleastk.instances.files.files import write_text
from atleastk.instances.files.paths import is_standard
from atleastk.research.studies.conduct import conduct
from atleastk.research.studies.curves import curve_lines
from atleastk.research.studies.driver import Progress
from atleastk.research.studies.groups import group_lines, group_table, latex_of
from atleastk.research.studies.runs_table import run_lines
from atleastk.research.studies.spec import Study
from atleastk.runs.pools import LOCAL

_LONG: Final = ("promise", "reached by")
"""Columns that a terminal has no room for; files have them."""


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    spec: str = option("SPEC", "the study, a file of TOML", reads="the study")
    executor: str = executed(LOCAL)
    workers: int | None = option(
        "--workers N", "runs at a time (default: all processors)", processors
    )
    again: bool = option("--again", "run once more what has failed")
    export: str | None = option(
        "--export FILE", "write all runs (.csv or .parquet)", writes=RUNS
    )
    markdown: str | None = option(
        "--markdown FILE", "write the table of ratios (.md)", writes=MARKDOWN
    )
    latex: str | None = option(
        "--latex FILE", "write the tables of its page for LaTeX (.tex)", writes=LATEX
    )
    output: str | None = option(
        "-o --output FILE",
        "the study as far as it is done, which goes on there (default: SPEC with .db)",
    )

    @property
    def results(self) -> str:
        if self.output is None and is_standard(self.spec):
            raise AtleastkError("a study from standard input needs -o")
        return self.output or str(Path(self.spec).with_suffix(".db"))

    def paths(self) -> Paths:
        read, written = super().paths()
        return Paths(read, [(self.results, STUDY), *written])


def run(options: Options) -> Exit:
    """Perform the missing runs of a study, and print how the algorithms compare."""
    study = Study.load(options.spec)
    progress: list[Progress] = []
    try:
        with refreshed(lambda: str(progress[-1]) if progress else "planning"):
            results = conduct(
                study,
                Path(options.results),
                executor=options.executor,
                workers=options.workers,
                again=options.again,
                on_progress=lambda now: progress.__setitem__(slice(None), [now]),
            )
    except KeyboardInterrupt:
        done = f"{progress[-1]}; " if progress else ""
        complain(f"interrupted: {done}the same command goes on")
        raise
    with placed(options.results):
        ratios = results.ratios()
    if ratios.tallies:
        chosen = [i for i, head in enumerate(ratios.heads) if head not in _LONG]
        print_table(
            [ratios.heads[i] for i in chosen],
            ([cells[i] for i in chosen] for cells in ratios.cells),
        )
    if results.by and ratios.tallies:
        with placed(options.results):
            print_table(*group_table(results))
    for line in (ratios.told, *ratios.told_faults, results.told_targets):
        if line:
            print(line)
    for line in (*results.grown, results.told):
        print(f"{options.results}: {line}")
    if options.markdown:
        more = [*group_lines(results), *curve_lines(results), *run_lines(results)]
        text = "\n".join([ratios.to_markdown(study.title), *more])
        write_text(options.markdown, f"{text.rstrip()}\n")
    if options.latex:
        write_text(options.latex, latex_of(results))
    if options.export:
        results.export(options.export)
    if ratios.contradictions:
        return Exit(CONTRADICTION)
    held = not ratios.faults and not results.missed
    return Exit(OK if held and set(results.states) == {"done"} else NO)
