"""Wishes that are refused: one line says which, and what would do."""

import pytest
from tables import of_columns

from atleastk import InvalidInstanceError, UnknownNameError, anonymize

AGES = [[age, f"{age[0]}0s", "*"] for age in ("31", "38", "42")]
ZIPS = [[z, z[:3], z[:1], "*"] for z in ("13053", "13068", "22041")]
NAMES = ["age", "zip"]
BOTH = {"hierarchies": {"age": AGES, "zip": ZIPS}}
PEOPLE = of_columns(
    age=[age for age, *_ in AGES] * 2,
    zip=[code for code, *_ in ZIPS for _ in range(2)],
    ill=["flu", "cold"] * 3,
    pay="012345",
    rank=[0, 1, 2] * 2,
    weight=["1234567"] * 6,
    half=[0.5, float("nan")] * 3,
    signs=["2.5", "1,5"] * 3,
)
ENTRIES = {"hierarchies": "auto", "on": "entries"}
ENTROPY = {"sensitive": "pay", "l": 2, "diversity": "entropy"}
ORDERED = {"sensitive": "pay", "t": 0.2, "ordered": True}
PRECISION = {"hierarchies": "auto", "loss": "precision"}
HEAVY = {"row_weights": "weight", "weights": {"age": 10**9 - 2}}

WRONG = [
    ({"columns": ["age", "age"]}, 'columns: "age" twice'),
    ({"columns": []}, "columns: none"),
    *(
        ({"shuffle": seed}, "^shuffle: expected an integer from")
        for seed in (-1, 2**31, "7", 0.5, None)
    ),
    # weights
    ({"weights": {"age": 0}}, '"age" has 0; expected an integer'),
    ({"weights": {"age": 1.5}}, '"age" has 1.5; expected'),
    ({"weights": {"age": 10**10}}, "above 1000000000; take sma"),
    ({**PRECISION, "weights": {"age": 10**9}}, "take smaller weights, or the loss hei"),
    (
        {"loss": "discernibility", "weights": {"age": 2}},
        "column_weights: discernibility counts no levels",
    ),
    ({"row_weights": "zip"}, 'row_weights: "zip" is among the columns to'),
    (HEAVY, "row_weights: a table at the top of all costs .* or round them"),
    # hierarchies and their levels
    ({"hierarchies": "autos"}, "hierarchies: autos is neither a folder nor a rule"),
    ({"hierarchies": ["auto"]}, "expected a rule, a folder, or a dict of columns"),
    ({"hierarchies": {"age": ZIPS}}, '"31" in row 1, .* in row 3 have no line'),
    ({"hierarchies": {"age": "no.csv"}}, r"no\.csv: no such file"),
    ({"hierarchies": {"age": [["1"], ["2"]]}}, 'hierarchy of "age": '),
    ({"loss": "money"}, "loss: expected one of"),
    ({"on": "rows"}, "on: expected one of"),
    *(
        ({**BOTH, "levels": {"zip": level}}, '"zip" has levels 0 to 3; expected one of')
        for level in (4, (2, 1), "x")
    ),
    ({**BOTH, "levels": {"zip": 1}, "intact": ["zip"]}, 'levels: "zip" is intact, whi'),
    ({"recode": {"zip": (ZIPS, 4)}}, 'recode: "zip" has levels 0 to 3, not 4'),
    ({"recode": {"zip": AGES}}, "have no line in"),
    (
        {"recode": {"zip": ("prefix", 5)}},
        'column "zip" holds the marker .* recode it to a level below its top, or drop',
    ),
    # thresholds of risk
    ({**BOTH, "mean_risk": 2}, "mean_risk: expected a share such as 5%"),
    ({**BOTH, "small": 3}, "small and at_risk go together"),
    ({**BOTH, "k_map": 3}, "k_map: of which population"),
    ({**BOTH, "household": "zip"}, 'household: "zip" is among the columns to anonymi'),
    # rows that are suppressed
    *(
        ({"suppress_rows": rows}, "suppress_rows: expected a number of rows, or a")
        for rows in ("five", "101%", -1, 1.5, float("nan"), True)
    ),
    (
        {"suppress_rows": 1, "on": "entries", "sensitive": "ill", "l": 2},
        "suppress_rows: on entries rows are dropped only where no values are sens",
    ),
    # sensitive values
    ({"l": 2}, "l: of which values"),
    ({"t": 0.0}, "t: of which values"),
    ({"sensitive": "zip", "l": 2}, '"zip" is among'),
    ({"sensitive": "ill", "diversity": "frequency"}, "diversity: says how l is read"),
    ({"sensitive": "ill", "t": 1.5}, "t: expected a fraction"),
    *(
        ({**wish, **how}, "is judged by the classes of whole")
        for wish in (ENTROPY, ORDERED)
        for how in ({}, ENTRIES)
    ),
    (
        {**BOTH, "sensitive": "ill", "t": 0.2, "ordered": True},
        'ordered: column "ill" holds "flu" in row 1; expected a number',
    ),
    (
        {**BOTH, "sensitive": "half", "t": 0.2, "ordered": True},
        'ordered: column "half" holds "nan" in row 2; expected a number',
    ),
    (
        {**BOTH, "sensitive": "signs", "t": 0.2, "ordered": True},
        'ordered: column "signs" holds "1,5" in row 2; expected a number',
    ),
    # limits, orders and names of problems
    (
        {**BOTH, "intact": ["age"], "deletion": True},
        "deletion is for suppressing cells, hierarchies for generalising them",
    ),
    ({"column_order": [["age", "zip"], ["age"]]}, '"age" is named twice'),
    ({"column_order": [NAMES]}, "expected two classes or more"),
    ({"column_order": [NAMES, []]}, "expected two classes or more"),
    ({"row_order": "ill"}, 'column "ill" holds "flu"; expected numbers'),
    ({"row_order": {"rank": [0, 1]}}, 'column "rank": "2" is left out'),
    ({"row_order": {"rank": [0, 1, 2, 3]}}, '"3" is no value of it'),
    ({"row_order": {"rank": [0, 1, 2, 0]}}, '"0" is named twice'),
    ({"row_order": {"rank": [[0, 1, 2]]}}, "expected two classes"),
    ({"row_order": {"rank": [[0, 1, 2], []]}}, "expected two classes"),
    ({"row_order": {"rank": [0], "age": [3]}}, "expected one column and its values"),
    ({"row_order": [[0, 1], [2]]}, r"row_order: expected each of the rows 0\.\.5"),
    ({"limits": {"cells": 3}}, "limits: expected one of"),
    ({"deletion": True}, "deletion: rows or columns must be limited or minimised"),
    ({"problem": "r-MIN-e-SUP"}, "limits: r-MIN-e-SUP needs a limit of rows"),
    (
        {"problem": "r-DEL", "limits": {"rows": 1}, "deletion": True},
        "deletion: the name r-DEL says that already",
    ),
    ({"problem": "MIN-r'-PART"}, "needs an importance order of rows"),
]
UNKNOWN = [
    ({"columns": ["agee"]}, r'no column is called "agee"; did you mean "age"\?'),
    ({"weights": {"sex": 2}}, 'weights: "sex" is not among'),
    ({"row_weights": "no"}, "no column is called"),
    ({"hierarchies": {"agee": AGES}}, '"agee" is not among the columns'),
    ({**BOTH, "levels": {"zap": 1}}, 'levels: "zap" is not among the col'),
    ({"recode": {"zap": ZIPS}}, 'recode: no column is called "zap"; did you mean "z'),
    ({"sensitive": "dx", "l": 2}, 'no column is called "dx"'),
    ({"intact": ["agee"]}, 'intact: "agee" is not among .*; did you mean "age"'),
    ({"intact": ["rank"]}, 'intact: "rank" is not among the columns to anonymise'),
    ({"row_order": "nobody"}, 'no column is called "nobody"; there are age'),
    ({"problem": "r-MIN-e-SU"}, 'did you mean "r-MIN-e-SUP"'),
]


@pytest.mark.parametrize(
    ("error", "wish", "told"),
    [
        *((InvalidInstanceError, *row) for row in WRONG),
        *((UnknownNameError, *row) for row in UNKNOWN),
    ],
)
def test_a_wish_is_refused_on_one_line(error, wish, told):
    with pytest.raises(error, match=told) as caught:
        anonymize(PEOPLE, 2, **{"columns": NAMES, **wish})
    assert "\n" not in str(caught.value)
