"""Hierarchies that follow a rule: masked digits, and bands of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.hierarchies import Hierarchy, Label

__all__ = ["bands_of", "masked"]


def masked(values: Iterable[Label], mask: str = "*") -> Hierarchy:
    """Mask one character after the other from the right: 13053, 1305*, ..., *****.

    Shorter values are taken as if blanks stood before them: all are masked as far as
    the longest is, and the top has its length.
    """
    if len(mask) != 1:
        message = f"mask: expected one character, got {mask!r}"
        raise InvalidInstanceError(message)
    distinct = list(dict.fromkeys(values))
    width = max((len(str(value)) for value in distinct), default=0)
    chains: list[list[Label]] = []
    for value in distinct:
        text = str(value)
        shown = [
            text[: max(0, len(text) - level)] + mask * min(level, len(text))
            for level in range(1, width)
        ]
        chains.append([value, *shown, mask * width] if width else [value])
    return Hierarchy(chains)


def bands_of(
    values: Iterable[Label], widths: Sequence[int] = (5, 10, 20), top: str = "*"
) -> Hierarchy:
    """Generalise integers to bands of growing widths, then to the top: 39, 35-39, ...

    Bands begin at multiples of their width; every width divides the next, so that they
    nest. The integers may be given as texts.
    """
    if not all(type(width) is int and width >= 1 for width in widths) or any(
        wide % narrow for narrow, wide in pairwise(widths)
    ):
        message = f"widths: expected each to divide the next, got {tuple(widths)}"
        raise InvalidInstanceError(message)
    chains: list[list[Label]] = []
    for value in dict.fromkeys(values):
        number = _integer(value)
        starts = [number // width * width for width in widths]
        bands = [
            f"{start}-{start + width - 1}"
            for start, width in zip(starts, widths, strict=True)
        ]
        chains.append([value, *bands, top])
    return Hierarchy(chains)


def _integer(value: Label) -> int:
    try:
        return int(value)
    except ValueError as error:
        message = f"{value!r} is not an integer, so it is in no band"
        raise InvalidInstanceError(message) from error
