"""What reductions begin with: what is no such problem, and files of those that are."""

import json
from itertools import combinations

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.formulas import ThreeSat
from atleastk.instances.reductions.partition import Partition
from atleastk.instances.reductions.set_packing import SetPacking
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.instances.reductions.three_partition import ThreePartition
from atleastk.instances.reductions.triangle_partition import (
    TrianglePacking,
    TrianglePartition,
)
from atleastk.instances.reductions.vertex_cover import CubicVertexCover

K4 = [*combinations(range(4), 2)]
WRONG = {
    ExactCover: [
        (4, [(0, 1, 2)], "elements: expected a multiple of 3"),
        (3, [], "sets: expected one or more"),
        (3, [(0, 1)], r"sets\[0\]: expected three"),
        (6, [(0, 1, 2), (0, 1, 6)], r"sets\[1\]: expected three"),
        (6, [(0, 1, 1)], r"sets\[0\]: expected three"),
        (6, [(0, 1, 2), (1, 2, 0)], r"sets\[1\]: the same triple as sets\[0\]"),
    ],
    ThreePartition: [
        (12, [], "3m"),
        (12, [4, 4], "3m"),
        (12, [3, 4, 5], r"weights\[0\]"),
        (12, [4, 5, 6], r"weights\[2\]"),
        (12, [4, 5, 3, 4, 4, 4], "weights"),
        (12, [4, 4, 5], "total"),
    ],
    TrianglePartition: [
        (4, [], "vertices: expected a multiple of 3"),
        (3, [(0, 3)], r"edges\[0\]: expected two vertices below 3"),
        (3, [(0, 1, 2)], r"edges\[0\]: expected two"),
        (3, [(1, 1)], r"edges\[0\]: expected two"),
        (3, [(0, 1), (1, 0)], r"edges\[1\]: the same edge as edges\[0\]"),
        (6, [*combinations((1, 2, 4, 5), 2)], r"vertices \[1, 2, 4, 5\] are all"),
    ],
    ThreeDimensionalMatching: [
        (0, [], "n: "),
        (2, [[0, 0]], r"triples\[0\]: expected three elements below n = 2, got"),
        (2, [[0, 0, 1], [0, 2, 0]], r"triples\[1\]: expected three elements below"),
        (2, [[0, 0, 1], [0, 0, 1]], r"triples\[1\]: the same triple as triples\[0\]"),
        (2, [[0, 0, -1]], "triples"),
    ],
    ThreeSat: [
        ([[1], [0, 1]], r"clauses\[1\]: expected one to three"),
        ([[]], "got "),
        ([[1, 2, 3, 4]], r"clauses\[0\]"),
        ([[2_000_000]], "got 2000000"),
        ([[-2_000_000]], r"clauses\[0\]\[0\]"),
        ([[1]] * 2 + [[1, 2], [1, -3]], "literal 1 is in 4"),
    ],
    CubicVertexCover: [(4, K4[1:], "got 2 at 0")],
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_no_problem_is_named(kind):
    for *made, reason in WRONG[kind]:
        with pytest.raises(InvalidInstanceError, match=reason):
            kind(*made)


SETS = {"elements": 6, "sets": ((0, 1, 2), (0, 3, 4))}
TRIANGLES = {"vertices": 3, "edges": ((0, 1), (1, 2))}
FILES = {
    ExactCover: ({"sets": [[2, 1, 0], [3, 4, 0]]}, SETS),
    SetPacking: ({"sets": [[2, 1, 0], [3, 4, 0]]}, SETS),
    TrianglePartition: ({"edges": [[2, 1], [1, 0]]}, TRIANGLES),
    TrianglePacking: ({"edges": [[2, 1], [1, 0]]}, TRIANGLES),
    CubicVertexCover: ({}, {"vertices": 4, "edges": tuple(K4)}),
    ThreeSat: ({"clauses": [[1, 1, -4], [2]]}, {"clauses": ((1, -4), (2,))}),
    Partition: ({}, {"weights": (1, 2, 3)}),
}
"""Fields as they may be written, and all as they are kept."""


@pytest.mark.parametrize("kind", FILES)
def test_files_and_back(kind):
    written, kept = FILES[kind]
    document = {"problem": kind.problem, **kept}
    problem = kind.from_dict({**document, **written})
    assert problem.to_dict() == document
    assert kind.from_dict(json.loads(json.dumps(document))) == problem
