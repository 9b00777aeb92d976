"""A remark on maps of several components: islands are easily overlooked.

A piece of the map that weighs less than k makes a connected partition impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from atleastk.packages import nx

_MOST_NAMED = 5
"""The most regions that a remark lists: not tuned."""


def islands(
    n: int, edges: Iterable[tuple[int, int]], labels: Sequence[str] | None
) -> str | None:
    """Return a remark on smaller components; None for a connected graph."""
    graph: nx.Graph[int] = nx.empty_graph(n)
    graph.add_edges_from(edges)
    pieces = sorted(map(sorted, nx.connected_components(graph)), key=len, reverse=True)
    if len(pieces) < 2:
        return None
    apart = sorted(node for piece in pieces[1:] for node in piece)
    named = [labels[i] if labels else str(i) for i in apart[:_MOST_NAMED]]
    more = f" and {len(apart) - _MOST_NAMED} more" if len(apart) > _MOST_NAMED else ""
    return (
        f"{len(pieces)} pieces without a border between them; not joined to the "
        f"largest: {', '.join(named)}{more}"
    )
