import re
import shutil
import subprocess

import pytest

import atleastk
from scripts import veripb_checker
from scripts.veripb_checker import Refused, Unchecked, checked, main

VERIPB = shutil.which("veripb")


def lemma(bins="m4"):
    instance = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8)
    result = atleastk.solve(instance, certify=True, workers=1)
    made = atleastk.prove(instance, result, to="veripb")
    return made[f"{bins}.opb"].splitlines(), made[f"{bins}.pbp"].splitlines()


def refused(formula, proof):
    try:
        checked(formula, proof)
    except Refused as error:
        return str(error)
    return None


def steps(proof):
    return [i for i, line in enumerate(proof) if line.startswith(("pol", "rup"))]


@pytest.mark.parametrize("bins", ["m3", "m4"])
def test_proofs_hold(bins):
    formula, proof = lemma(bins)
    assert refused(formula, proof) is None


def test_every_line_counts():
    formula, proof = lemma()
    for place in steps(proof):
        assert refused(formula, [*proof[:place], *proof[place + 1 :]])


def test_hints_count():
    formula, proof = lemma()
    for place in steps(proof):
        rule, *words = proof[place].split()
        if rule != "rup":
            continue
        colon = words.index(":")
        line = " ".join([rule, *words[: colon + 1], "~ ;"])
        assert refused(formula, [*proof[:place], line, *proof[place + 1 :]])


def test_multiples_count():
    formula, proof = lemma()
    for place in steps(proof):
        if proof[place].startswith("pol 3"):
            words = proof[place].split()
            line = " ".join([*words[:2], "0", *words[3:]])
            assert refused(formula, [*proof[:place], line, *proof[place + 1 :]])


@pytest.mark.parametrize(("row", "by"), [(0, 8), (1, 1), (2, 2)])
def test_weaker_rows_are_refused(row, by):
    formula, proof = lemma("m3")
    place = [i for i, line in enumerate(formula) if not line.startswith("*")][row]
    terms, value = re.fullmatch(r"(.*) >= (-?\d+) ;", formula[place]).groups()
    weaker = f"{terms} >= {int(value) - by} ;"
    assert refused([*formula[:place], weaker, *formula[place + 1 :]], proof)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("version 3.0", "version 2.0", "version 3.0"),
        ("f 3 ;", "f 2 ;", "3 rows, not 2"),
        ("f 3 ;", "", "ends with ;"),
        ("pol", "red", "rule red"),
        ("output NONE", "output FILE", "output NONE"),
        ("conclusion UNSAT", "conclusion SAT", "conclusion UNSAT"),
        ("UNSAT : ", "UNSAT : 9", "no line"),
        ("* +", "* + 1", "more than one constraint"),
        ("2 * ", "-2 * ", "cannot be multiplied"),
        (" ~ ;", " 0 ;", "no line 0"),
        (">= 1", "= 1", "not a proof"),
        (">= 1", ">= x", "not a proof"),
    ],
)
def test_other_files_are_refused(old, new, why):
    formula, proof = lemma()
    place = next(i for i, line in enumerate(proof) if old in line)
    proof[place] = proof[place].replace(old, new)
    told = refused(formula, proof)
    assert why in told or told.startswith("expected a constraint")


def test_a_line_of_the_formula_is_no_contradiction():
    formula, proof = lemma()
    place = next(i for i, line in enumerate(proof) if line.startswith("conclusion"))
    proof[place] = "conclusion UNSAT : 1 ;"
    assert "line 1 is no contradiction" in refused(formula, proof)


def test_empty_files_are_refused():
    assert refused([], []) is not None
    assert refused([], ["pseudo-Boolean proof version 3.0"]) is not None


def test_the_command_tells(tmp_path, capsys):
    opb, pbp = tmp_path / "a.opb", tmp_path / "a.pbp"
    formula, proof = lemma()
    opb.write_text("\n".join(formula))
    pbp.write_text("\n".join(proof))
    assert main(str(opb), str(pbp)) == 0
    pbp.write_text("\n".join(proof[:-4]))
    assert main(str(opb), str(pbp)) == 1
    assert main(str(opb), str(tmp_path / "none")) == 1
    out = capsys.readouterr().out
    assert "a.pbp: holds: 3 rows have no solution" in out
    assert "a.pbp: refused" in out


def test_z3_refutes_the_lemmas():
    z3 = pytest.importorskip("z3", reason="z3-solver is not installed")
    for bins in ("m3", "m4"):
        formula, _ = lemma(bins)
        solver = z3.Solver()
        for line in formula:
            if line.startswith("*"):
                continue
            *terms, _, value, _ = line.split()
            pairs = zip(terms[::2], terms[1::2], strict=True)
            left = z3.Sum([int(c) * z3.If(z3.Bool(x), 1, 0) for c, x in pairs])
            solver.add(left >= int(value))
        assert solver.check() == z3.unsat


@pytest.mark.skipif(VERIPB is None, reason="veripb is not on PATH")
def test_veripb_agrees(tmp_path):
    opb, pbp = tmp_path / "a.opb", tmp_path / "a.pbp"
    formula, proof = lemma()
    opb.write_text("\n".join(formula) + "\n")
    broken = [*proof[: steps(proof)[-2]], *proof[steps(proof)[-2] + 1 :]]
    for lines, code in ((proof, 0), (broken, 1)):
        pbp.write_text("\n".join(lines) + "\n")
        told = subprocess.run([VERIPB, opb, pbp], capture_output=True, check=False)
        assert bool(told.returncode) == bool(code)


def test_numbers_do_not_grow_without_end():
    formula, proof = lemma()
    head = proof[:2]
    for line in ("pol 1 " + "9" * 4000 + " * " + ("9" * 4000 + " * ") * 3 + ";",):
        with pytest.raises(Unchecked, match="numbers of more than 20,000 bits"):
            checked(formula, [*head, line, "pol 3 2 * ;", *proof[2:]])


def test_too_much_work_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(veripb_checker, "MOST_STEPS", 10)
    paths = [tmp_path / name for name in ("a.opb", "a.pbp")]
    for path, lines in zip(paths, lemma(), strict=True):
        path.write_text("\n".join(lines))
    assert main(*map(str, paths)) == 2
    (line,) = capsys.readouterr().out.splitlines()
    assert "not checked: too much work: more than 10 steps" in line
