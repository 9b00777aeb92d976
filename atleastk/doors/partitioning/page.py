"""What the report on the parts of a map says in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.connected_partition import components
from atleastk.models.wording import counted

_EVEN: Final = Fraction(1, 10)
"""Parts are uneven if one is lighter than the mean by more than this share."""

_MOST_NAMED: Final = 3
"""The most regions of a piece, and the most pieces, that are named."""


def name_of(instance: ConnectedPartition, node: int) -> str:
    """Return the name of a region, or its number, from 1."""
    return instance.labels[node] if instance.labels else f"number {node + 1}"


def heaviest(instance: ConnectedPartition, groups: Sequence[Sequence[int]]) -> str:
    """Return the weight of the heaviest part, and why it cannot be lighter, if so."""
    weights = instance.weights
    group = max(groups, key=lambda nodes: sum(weights[v] for v in nodes))
    total = sum(weights[v] for v in group)
    if len(group) == 1:
        name = name_of(instance, group[0])
        return f"{total:,}: one region, {name}, which cannot be split"
    return f"{total:,}"


def in_pieces(number: int) -> str:
    """Return what is wrong with a map in several pieces, and what to do about it."""
    return (
        f"the map has {number:,} pieces without a border between them; add borders, "
        "or partition every piece alone"
    )


def lightest(weights: Sequence[int], free: bool) -> str:
    """Return the weight of the lightest part, and what bounds it where all are free."""
    least, mean = min(weights), Fraction(sum(weights), len(weights))
    if free and least < min(Fraction(int(mean)), mean * (1 - _EVEN)):
        return f"{least:,}: parts are uneven; --within {100 * _EVEN}% bounds them"
    return f"{least:,}"


def parts(instance: ConnectedPartition, number: int, asked: int | None) -> str:
    """Return the number of parts, and why it is not another."""
    k, total = instance.k, instance.total
    if asked is not None and number != asked:
        less = 1 - k * asked / total  # twice as much is tried, or half as much
        share = round(50 * less)
        if number < asked:
            share = min(90, max(5, round(200 * less)))
        lower = -(-total * (100 - share) // (asked * 100))
        return (
            f"{number:,}, where {asked:,} were asked for: they set k, no more; try "
            f"--maximise lightest for {asked:,}, --within {share}%, or -k {lower}"
        )
    if asked is None and number == 1 and total < 2 * k:
        return f"1: two would weigh {2 * k:,} or more, all regions {total:,}"
    return f"{number:,}"


def why_infeasible(
    instance: ConnectedPartition, asked: int | None = None
) -> Iterator[str]:
    """Yield why there are no parts: pieces of the map that weigh less than k."""
    k, weights = instance.k, instance.weights
    pieces = components(instance)
    if asked is not None and min(sum(weights[v] for v in own) for own in pieces) >= k:
        yield f"no {asked:,} connected parts weigh {k:,} each: let them be lighter"
        return
    if len(pieces) == 1:
        regions = counted(instance.n, "region", ",")
        yield f"{regions} weigh {instance.total:,} together, less than {k:,}"
        return
    light = [piece for piece in pieces if sum(weights[v] for v in piece) < k]
    for piece in light[:_MOST_NAMED]:
        named = [name_of(instance, v) for v in piece[:_MOST_NAMED]]
        more = f" and {len(piece) - _MOST_NAMED:,} more" if piece[_MOST_NAMED:] else ""
        yield (
            f"{', '.join(named)}{more}: {sum(weights[v] for v in piece):,}, less than "
            f"{k:,}, and no border to the rest"
        )
    if light[_MOST_NAMED:]:
        yield f"{len(light) - _MOST_NAMED:,} more pieces like that"
    yield "remove them, or add a border: an edge of a table, a --tolerance of polygons"
