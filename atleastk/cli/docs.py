"""``atleastk docs``: where the pages say something of a word.

The pages come with the package; in a clone of the sources they are those of ``docs/``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.options import option
from atleastk.instances.fields.errors import UnknownNameError, meant, quoted

_MOST: Final = 5
"""The most other places that are named: not tuned."""

_HEADING: Final = re.compile(r"^(#+) (.*)\n", re.MULTILINE)
_NO_TEXT: Final = ("|", "!", "<", "```")
"""What blocks begin with that are no paragraphs."""


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    words: Sequence[str] = option(
        "WORD", "a problem, a command, or words of a heading (default: all)", nargs="*"
    )


class Section(NamedTuple):
    """A heading of a page and what stands below it."""

    page: Path
    level: int
    heading: str
    text: str

    @property
    def paragraph(self) -> str:
        """The first paragraph."""
        blocks = (block.strip() for block in self.text.split("\n\n"))
        return next((b for b in blocks if b and not b.startswith(_NO_TEXT)), "")

    def rank(self, word: str) -> tuple[int, ...] | None:
        """Return how well a word fits, the best first; None if it does not.

        A name of a page before headings, and those before texts that show it as code.
        """
        heading, stem, text = _plain(self.heading), self.page.stem, self.text
        fits = (
            self.level == 1 and word == stem,
            heading == _plain(word),
            f" {_plain(word)}" in f" {heading}",
            bool(re.search(rf"(?:`|atleastk ){re.escape(word)}(?![\w-])", text)),
        )
        if not any(fits):
            return None
        fit = fits.index(True)
        of_heading = self.level if fit < len(fits) - 1 else 0
        shown = text.count(f"$ atleastk {word} ")
        return fit, of_heading, -shown, -text.count(word)


def run(options: Options) -> Exit:
    """Print the best place of a word, and name others; without a word all pages."""
    sections = list(_sections())
    word = " ".join(options.words).casefold()
    ranked = [(rank, s) for s in sections if (rank := s.rank(word)) is not None]
    ranked.sort(key=lambda found: found[0])
    if not word:
        titles = {s.page: s.heading for s in reversed(sections)}
        for page in sorted(titles):
            print(f"{page}  {titles[page]}")
    elif not ranked:
        names = {name for s in sections for name in (s.page.stem, s.heading)}
        known = f"{meant(word, names)}atleastk docs lists all pages"
        raise UnknownNameError(f"no page has {quoted(word)}; {known}")
    else:
        _print([section for _rank, section in ranked])
    return Exit(OK)


def _print(found: Sequence[Section]) -> None:
    best, *others = found
    print(f"{best.heading}\n{best.page}\n\n{best.paragraph}")
    if others:
        print("\nalso:")
    for other in others[:_MOST]:
        print(f"  {other.page.name}: {other.heading}")
    if len(others) > _MOST:
        print(f"  ... {len(others) - _MOST} more")


def _plain(text: str) -> str:
    """Return words as they are compared."""
    return " ".join(re.sub(r"[^\w]+", " ", text.casefold()).split())


def _sections() -> Iterator[Section]:
    package = Path(__file__).parents[1]
    sources = package.parent / "docs"
    shipped = package / "docs"
    folder = shipped if shipped.is_dir() else sources
    if not folder.is_dir():
        raise UnknownNameError("the pages are not installed; they are in the sources")
    for page in sorted(folder.glob("*.md")):
        parts = _HEADING.split(page.read_text(encoding="utf-8"))
        for marks, heading, text in zip(*(parts[i::3] for i in (1, 2, 3)), strict=True):
            yield Section(page, len(marks), heading, text)
