"""``atleastk report``: the results of a study as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Paths, option
from atleastk.cli.outputs import PAGE, picture
from atleastk.cli.readers import names
from atleastk.cli.shared_options import Reading
from atleastk.instances.fields.errors import placed
from atleastk.instances.files.files import write_text
from atleastk.instances.files.writing import make_folder
from atleastk.plots.drawing import save
from atleastk.research.studies.page import NAMES, page_of, pictures_of
from atleastk.research.studies.results import StudyResults

_FORMATS: Final = ("svg", "pdf", "png")


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    results: str = option(
        "RESULTS", "the file of a study, finished or not (.db)", reads="the study"
    )
    by: Sequence[str] | None = option(
        "--by NAMES",
        "group by family, k, n, parameters (default: as the study asks)",
        names,
    )
    figures: str | None = option(
        "--figures FOLDER", "write the pictures there, too, as SVG, PDF and PNG"
    )
    output: str | None = option(
        "-o --output FILE", "the page (default: RESULTS with .html)"
    )

    @property
    def page(self) -> str:
        return self.output or str(Path(self.results).with_suffix(".html"))

    def paths(self) -> Paths:
        there = self.figures is not None and Path(self.figures).is_dir()
        names = self.pictures(NAMES) if there else ()
        pictures = [(path, picture(path)) for path in map(str, names)]
        return super().paths()._replace(written=[(self.page, PAGE), *pictures])

    def pictures(self, names: Iterable[str]) -> Iterator[Path]:
        if self.figures is not None:
            for name in names:
                yield from (Path(self.figures) / f"{name}.{end}" for end in _FORMATS)


def run(options: Options) -> Exit:
    results = StudyResults.load(options.results)
    if options.by:
        results = replace(results, by=options.by)
    title = results.title or f"Study {Path(options.results).stem}"
    with placed(options.results):
        ratios = results.ratios()
        pictures = pictures_of(results, ratios)
        page = page_of(results, ratios, pictures, title, datetime.now(UTC))
    if options.figures is not None:
        make_folder(options.figures)
    write_text(options.page, page)
    print(options.page)
    if options.figures is not None:
        for name, ax in pictures.items():
            for path in options.pictures([name]):
                save(ax, path)
                print(path)
    return Exit(OK)
