"""What holds of the instances of every problem: documents, and what is refused."""

import json
from dataclasses import replace

import pytest
from every_problem import EMPTY, INSTANCES

from atleastk import Hierarchy, InvalidInstanceError, from_dict
from atleastk.instances.connected_partition import MOST_WEIGHT
from atleastk.instances.copied import MOST_COPIES
from atleastk.instances.fields.shaped import required
from atleastk.instances.hierarchies.hierarchy import suppression_of


@pytest.mark.parametrize("problem", INSTANCES)
def test_documents_and_back(problem):
    for instance in (*INSTANCES[problem], *EMPTY[problem]):
        named = replace(instance, name="odd")
        again = from_dict(json.loads(json.dumps(named.to_dict())))
        assert (again, again.name) == (instance, "odd")
        assert again.sha256 == named.sha256 == instance.sha256
    kinds = {instance.sha256 for instance in INSTANCES[problem]}
    assert len(kinds) == len(INSTANCES[problem])


@pytest.mark.parametrize("problem", INSTANCES)
def test_fields_that_are_missing_or_unknown(problem):
    instance = INSTANCES[problem][0]
    document = instance.to_dict()
    for name, declared in instance.declared().items():
        if required(declared):
            rest = {key: value for key, value in document.items() if key != name}
            with pytest.raises(InvalidInstanceError, match=f"{name}: missing"):
                from_dict(rest)
    with pytest.raises(InvalidInstanceError, match=f"x: unknown field of {problem}; k"):
        from_dict({**document, "x": 3})


LINE = [[0], [3], [7]]
TREE = Hierarchy([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]])
ROWS = [["a", 1], ["b", 1], ["c", 2]]
POINTS = {"items": None, "costs": None}
VALUES = [["ill"], ["well"], ["ill"], ["well"]]
PLAIN = {
    "k-anonymity": {"table": [[1, 2], [1, 3]], "k": 2},
    "k-ambiguity": {"table": [["a"], ["b"]], "k": 2},
    "connected-partition": {"weights": [1, 2, 3], "edges": [[0, 1], [1, 2]], "k": 2},
    "rectangle-tiling": {"points": [(2.5, -1, 3), (0, 7, 0), (2.5, 7, 4)], "k": 2},
    "rectangle-tiling-grid": {"grid": [[1, 2, 3], [4, 5, 6]], "p": 2},
    "generalization": {
        "table": ROWS,
        "k": 2,
        "hierarchies": [TREE, suppression_of([1, 2])],
    },
    "diversity": {
        "table": [["a"], ["a"], ["b"], ["b"]],
        "k": 2,
        "hierarchies": [suppression_of("ab")],
        "sensitive": VALUES,
    },
    "suppression": {"table": [["a", 1], ["a", 2], ["b", 2]], "k": 2},
    "pair-partition": {"items": 3, "costs": [[0, 1, 5]], "k": 1},
    "r-gather": {"r": 2},
    "cellular-clustering": {"r": 2},
}
CLUSTERINGS = [
    ({}, "distances: give either distances or points"),
    ({"points": LINE, "distances": [[0]]}, "give either distances or points"),
    ({"distances": [[0]], "metric": "hamming"}, "metric: distances need none"),
    ({"distances": [[0]], "scale": 2}, "scale: distances need none"),
    ({"distances": [[0, 1]]}, r"distances\[0\]: expected 1 distances, got 2"),
    ({"distances": [[0, 1], [2, 0]]}, r"distances\[0\]\[1\]: 1 differs from .*, 2"),
    ({"distances": [[0, None], [2, 0]]}, "None differs from"),
    ({"distances": [[0, 1], [1, 4]]}, r"distances\[1\]\[1\]: expected 0, got 4"),
    ({"distances": [[0, -1], [-1, 0]]}, r"distances\[0\]\[1\]: expected .*least 0"),
    ({"distances": [[0, 2**63], [2**63, 0]]}, r"\[0\]\[1\]: expected at most"),
    ({"points": [[0], [0, 1]]}, r"points\[1\]"),
    ({"points": [[0.5]]}, r"points\[0\]\[0\]: expected a whole number, got 0.5"),
    ({"points": [["a"]]}, r"points\[0\]\[0\]: expected a whole number, got 'a'"),
    ({"points": [["a"]], "metric": "manhattan"}, "expected a whole number"),
    ({"points": [[0], [2**62]]}, "points: they are further apart than"),
    ({"points": LINE, "metric": "great-circle"}, "latitude and longitude"),
    ({"points": [[91, 0]], "metric": "great-circle"}, "from -90 to 90, got 91"),
    ({"points": [[0, "E"]], "metric": "great-circle"}, "from -180 to 180"),
    ({"points": LINE, "metric": "cosine"}, "metric: expected one of"),
    ({"points": LINE, "centres": "mean"}, "centres: expected one of"),
    ({"points": LINE, "r": 0}, "r: expected an integer of at least 1"),
    ({"points": LINE, "max_clusters": 0}, "max_clusters: expected .* at least 1"),
    ({"points": LINE, "max_outliers": -1}, "max_outliers: expected .* at least 0"),
]
REFUSED = {
    "k-anonymity": [
        ({"k": 0}, "k: expected an integer of at least 1, got 0"),
        ({"k": "2"}, "k: expected an integer"),
        ({"table": [[1], [1, 2]]}, r"table\[1\]: expected 1 cells as in row 0"),
        ({"table": [[1.5, True]]}, r"table\[0\]\[0\]: expected a text .*, got 1.5"),
        ({"columns": ["a"]}, "columns: 1 of them for 2 columns"),
        ({"columns": ["a", "a"]}, "columns: the same name twice"),
        ({"columns": ["a", 1]}, r"columns\[1\]: expected a text, got 1"),
        ({"copies": [1]}, "copies: 1 of them for 2 rows"),
        ({"table": [[1, 2]] * 2, "copies": [1, 2]}, "copies: two rows of the table"),
    ],
    "k-ambiguity": [
        ({"copies": [0, 1]}, r"copies\[0\]: expected an integer of at least 1"),
        ({"copies": [1, MOST_COPIES]}, "copies: the table stands for"),
    ],
    "connected-partition": [
        ({"k": 1.5}, "k: expected an integer"),
        ({"weights": [1, -2, 3]}, r"weights\[1\]: expected an integer of at least 0"),
        ({"weights": [MOST_WEIGHT, 1, 0]}, r"weights: they add up to more than 2\*"),
        ({"edges": [[0, 1], [1, 3]]}, r"edges\[1\]: expected two different .* 0..2"),
        ({"edges": [[1, 1]]}, r"edges\[0\]: expected two different nodes of 0..2"),
        ({"edges": [[0, 1, 2]]}, r"edges\[0\]: expected two different nodes"),
        ({"edges": [[0]]}, r"edges\[0\]: expected two different nodes"),
        ({"edges": [[]]}, r"edges\[0\]: expected two different nodes"),
        ({"edges": [[-1, 0]]}, r"edges\[0\]\[0\]: expected an integer of at least 0"),
        ({"edges": "ab"}, "edges"),
        ({"labels": ["a"]}, "labels: 1 of them for 3 nodes"),
        ({"labels": ["a", "b", 3]}, r"labels\[2\]: expected a text"),
        ({"positions": [[0, 0]]}, "positions: 1 of them for 3 nodes"),
        ({"positions": [[0, 0], [1, 1], [2, 2, 2]]}, r"positions\[2\]"),
        ({"positions": [[0, 10**400], [1, 1], [2, 2]]}, r"positions\[0\]: .* \[x, y\]"),
    ],
    "rectangle-tiling": [
        ({"points": 3}, r"points: expected a list, got 3"),
        ({"points": [[0, 1]]}, r"points\[0\]: expected \[x, y, weight\]"),
        ({"points": [[0, 1, -1]]}, r"points\[0\]\[2\]: expected an integer of at le"),
        ({"points": [[0, 1, 1.5]]}, r"points\[0\]\[2\]: expected an integer"),
        ({"points": [[0, 0, 1], [0, "a", 1]]}, r"points\[1\]\[1\]: expected a finite"),
        ({"points": [[float("inf"), 0, 1]]}, r"points\[0\]\[0\]: expected a finite"),
        ({"points": [[10**400, 0, 1]]}, r"points\[0\]\[0\]: expected a finite"),
        ({"points": [[0, -(10**309), 1]]}, r"points\[0\]\[1\]: expected a finite"),
        ({"points": [[0, True, 1]]}, r"points\[0\]\[1\]: expected a finite number"),
        ({"points": [[0, 0, 2**62], [1, 1, 1]]}, r"points: their weights add up"),
        ({"cover": "all"}, r'cover: expected one of "plane", "points"'),
        ({"guillotine": 1}, r"guillotine: expected true or false, got 1"),
        ({"guillotine": True, "cover": "points"}, r'take cover "plane"'),
    ],
    "rectangle-tiling-grid": [
        ({"p": 0}, r"p: expected an integer of at least 1, got 0"),
        ({"grid": 3}, r"grid: expected a list, got 3"),
        ({"grid": [3]}, r"grid\[0\]: expected a list, got 3"),
        ({"grid": [[1], [-1]]}, r"grid\[1\]\[0\]: expected an integer of at least 0"),
        ({"grid": [[1, 0.5]]}, r"grid\[0\]\[1\]: expected an integer"),
        ({"grid": [[1, 2], [3]]}, r"grid\[1\]: expected 2 weights as in row 0, got 1"),
        ({"grid": [[], [3]]}, r"grid\[1\]: expected 0 weights as in row 0, got 1"),
        ({"grid": [[2**62, 1]]}, r"grid: the weights add up to more than 2\*\*62"),
    ],
    "generalization": [
        ({"table": [["z", 1]]}, r"table\[0\]\[0\]: 'z' is not in hierarchies\[0\]"),
        ({"hierarchies": [TREE]}, "hierarchies: 1 of them for 2 columns"),
        ({"columns": ["one"]}, "columns: 1 of them for 2 columns"),
        ({"loss": "discernibility"}, "loss of generalisation on attributes"),
        ({"on": "cells"}, "on: expected one of"),
        ({"row_weights": [1]}, "row_weights: 1 of them for 3 rows"),
        ({"row_weights": [1, 0, 1]}, r"row_weights\[1\]: expected an integer of at"),
        ({"row_weights": [1, 1, 1], "on": "attributes"}, "on attributes all rows lose"),
        ({"row_weights": [10**15] * 3}, "costs 9000000000000000, above 10000000000"),
        ({"column_weights": [1]}, "column_weights: 1 of them for 2 columns"),
        ({"column_weights": [1, 0]}, r"column_weights\[1\]: expected an integer of at"),
        ({"suppress_rows": -1}, "suppress_rows: expected an integer of at least 0"),
        ({"hierarchies": [[["a"], ["b"]], TREE]}, r"hierarchies\[0\]: \[1\]: expec"),
        ({"conditions": {"mean_risk": 1}}, "conditions: they are for generali"),
        ({"levels": [[0, 1]] * 2, "suppress_rows": 1}, "where rows may be dropped"),
        *(
            ({"on": "attributes", **more}, message)
            for more, message in [
                ({"levels": [[0, 1]]}, "levels: 1 of them for 2 columns"),
                *(
                    ({"levels": [pair, [0, 1]]}, r"levels\[0\]: expected a least and a")
                    for pair in ([0, 4], [2, 1])
                ),
                (
                    {
                        "conditions": {"small": 2, "at_risk": 0.5},
                        "suppress_rows": 1,
                    },
                    "conditions: where rows may be suppressed there is mean_risk alone",
                ),
                *(
                    ({"conditions": asked}, message)
                    for asked, message in [
                        ({"k_map": 2}, "k_map and population go together"),
                        ({"small": 2}, "small and at_risk go together"),
                        ({"risk": 2}, "conditions: expected one of"),
                        (
                            {"k_map": 1, "population": [["a"]]},
                            "conditions.population: 1 cells for 2 columns",
                        ),
                        (
                            {"k_map": 1, "population": [["z", 1]]},
                            r"population\[0\]\[0\]: 'z' is not in hierarchies\[0\]",
                        ),
                    ]
                ),
            ]
        ),
    ],
    "diversity": [
        ({"sensitive": VALUES[:3]}, "sensitive: 3 of them for 4 rows"),
        (
            {"table": [["a"], ["b"]], "copies": [3, 3], "sensitive": VALUES[:3]},
            "sensitive: 3 of them for 2",
        ),
        ({"levels": [[0, 1]]}, "only where no values are sensit"),
        ({"l": 0}, "l: expected an integer of at least 1"),
        ({"reading": "rare"}, "reading: expected one of"),
        ({"t": 2}, "t: expected a fraction from 0 to 1"),
        ({"t": "1/0"}, "t: expected a fraction from 0 to 1"),
        ({"t": float("nan")}, "t: expected a fraction"),
        ({"t": True}, "t: expected a fraction"),
        ({"t": "1e999999"}, "t: expected a fraction"),
        ({"reading": "recursive"}, "c: goes with the recursive reading"),
        ({"c": 2}, "c: goes with the recursive reading"),
        ({"ordered": True, "on": "attributes"}, "ordered: says how t is read; give t"),
        ({"reading": "entropy"}, "reading: entropy: is for gen"),
        ({"ordered": True, "t": 1}, "ordered: is for generalisation"),
        ({"ordered": True, "t": 1, "on": "attributes"}, "ordered: expected integers"),
    ],
    "suppression": [
        ({"minimise": "cells"}, "minimise: expected one of"),
        ({"limits": {"cells": 1}}, "limits: expected one of"),
        ({"limits": {"rows": -1}}, "limits.rows: expected an integer of at least 0"),
        ({"limits": 3}, "limits: expected an object of rows, columns, "),
        ({"deletion": True}, "deletion: rows or columns must be"),
        (
            {"deletion": True, "minimise": "rows", "column_order": [[0], [1]]},
            "deletion: what is deleted",
        ),
        ({"row_order": [[0, 1, 2]]}, "row_order: expected two classes"),
        ({"row_order": [[0, 1, 2], []]}, "row_order: expected two classes"),
        ({"row_order": [[0, 1], [1, 2]]}, "row_order: expected each of the rows 0..2"),
        ({"column_order": [[0], [2]]}, "column_order: expected each of the columns"),
        ({"intact": [2]}, r"intact\[0\]: expected a column below 2"),
        ({"variant": "r-MIN-e-SUP"}, "limits: r-MIN-e-SUP needs a limit of rows; give"),
        (
            {"variant": "MIN-e-SUP", "limits": {"rows": 1}},
            "limits: MIN-e-SUP takes no limit of",
        ),
        ({"variant": "MIN-c'-PART"}, "column_order: MIN-c'-PART needs an importance"),
        (
            {"variant": "MIN-e-SUP", "row_order": [[0], [1, 2]]},
            "row_order: MIN-e-SUP takes no importance order",
        ),
        ({"variant": 3}, "variant: expected a name"),
        ({"column_weights": [1]}, "column_weights: 1 of them for 2"),
        ({"row_weights": [1]}, "row_weights: 1 of them for 3"),
        ({"copies": [2] * 3}, "copies: suppression has none"),
        ({"column_weights": [1, 2], "minimise": "rows"}, "nothing else is minimised"),
        ({"column_weights": [10**9] * 2, "row_weights": [10**6] * 3}, "all entries"),
    ],
    "pair-partition": [
        ({"points": [[1]]}, "either items with costs or points"),
        ({**POINTS, "points": [[1], [1, 2]]}, "different dimensions"),
        ({**POINTS, "points": [[1]], "connected": True}, "give edges to connect"),
        ({"edges": [[0, 1]]}, "edges: only of groups that are connected"),
        ({"edges": [[0, 3]], "connected": True}, r"edges\[0\]: expected two different"),
        ({"edges": [[2, 2]], "connected": True}, r"edges\[0\]: expected two different"),
        ({"items": 2_000_000}, "at most 1,000,000"),
        ({"costs": [[0, 1, 5], [1, 1, 2]]}, r"costs\[1\]: expected .* of 0..2, got 1"),
        ({"costs": [[0, 3, 5]]}, r"costs\[0\]: expected two .* got 0 and 3"),
        ({"costs": [[0, 1, 5], [1, 0, 2]]}, r"costs\[1\]: the pair of 1 and 0 is list"),
        ({"costs": [[0, 1, 2**61]]}, "larger units"),
        ({"groups": [2, 1]}, r"groups: expected \[least, most\]"),
        ({"together": [[0, 5]]}, r"together\[0\]: expected different"),
        *(
            ({"require": [asked]}, message)
            for asked, message in [
                ({"of": [2**61] * 2 + [0], "at_most": 1}, r"2\*\*62"),
                ({"of": [-(2**61), 2**61, 0], "at_most": 1}, r"2\*\*62"),
                ({"of": [1], "at_most": 1}, r"require\[0\].of: 1 values for 3"),
                ({"of": [1] * 3, "at_least": -1}, r"require\[0\].at_least: expected"),
                ({"of": "items"}, r'require\[0\]: expected "of"'),
                (
                    {"of": "items", "at_least": 3, "at_most": 1},
                    "1 is less than at_least, 3",
                ),
            ]
        ),
    ],
    "r-gather": [
        *CLUSTERINGS,
        ({"points": LINE, "scale": 10}, "scale: euclidean radii are exact"),
    ],
    "cellular-clustering": [
        *CLUSTERINGS,
        *(
            ({"points": LINE, **fields}, message)
            for fields, message in (
                ({"facility_costs": [1, 2]}, "facility_costs: 2 of them for 3 points"),
                (
                    {"facility_costs": [0, 0, 2**41]},
                    r"_costs\[2\]: expected at most 1099511627776, got 2199023255552",
                ),
                ({"facility_costs": [0, -1, 0]}, r"facility_costs\[1\]: expected"),
                (
                    {"facility_costs": [0, 1, 0], "centres": "any"},
                    'with centres "any" no point is a centre that pays',
                ),
            )
        ),
    ],
}


@pytest.mark.parametrize(
    ("problem", "fields", "message"),
    [(problem, *row) for problem, rows in REFUSED.items() for row in rows],
)
def test_what_is_refused_is_told_on_one_line(problem, fields, message):
    with pytest.raises(InvalidInstanceError, match=message) as caught:
        from_dict({"problem": problem, **PLAIN[problem], **fields})
    assert "\n" not in str(caught.value)
