"""Results of a trade-off in a file of lines, which an interrupted run goes on from.

Every search adds its line when it ends; when all is over the file is written anew, one
line for every case. What a file holds is taken over once the cost was recomputed and
the certificate, if there is one, re-checked: a bound without one is as claimed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Self

from atleastk.instances.fields.errors import InvalidResultError, placed
from atleastk.instances.files import files
from atleastk.instances.files.paths import PACKED, is_lines, is_standard
from atleastk.instances.files.writing import append_bytes, target_of
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.tradeoff import Case
from atleastk.runs.judging import judged
from atleastk.runs.registry import problem_of

Found = tuple[Case, Instance, Result]
"""A result of a file, with its case and instance."""

_CURE = "give another name for the results, or delete the file"


@dataclass(frozen=True, slots=True)
class Lines:
    """A file of results, one a line."""

    path: Path

    @classmethod
    def of(cls, path: str | PathLike[str] | None) -> Self | None:
        """Return the file if results may be added to it; None of any other output."""
        if path is None or is_standard(path) or not is_lines(path):
            return None
        if Path(path).suffix in PACKED or not target_of(path).is_plain:
            return None
        return cls(Path(path))

    def earlier(self, instance_of: Callable[[Case], Instance | None]) -> list[Found]:
        """Return what the file holds, once it was checked; a torn last line goes.

        Parameters
        ----------
        instance_of
            The instance of a case; None if none of what is asked is of that kind.

        Raises
        ------
        InvalidResultError
            If a line is of another instance, or something is wrong with it.
        """
        if not self.path.exists():
            return []
        text = files.read_text(self.path, InvalidResultError)
        whole, torn = text[: text.rfind("\n") + 1], text[text.rfind("\n") + 1 :]
        lines = [line for line in whole.split("\n") if line.strip()]
        found = [self._read(at, line, instance_of) for at, line in enumerate(lines, 1)]
        if torn:
            files.write_text(self.path, whole)
        return found

    def _read(
        self, at: int, line: str, instance_of: Callable[[Case], Instance | None]
    ) -> Found:
        place = f"{self.path}:{at}"
        document = files.parse(line, place, InvalidResultError, one_line=True)
        case = Case.from_dict(document)
        instance = None if case is None else instance_of(case)
        if case is None or instance is None:
            raise InvalidResultError(
                f"{place}: is of something else than is asked for; {_CURE}"
            )
        with placed(place):
            result = Result.from_dict(document, instance)
        if result.instance_sha256 != instance.sha256:
            raise InvalidResultError(
                f"{place}: is of another table or of other wishes, by its "
                f"instance_sha256; {_CURE}"
            )
        broken = judged(problem_of(instance), replace(instance), result).violations
        if broken:
            raise InvalidResultError(f"{place}: does not hold: {broken[0]}; {_CURE}")
        return case, instance, result

    def add(self, case: Case, result: Result) -> None:
        """Add the result of a search."""
        append_bytes(self.path, files.line_of(line(case, result)))

    def write(self, results: Iterable[tuple[Case, Result]]) -> None:
        """Write the file anew."""
        files.write_lines(self.path, [line(case, one) for case, one in results])


def line(case: Case, result: Result) -> dict[str, Any]:
    """Return the JSON object of a result, which says its case, too."""
    return {**case.to_dict(), **result.to_dict()}
