import json
from collections import Counter
from dataclasses import replace

import pytest
from every_problem import INSTANCES, SETTLED

import atleastk
from scripts import vipr_checker, vipr_lists
from scripts.vipr_lists import Unknown, expected, main, read

NOT_LISTED = {"diversity", "generalization", "pair-partition", "suppression"}
KNOWN = sorted(set(SETTLED) - NOT_LISTED)
POINTS = [[0, 0], [9, 9], [1, 0], [9, 8], [0, 2], [7, 9], [3, 3], [4, 1]]
MORE = [
    *(
        kind(r=2, points=POINTS, metric=metric, centres=centres, max_outliers=1)
        for kind in (atleastk.RGather, atleastk.CellularClustering)
        for metric in ("euclidean", "hamming", "manhattan")
        for centres in ("input", "member", "any")
    ),
    atleastk.CellularClustering(
        r=2,
        distances=[[0, 2, None, 5], [2, 0, 3, 4], [None, 3, 0, 1], [5, 4, 1, 0]],
        facility_costs=[3, 1, 4, 1],
        max_clusters=2,
    ),
    atleastk.BinCovering([9, 9, 7, 5, 5, 3, 2, 2], 12, "excess"),
    atleastk.BinCovering([9, 9, 7, 5, 5, 3, 2, 2], 12, "quadratic"),
    atleastk.RectangleTiling(
        [[0, 0, 3], [0, 1, 2], [1, 0, 2], [1, 2, 4], [2, 1, 3]], 4, guillotine=True
    ),
    atleastk.RectangleTilingGrid([[4, 1, 6], [3, 9, 2], [5, 1, 7]], 4, guillotine=True),
    atleastk.KAmbiguity([[0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0]], 2),
    atleastk.KAmbiguity([[0, 1], [1, 0], [1, 1], [2, 1], [2, 2]], 3),
    atleastk.KAnonymity([[0, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0]], 2),
]


def proof_of(instance):
    result = atleastk.solve(instance, 600, certify=True, workers=1)
    try:
        made = atleastk.prove(instance, result)
    except atleastk.NotApplicableError:
        return None
    return json.loads(json.dumps(instance.to_dict())), made["proof.vipr"].splitlines()


def differences(document, lines):
    bound, head, rows = read(lines)
    listed = expected(document, bound, head)
    return listed - rows, rows - listed


@pytest.mark.parametrize("problem", KNOWN)
def test_programs_are_those_of_their_instances(problem):
    proofs = [*filter(None, map(proof_of, INSTANCES[problem]))]
    assert proofs
    for proof in proofs:
        assert differences(*proof) == (Counter(), Counter())


@pytest.mark.parametrize("instance", MORE, ids=str)
def test_more_of_them(instance):
    proof = proof_of(instance)
    if proof is not None:
        assert differences(*proof) == (Counter(), Counter())


@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
def test_bins_taken_one_after_the_other(objective):
    instance = atleastk.BinCovering([9, 9, 7, 5, 5, 3, 2, 2], 12, objective)
    result = atleastk.solve(instance, 600, workers=1)
    made = atleastk.prove(instance, replace(result, certificate={"kind": "subsets"}))
    document = json.loads(json.dumps(instance.to_dict()))
    lines = made["proof.vipr"].splitlines()
    assert differences(document, lines) == (Counter(), Counter())
    assert differences({**document, "sizes": [9, 9, 7, 5, 4, 3, 2, 2]}, lines)[0]


def test_intervals_of_squares():
    instance = atleastk.IntervalCovering([4, 6, 6, 3, 6], 8, "quadratic")
    assert differences(*proof_of(instance)) == (Counter(), Counter())


def test_a_group_less_is_seen():
    document, lines = proof_of(atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8))
    place = lines.index("bin_7_3> G 0 1 0 1")
    count = next(i for i, line in enumerate(lines) if line.startswith("CON"))
    total = int(lines[count].split()[1])
    fewer = [*lines[:place], *lines[place + 1 :]]
    fewer[count] = f"CON {total - 1} 0"
    missing, more = differences(document, fewer)
    assert (missing.total(), more.total()) == (1, 0)
    wider = [line.replace("bin_7_3 ", "bin_9_9 ") for line in lines]
    missing, more = differences(document, wider)
    assert missing.total() == more.total() > 0


def test_no_two_variables_have_one_name():
    """Else rows of two would be read as those of one, which has a solution."""
    document = atleastk.BinCovering([3, 2], 5).to_dict()
    rows = ["G 0 1 0 1", "L 1 2 0 1 1 1", "E 1 1 0 1", "E 1 1 1 1"]
    forged = [
        "% bin-covering: no solution that costs less than 6.",
        *("VER 1.0", "VAR 2", "bin_3_2", "bin_3_2", "INT 2 0 1", "OBJ min 0"),
        *("CON 4 0", *(f"r{i} {row}" for i, row in enumerate(rows))),
        *("RTP infeas", "SOL 0", "DER 1"),
        "d G 1 0 { lin 3 1 -1 2 1 3 1 } -1",
    ]
    assert vipr_checker.checked(forged) == (2, 4, 1)
    with pytest.raises(ValueError, match="two variables have one name"):
        differences(document, forged)


def test_a_variable_may_be_called_as_a_section():
    """Else the rows of a proof could be hidden behind those that names spell."""
    lines = ["% x: no solution.", "VER 1.0", "VAR 3", "CON 0 y", "INT 0"]
    lines += ["OBJ min 0", "CON 1 0", "r E 1 1 2 1", "RTP infeas"]
    assert read(lines)[2] == Counter({("E", 1, frozenset({("y", 1)})): 1})


def test_straight_cuts_are_of_tilings_by_straight_cuts():
    """A proof of these says nothing of other tilings, which may cost less."""
    grid = [[4, 1, 6], [3, 9, 2], [5, 1, 7]]
    document = atleastk.RectangleTilingGrid(grid, 4, guillotine=True).to_dict()
    points = [[0, 0, 3], [0, 1, 2], [1, 0, 2], [1, 2, 4], [2, 1, 3]]
    tiling = atleastk.RectangleTiling(points, 4, guillotine=True).to_dict()
    head = ["and whether it is cut before a row or a column."]
    for cut in (document, tiling):
        free = {**cut, "guillotine": False}
        assert expected(cut, 12, head) != expected(cut, 12, [])
        assert expected(free, 12, head) == expected(free, 12, [])


def test_every_grid_has_a_tiling():
    """So a program of all of them has all boxes, and is not refuted."""
    document = atleastk.RectangleTilingGrid([[4, 1], [3, 9]], 2).to_dict()
    names = {name for _, _, row in expected(document, None, []) for name, _ in row}
    assert len(names) == 9


@pytest.mark.parametrize("problem", sorted(set(INSTANCES) - set(KNOWN)))
def test_other_problems_are_not_known(problem):
    with pytest.raises(Unknown, match=problem):
        expected({"problem": problem}, 3, [])


def test_points_of_fractions_are_not_known():
    points = {"problem": "r-gather", "points": [["0.5", 1], [1, 2]]}
    with pytest.raises(Unknown, match="whole numbers"):
        vipr_lists.expected(points, 3, [])


def test_the_command_tells(tmp_path, capsys):
    document, lines = proof_of(atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8))
    instance, proof = tmp_path / "a.json", tmp_path / "a.vipr"
    proof.write_text("\n".join(lines))
    for sizes, code in ((document["sizes"], 0), ([7, 7, 6, 6, 3, 3, 1], 1)):
        instance.write_text(json.dumps({**document, "sizes": sizes}))
        assert main(str(instance), str(proof)) == code
    instance.write_text(json.dumps({**document, "problem": "suppression"}))
    assert main(str(instance), str(proof)) == 2
    proof.write_text("% nothing\nVER 1.0")
    assert main(str(instance), str(proof)) == 1
    out = capsys.readouterr().out
    assert "the program is that of" in out
    assert "all that cost less than 12" in out
    assert "rows missing" in out
    assert "is no proof of this form" in out
