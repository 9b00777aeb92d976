"""``atleastk docs``: where the pages say something of a word.

The pages come with the package; in a clone of the sources they are those of ``docs/``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import Options as CommandOptions
from atleastk.cli.options import option
from atleastk.instances.fields.errors import UnknownNameError, meant, quoted

_GLOSSARY: Final = "glossary"
"""The page that says what others call so."""

_MOST: Final = 5
"""The most other places that are named: not tuned."""

_CODE: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

_HEADING: Final = re.compile(r"^(#+) (.*)\n", re.MULTILINE)
_OF_HEADINGS: Final = 3
"""How many ways to fit are of headings."""

_ELSEWHERE: Final = re.compile(
    r"^\| (?P<words>[^|]+) \| \[(?P<heading>[^]]+)\]\((?P<page>[\w-]+\.md)\S*\) \|$",
    re.MULTILINE,
)
"""A row of the glossary: what others call so, and the heading here and its page."""

_NO_TEXT: Final = ("|", "!", "<", "```")
"""What blocks begin with that are no paragraphs."""


@dataclass(frozen=True, kw_only=True)
class Options(CommandOptions):
    light: ClassVar = True

    words: Sequence[str] = option(
        "WORD", "a problem, a command, or words of a page (default: all)", nargs="*"
    )


class Section(NamedTuple):
    """A heading of a page and what stands below it."""

    page: Path
    level: int
    heading: str
    text: str

    def paragraph(self, word: str) -> str:
        """Return the first paragraph that tells of a word, or the first of all."""
        blocks = (block.strip() for block in self.text.split("\n\n"))
        told = [b for b in blocks if b and not b.startswith(_NO_TEXT)]
        return next((b for b in told if _tells(b, word)), "".join(told[:1]))

    def rank(self, word: str, on_page: int) -> tuple[int, ...] | None:
        """Return how well a word fits, the best first; None if it does not.

        It is so often `on_page`, which counts where no heading has it.

        A name of a page before headings, those before texts that show it as code, and
        these before texts that have its words.
        """
        heading, stem, text = _plain(self.heading), self.page.stem, self.text
        fits = (
            self.level == 1 and word == stem,
            heading == _plain(word),
            f" {_plain(word)}" in f" {heading}",
            bool(re.search(rf"(?:`(?:--)?|atleastk ){re.escape(word)}(?![\w-])", text)),
            _tells(text, word),
        )
        if not any(fits):
            return None
        fit = fits.index(True)
        of_heading = self.level if fit < _OF_HEADINGS else 0
        shown = text.count(f"$ atleastk {word} ")
        often = on_page if fit >= _OF_HEADINGS else 0
        return fit, of_heading, -shown, -often, -text.count(word)


def run(options: Options) -> Exit:
    """Print the best place of a word, and name others; without a word all pages."""
    sections = list(_sections())
    word = " ".join(options.words).casefold()
    told: Counter[Path] = Counter()
    for section in sections:
        told[section.page] += section.text.casefold().count(word)
    ranked = [(r, s) for s in sections if (r := s.rank(word, told[s.page])) is not None]
    ranked.sort(key=lambda found: found[0])
    found = [section for _rank, section in ranked]
    called = _called_elsewhere(sections)
    if (first := called.get(_plain(word))) is not None:
        found = [first, *(section for section in found if section != first)]
    if not word:
        titles = {s.page: s.heading for s in reversed(sections)}
        for page in sorted(titles):
            print(f"{page}  {titles[page]}")
    elif not found:
        names = {name for s in sections for name in (s.page.stem, s.heading)}
        known = f"{meant(word, [*names, *called])}atleastk docs lists all pages"
        raise UnknownNameError(f"no page has {quoted(word)}; {known}")
    else:
        _print(found, word)
    return Exit(OK)


def _print(found: Sequence[Section], word: str) -> None:
    best, *others = found
    print(f"{best.heading}\n{best.page}\n\n{best.paragraph(word)}")
    if others:
        print("\nalso:")
    for other in others[:_MOST]:
        print(f"  {other.page.name}: {other.heading}")
    if len(others) > _MOST:
        print(f"  ... {len(others) - _MOST} more")


def _called_elsewhere(sections: Sequence[Section]) -> dict[str, Section]:
    """Return the sections on what other fields have words for, by these."""
    known = {(section.page.name, section.heading): section for section in sections}
    glossary = "".join(s.text for s in sections if s.page.stem == _GLOSSARY)
    return {
        _plain(word): known[row["page"], row["heading"]]
        for row in _ELSEWHERE.finditer(glossary)
        for word in row["words"].split(", ")
    }


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w]+", " ", text.casefold()).split())


def _tells(text: str, word: str) -> bool:
    """Tell whether a text has all words, or longer ones that begin so."""
    told = f" {_plain(text)}"
    words = _plain(word).split()
    return bool(words) and all(f" {each}" in told for each in words)


def _sections() -> Iterator[Section]:
    package = Path(__file__).parents[1]
    folders = (package / "docs", package.parent / "docs")  # shipped, or the sources
    folder = next(filter(Path.is_dir, folders), None)
    if folder is None:
        raise UnknownNameError("the pages are not installed; they are in the sources")
    for page in sorted(folder.glob("*.md")):
        # Comments of code are no headings.
        told = _CODE.sub(
            lambda code: code[0].replace("\n#", "\n #"),
            page.read_text(encoding="utf-8"),
        )
        parts = _HEADING.split(told)
        for marks, heading, text in zip(*(parts[i::3] for i in (1, 2, 3)), strict=True):
            yield Section(page, len(marks), heading, text)
