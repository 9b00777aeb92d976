"""Words for numbers, and lines and warnings of reports."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


def counted(count: int, word: str, form: str = "") -> str:
    """Return a number of things in words."""
    plural = "es" if word.endswith("s") else "s"
    return f"{count:{form}} {word}{plural * (count != 1)}"


def labelled(label: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of a report, the label before the first."""
    for line in lines:
        yield f"  {label:12}{line}"
        label = ""


class Warned(NamedTuple):
    """A warning: a problem, and its consequence or remedy."""

    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"

    def lines(self) -> Iterator[str]:
        """Yield the lines of a report on it."""
        yield f"  WARNING     {self.what}:"
        yield f"{'':14}{self.why}"
