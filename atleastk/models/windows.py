"""Windows: bounds of the number of parts, and of the weight of each part.

Let items of weight W in all be partitioned into p parts of at least k and at most K.

Fact
----
Every part weighs at least W - (p - 1) K and at most W - (p - 1) k: the others weigh at
most K, at least k each. And p K >= W, p k <= W.

So branching on the number of parts pays: for p = floor(W / k) only W mod k is left for
all parts together, and if that is impossible the next p needs a level of W / (p - 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """Partitions into `parts` parts that weigh from `least` to `most`, inclusive."""

    parts: int
    """The number of parts, at least 1."""
    least: int
    most: int
    """`least`, `most`: the bounds of the weight of every part."""

    @property
    def empty(self) -> bool:
        """Whether no weight is left."""
        return self.least > self.most

    def holds(self, weight: int) -> bool:
        """Tell whether a part may have this weight."""
        return self.least <= weight <= self.most

    def admits(self, total: int) -> bool:
        """Tell whether its parts may weigh so much in all, by counting."""
        return self.parts * self.least <= total <= self.parts * self.most


def least_level(total: int, k: int, heaviest: int) -> int:
    """Return max(k, heaviest item, ceil(W / floor(W / k))): a bound on the level K.

    The items weigh k or more in all.
    """
    return max(k, heaviest, -(-total // (total // k)))


def window(total: int, k: int, parts: int, level: int) -> Window | None:
    """Return the window of `parts` parts of at least k and at most `level`.

    None if there are no such parts, by counting.
    """
    if not parts * k <= total <= parts * level:
        return None
    return hull(total, k, (parts, parts), level)


def hull(total: int, k: int, parts: tuple[int, int], level: int) -> Window:
    """Return the least window that holds those of all numbers of parts in a range."""
    fewest, most = parts
    return Window(
        most, max(k, total - (most - 1) * level), min(level, total - (fewest - 1) * k)
    )


def windows(total: int, k: int, level: int, most: int) -> Iterator[Window]:
    """Yield the windows of up to `most` parts that are possible, most parts first.

    k >= 1.
    """
    if level >= k:
        for parts in range(min(most, total // k), -(-total // level) - 1, -1):
            found = window(total, k, parts, level)
            if found is not None:
                yield found
