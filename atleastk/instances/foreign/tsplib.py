"""TSPLIB: points of the plane, or distances, of travelling salesmen and vehicles.

    NAME : berlin52
    TYPE : TSP
    DIMENSION : 52
    EDGE_WEIGHT_TYPE : EUC_2D
    NODE_COORD_SECTION
    1 565.0 575.0
    ...
    EOF

What is read: coordinates with ``EUC_2D``, ``CEIL_2D`` (euclidean) and ``MAN_2D``,
``EXPLICIT`` full matrices, and the demands of vehicle routing, which weigh points.
Lengths are not rounded to the nearest as TSPLIB's are: that breaks the triangle
inequality. Coordinates with a point are multiplied by a power of ten.

[TSPLIB] G. Reinelt, TSPLIB 95, University of Heidelberg.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.foreign.words import Line, integer, lines_of, number

_METRICS: Final = {"EUC_2D": "euclidean", "CEIL_2D": "euclidean", "MAN_2D": "manhattan"}
_COORDINATES: Final = "NODE_COORD_SECTION"
_DEMANDS: Final = "DEMAND_SECTION"
_WEIGHTS: Final = "EDGE_WEIGHT_SECTION"


class Tsplib:
    """A file: its header, and the lines of its sections.

    Raise `InvalidInstanceError` if it is not as it has to be; where there is one, the
    line is named.
    """

    def __init__(self, path: AnyPath) -> None:
        self._path = path
        self._head: dict[str, str] = {}
        self._sections: dict[str, list[Line]] = {}
        held: list[Line] | None = None
        for place, words in lines_of(path):
            first = words[0].rstrip(":")
            if first == "EOF":
                break
            key, colon, value = " ".join(words).partition(":")
            if first.endswith("_SECTION"):
                held = self._sections.setdefault(first, [])
            elif colon:
                self._head[key.strip()] = value.strip()
            elif held is None:
                raise InvalidInstanceError(
                    f"{place}: expected KEY : VALUE, or a section"
                )
            else:
                held.append((place, words))

    @property
    def name(self) -> str | None:
        """The name in the head."""
        return self._head.get("NAME")

    def space(self) -> Mapping[str, Any]:
        """Return the fields of an instance that define its distances."""
        kind = self._head_entry("EDGE_WEIGHT_TYPE")
        if kind == "EXPLICIT":
            return {"distances": self._matrix()}
        if kind not in _METRICS:
            known = ", ".join((*_METRICS, "EXPLICIT"))
            raise InvalidInstanceError(
                f"{self._path}: EDGE_WEIGHT_TYPE {kind} is not read; {known} are"
            )
        points, factor = self._whole_points()
        comment = {} if factor == 1 else {"comment": f"coordinates times {factor}"}
        return {"points": points, "metric": _METRICS[kind], **comment}

    def points(self) -> list[list[float]]:
        """Return the coordinates of the nodes, in their order."""
        return [
            [number(place, word) for word in words]
            for place, words in self._numbered(_COORDINATES, 2)
        ]

    def _whole_points(self) -> tuple[list[list[int]], int]:
        """Return the coordinates times the least power of ten that makes them whole."""
        points = [list(map(Fraction, map(str, point))) for point in self.points()]
        factor = 1
        while any((x * factor).denominator > 1 for point in points for x in point):
            factor *= 10
        return [[int(x * factor) for x in point] for point in points], factor

    def weights(self) -> list[int] | None:
        """Return the demands of the nodes; None if there are none."""
        if _DEMANDS not in self._sections:
            return None
        lines = self._numbered(_DEMANDS, 1)
        return [integer(place, words[0]) for place, words in lines]

    def _head_entry(self, key: str) -> str:
        if key not in self._head:
            raise InvalidInstanceError(
                f"{self._path}: {key} is missing in the head of the file"
            )
        return self._head[key]

    def _dimension(self) -> int:
        return integer(f"{self._path}: DIMENSION", self._head_entry("DIMENSION"))

    def _numbered(self, section: str, width: int) -> Iterator[Line]:
        """Yield the lines of nodes 1, 2, ... without their numbers."""
        lines = self._sections.get(section, [])
        for node, (place, words) in enumerate(lines, 1):
            if len(words) != width + 1 or integer(place, words[0]) != node:
                raise InvalidInstanceError(
                    f"{place}: expected {node} and {width} more numbers"
                )
            yield place, words[1:]
        if len(lines) != self._dimension():
            raise InvalidInstanceError(
                f"{self._path}: {section} has {len(lines)} nodes, DIMENSION says "
                f"{self._dimension()}"
            )

    def _matrix(self) -> list[Sequence[int]]:
        form = self._head_entry("EDGE_WEIGHT_FORMAT")
        if form != "FULL_MATRIX":
            raise InvalidInstanceError(
                f"{self._path}: EDGE_WEIGHT_FORMAT {form} is not read; FULL_MATRIX is"
            )
        numbers = [
            integer(place, word)
            for place, words in self._sections.get(_WEIGHTS, [])
            for word in words
        ]
        n = self._dimension()
        if n < 1 or len(numbers) != n * n:
            raise InvalidInstanceError(
                f"{self._path}: {len(numbers)} distances are no {n} x {n} matrix"
            )
        return [numbers[row : row + n] for row in range(0, n * n, n)]
