"""The library: records by name, in one file per problem.

The files of the package are beside the instances; any folder may hold others. They are
read when the first record is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    known_are,
    meant,
    placed,
)
from atleastk.instances.files.files import documents, write_lines
from atleastk.research.collecting.effort import DIFFICULTIES
from atleastk.research.collecting.record import STATUSES, Record
from atleastk.runs import registry

_CHOICES: Final = {
    "problem": tuple(registry.PROBLEMS),
    "status": STATUSES,
    "difficulty": DIFFICULTIES,
}
"""The possible values of some properties of records."""


class _MissingError(UnknownNameError, KeyError):
    """An unknown name: also the `KeyError` that mappings raise."""

    __str__ = Exception.__str__


class Library(Mapping[str, Record]):
    """The records of a folder by their names, in the order of the alphabet."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @cached_property
    def _records(self) -> dict[str, Record]:
        if self._folder is not None:
            return _read(self._folder)
        with as_file(files("atleastk.instances") / "library") as folder:
            return _read(folder)

    def __getitem__(self, name: str) -> Record:
        """Return the record of a name."""
        if name not in self._records:
            message = f'no instance of the library is called "{name}"; '
            hint = meant(name, self._records) or "atleastk library list shows all"
            raise _MissingError(message + hint.rstrip())
        return self._records[name]

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a record of a name."""
        return name in self._records

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._records)

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self._records)

    def __repr__(self) -> str:
        return f"<library of {len(self)} instances>"

    def filter(
        self,
        *,
        problem: str | None = None,
        family: str | None = None,
        status: str | None = None,
        difficulty: str | None = None,
    ) -> list[Record]:
        """Return the records with these properties; None stands for any value."""
        given = {"problem": problem, "status": status, "difficulty": difficulty}
        for name, word in given.items():
            if word is not None and word not in _CHOICES[name]:
                known = known_are(word, _CHOICES[name])
                raise UnknownNameError(
                    f'no {name} of the library is called "{word}"; {known}'
                )
        asked = {"family": family, **given}
        return [
            record
            for record in self.values()
            if all(w is None or getattr(record, n) == w for n, w in asked.items())
        ]

    def of(self, instance_sha256: str) -> Record | None:
        """Return the record of the instance of a fingerprint; None without one."""
        return self._by_fingerprint.get(instance_sha256)

    @cached_property
    def _by_fingerprint(self) -> Mapping[str, Record]:
        return {record.instance_sha256: record for record in self.values()}

    def with_all(self, changed: Collection[Record], folder: Path) -> Library:
        """Write the files of a folder that hold these records; return the library.

        Records of equal names are replaced. A file is written whole or not at all.
        """
        records = dict(self._records)
        records.update({record.name: record for record in changed})
        for problem in sorted({record.problem for record in changed}):
            held = [
                records[name].to_dict()
                for name in sorted(records)
                if records[name].problem == problem
            ]
            write_lines(folder / f"{problem}.jsonl.gz", held)
        return Library(folder)


def _read(folder: Path) -> dict[str, Record]:
    if not folder.is_dir():
        raise InvalidInstanceError(f"{folder}: no such folder")
    records: dict[str, Record] = {}
    for path in sorted(folder.glob("*.jsonl.gz")):
        for place, document in documents(path):
            with placed(place):
                record = Record.from_dict(document)
                if record.name in records:
                    raise InvalidInstanceError(
                        f"name: {record.name} is another record already"
                    )
                records[record.name] = record
    return dict(sorted(records.items()))


library: Final = Library()
"""The instances that come with the package."""
