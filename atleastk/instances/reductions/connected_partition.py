"""3DM into connected partition with unit weights and k = 3: 3PPPL2 [Du09, section 2].

A partition costs 3 iff all parts have exactly three nodes: iff the graph partitions
into paths of length 2. So *the optimum is 3 iff there is a matching*; else it is 4 or
more, and no ratio below 4/3 is possible unless P = NP [Du09, Theorem 3].

Construction
------------
A choice for every element; for every triple the triple gadget of its three elements. A
triple that covers its elements is in the matching. The gadgets, and what each does, are
in :mod:`atleastk.instances.reductions.path_gadgets`.

- *As such* the graph has nodes of any degree, and is not planar.
- *Planar*: the wires of :mod:`atleastk.instances.reductions.wiring`, with a crossover
  at every crossing.
- *Cubic*: choices of degree 4 and more fanned out, those of degree 0, 1 and 2 and
  leaves capped. Both together make a planar 3-regular graph.

The triangle of triple i is always the nodes 3i, 3i + 1 and 3i + 2.

What the text has
-----------------
The text describes triple, connector, fan-out and the order of the steps, and the
properties of crossover and caps; its figures are not in the text. Crossover and caps
here are derived from that, and `atleastk/research/claims/map_gadgets.py` tries all
their states. An element that is in no triple is not in the text.

References
----------
[Du09] as in :mod:`atleastk.instances.connected_partition`.
"""

from __future__ import annotations

from typing import Final

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.reductions.path_gadgets import GadgetGraph
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.instances.reductions.wiring import wiring_of


def to_connected_partition(
    problem: ThreeDimensionalMatching, *, planar: bool = True, cubic: bool = True
) -> ConnectedPartition:
    """Return the graph whose optimum is 3 iff there is a matching."""
    graph = GadgetGraph()
    loose = [corner for _ in problem.triples for corner in graph.triangle()]
    choices = graph.nodes(problem.elements)
    if planar:
        wiring = wiring_of(problem)
        ends = sorted(wiring.ends, key=wiring.elements.index)
        for layer in wiring.layers:
            for p in layer:
                outer = graph.crossover()
                graph.connector(loose[p], outer[0])
                graph.connector(loose[p + 1], outer[1])
                loose[p : p + 2] = outer[3], outer[2]
    else:
        ends = [element for held in problem.sets for element in held]
    for end, element in zip(loose, ends, strict=True):
        graph.connector(end, choices[element])
    if cubic:
        for node in range(len(graph.around)):
            graph.fan_out(node)
        for node in range(len(graph.around)):
            if len(graph.around[node]) < 3:
                graph.cap(node)
    return ConnectedPartition(
        [1] * len(graph.around),
        graph.edges,
        3,
        source="reduced from 3DM by [Du09] section 2",
    )


REDUCTIONS: Final = (
    Reduction(
        "3DM",
        "connected-partition",
        "many-one",
        "[Du09] section 2",
        to_connected_partition,
        ThreeDimensionalMatching.matching_of,
        claim="optimum 3, else 4 or more",
    ),
)
"""3DM into connected partition of planar 3-regular graphs, k = 3."""
