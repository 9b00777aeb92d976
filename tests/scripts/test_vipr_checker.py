import random
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction

import pytest

import atleastk
from scripts import vipr_checker
from scripts.vipr_checker import Refused, Unchecked, checked, main

VIPRCHK = shutil.which("viprchk")


def proof(to="vipr", parts=None, **more):
    instance = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8, **more)
    result = atleastk.solve(instance, certify=True, workers=1)
    if parts is not None:
        result = replace(result, certificate={**result.certificate, "parts": parts})
    (text,) = atleastk.prove(instance, result, to=to).values()
    return text.splitlines()


def refused(lines):
    try:
        checked(lines)
    except Refused as error:
        return str(error)
    return None


def derivations(lines):
    head = next(i for i, line in enumerate(lines) if line.startswith("DER"))
    return range(head + 1, len(lines))


def without(lines, place):
    left = [*lines[:place], *lines[place + 1 :]]
    head = derivations(lines)[0] - 1
    left[head] = f"DER {len(lines) - head - 2}"
    return left


def test_proofs_hold():
    assert refused(proof()) is None
    assert refused(proof(objective="excess")) is None


def test_every_line_counts():
    lines = proof(parts={"3": [1, 1, -1, -1], "4": [1, 1, -2, -2]})  # both needed
    assert all(refused(without(lines, place)) for place in derivations(lines))


def factors(line):
    words = line.split()
    start = words.index("{")
    if words[start + 1] not in ("lin", "rnd"):
        return words, []
    return words, range(start + 4, words.index("}"), 2)


def test_factors_matter():
    lines, accepted, tried = proof(), 0, 0
    for place in derivations(lines):
        words, places = factors(lines[place])
        for at in places:
            for new in ("0", str(-Fraction(words[at])), "99"):
                changed = [*words[:at], new, *words[at + 1 :]]
                broken = [*lines[:place], " ".join(changed), *lines[place + 1 :]]
                tried += 1
                accepted += refused(broken) is None
    assert tried > 100
    assert accepted == 0


@pytest.mark.parametrize("delta", [-1, 1])
def test_rows_matter(delta):
    lines = proof()
    for place, line in enumerate(lines):
        if line.startswith("item"):
            name, sense, value, *rest = line.split()
            words = [name, sense, str(int(value) + delta), *rest]
            assert refused([*lines[:place], " ".join(words), *lines[place + 1 :]])


def test_claims_matter():
    lines = proof()
    for place in derivations(lines):
        name, sense, value, *rest = lines[place].split()
        if "asm" in rest or rest[0] == "0":
            continue
        stronger = int(value) + {"L": -1, "G": 1}[sense]
        words = [name, sense, str(stronger), *rest]
        assert refused([*lines[:place], " ".join(words), *lines[place + 1 :]])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("VER 1.0", "VER 1.1", "expected 1.0, got 1.1"),
        ("OBJ min", "OBJ best", "objective"),
        ("RTP infeas", "RTP range 1 2", "expected infeas"),
        ("SOL 0", "SOL 1", "expected 0"),
        ("INT 7", "INT 8", "no number"),
        (" E ", " N ", "sense"),
        (" 1 ", " 1/0 ", "no number"),
        ("{ asm }", "{ sol }", "reason sol"),
        ("{ asm }", "{ asm", "expected }"),
        ("VAR 7", "VAR 70000000", "ends early"),
    ],
)
def test_other_files_are_refused(old, new, why):
    lines = proof()
    place = next(i for i, line in enumerate(lines) if old in line and line[0] != "%")
    lines[place] = lines[place].replace(old, new, 1)
    assert why in refused(lines)


def test_the_end_is_the_end():
    lines = proof()
    assert "expected the end" in refused([*lines, "more"])
    assert "ends early" in refused(lines[:-1])
    assert "ends early" in refused([])


def test_mutilated_files_are_refused():
    rng, text = random.Random(1), [line.split() for line in proof()[4:]]
    words = [word for line in text for word in line]
    head = proof()[:4]
    refusals = 0
    for _ in range(300):
        broken, a, b = list(words), *rng.sample(range(len(words)), 2)
        match rng.randrange(3):
            case 0:
                del broken[a]
            case 1:
                broken.insert(a, broken[b])
            case _:
                broken[a], broken[b] = broken[b], broken[a]
        refusals += refused([*head, *(" ".join([word]) for word in broken)]) is not None
    assert refusals > 200


def test_only_assumptions_of_integers_make_cases():
    """Of x = 1 / 2 the cases x <= 0 and x >= 1 are no two cases, if x is no integer."""
    text = (
        "VER 1.0 VAR 1 x INT {} OBJ min 0 CON 1 0 half E 1 1 0 2 RTP infeas SOL 0 "
        "DER 5 a L 0 1 0 1 {{ asm }} -1 b G 1 1 0 1 {{ asm }} -1 "
        "c L -1 0 {{ lin 2 0 -1 1 2 }} -1 d L -1 0 {{ lin 2 0 1 2 -2 }} -1 "
        "e L -1 0 {{ uns 3 1 4 2 }} -1"
    )
    assert refused([text.format("1 0")]) is None
    assert "no two cases" in refused([text.format("0")])
    assert "no two cases" in refused([text.format("1 0").replace("4 2 }", "4 1 }")])


def test_the_command_tells(tmp_path, capsys):
    good, bad = tmp_path / "good.vipr", tmp_path / "bad.vipr"
    good.write_text("\n".join(proof()))
    bad.write_text("\n".join(proof()[:-1]))
    assert main([str(good)]) == 0
    assert main([str(good), str(bad), str(tmp_path / "none")]) == 1
    out = capsys.readouterr().out
    assert "good.vipr: holds: 7 integer variables" in out
    assert "bad.vipr: refused: the file ends early" in out


@pytest.mark.skipif(VIPRCHK is None, reason="viprchk is not on PATH")
def test_viprchk_agrees(tmp_path):
    lines = proof()
    for number, text in enumerate([lines, without(lines, len(lines) - 2)]):
        path = tmp_path / f"{number}.vipr"
        path.write_text("\n".join(text) + "\n")
        told = subprocess.run(
            [VIPRCHK, path], capture_output=True, text=True, check=False
        )
        assert ("Successfully verified" in told.stdout) == (refused(text) is None)


@pytest.mark.parametrize(
    "number", ["1e9999999", "1E9", "0x3", "1_0", "inf", "nan", "3/0"]
)
def test_numbers_have_no_exponents(number):
    """Eight characters of them would be a number that takes for ever."""
    lines = proof()
    place = next(i for i, line in enumerate(lines) if line.startswith("item0 "))
    words = lines[place].split()
    words[2] = number
    told = refused([*lines[:place], " ".join(words), *lines[place + 1 :]])
    assert "number" in told


def test_too_much_work_is_told(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(vipr_checker, "MOST_PRODUCTS", 10)
    path = tmp_path / "long.vipr"
    path.write_text("\n".join(proof()))
    assert main([str(path)]) == 2
    (line,) = capsys.readouterr().out.splitlines()
    assert "not checked: too much work: more than 10 products" in line


def test_fractions_do_not_grow_without_end():
    count = 12
    rows = "\n".join(
        f"r{i} G 1/{10**1000 + i} 1 0 1/{10**1000 + i}" for i in range(count)
    )
    factors = " ".join(f"{i} 1" for i in range(count))
    text = (
        f"VER 1.0\nVAR 1 x\nINT 0\nOBJ min 0\nCON {count} 0\n{rows}\n"
        f"RTP infeas\nSOL 0\nDER 1\nd G 1 0 {{ lin {count} {factors} }} -1\n"
    )
    with pytest.raises(Unchecked, match="numbers of more than 20,000 bits"):
        checked(text.splitlines())
