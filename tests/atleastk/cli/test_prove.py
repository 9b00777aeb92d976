import json

import pytest

from scripts import veripb_checker, vipr_checker

BINS = {"problem": "bin-covering", "sizes": [7, 7, 6, 6, 3, 2, 2], "k": 8}
TABLE = {"problem": "k-anonymity", "k": 2, "table": [[0, 0], [0, 1], [1, 1], [1, 1]]}


@pytest.fixture
def bins(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "bins.json"
    path.write_text(json.dumps(BINS))
    return path


def program(tmp_path, name, prints):
    path = tmp_path / name
    path.write_text(f'#!/bin/sh\necho "{prints}"\necho "$@" >> {tmp_path}/calls\n')
    path.chmod(0o755)


def test_an_instance_is_solved_first(run, bins, tmp_path):
    code, out, err = run("prove", bins, "-o", tmp_path / "a.vipr")
    size = (tmp_path / "a.vipr").stat().st_size
    assert (code, out, err) == (0, f"{tmp_path / 'a.vipr'}: {size:,} bytes\n", "")
    assert vipr_checker.main([str(tmp_path / "a.vipr")]) == 0


def test_a_result_is_proved(bins, tmp_path, done):
    result, proof = tmp_path / "r.json", tmp_path / "a.vipr"
    done("solve", bins, "--certify", "-o", result)
    done("prove", bins, result, "-o", proof)
    assert "no solution that costs less than 12" in proof.read_text()


def test_lemmas_go_to_a_folder(bins, tmp_path, done):
    folder = tmp_path / "lemmas"
    out = done("prove", bins, "--to", "veripb", "-o", folder)
    assert out.count("bytes") == 4
    for bin_count in ("m3", "m4"):
        files = (folder / f"{bin_count}.opb", folder / f"{bin_count}.pbp")
        assert veripb_checker.main(*map(str, files)) == 0
    done("prove", bins, "--to", "opb", "-o", tmp_path / "formulas")
    assert len(list((tmp_path / "formulas").iterdir())) == 2


def test_json_tells_the_sizes(run, bins, tmp_path):
    proof = tmp_path / "a.vipr"
    code, out, _ = run("prove", bins, "-o", proof, "--json")
    sizes = {str(proof): proof.stat().st_size}
    assert (code, json.loads(out)) == (0, {"files": sizes, "accepted_by": None})


def test_a_proof_goes_to_standard_output(run, bins):
    _, out, _ = run("prove", bins, "-o", "-")
    assert vipr_checker.checked(out.splitlines())


@pytest.mark.parametrize(
    ("to", "name", "prints", "files"),
    [
        ("vipr", "viprchk", "Successfully verified infeasibility.", ["out"]),
        (
            "veripb",
            "veripb",
            "s VERIFIED UNSATISFIABLE",
            ["out/m3.opb out/m3.pbp", "out/m4.opb out/m4.pbp"],
        ),
    ],
)
def test_checkers_on_path_read_it(run, bins, here, to, name, prints, files):
    program(here, name, prints)
    code, out, _ = run("prove", bins, "--to", to, "-o", "out")
    assert (code, out.splitlines()[-1]) == (0, f"  accepted by {name}")
    assert (here / "calls").read_text().splitlines() == files
    program(here, name, "Verification failed.")
    code, _, err = run("prove", bins, "--to", to, "-o", "out")
    assert code == 3
    assert f"{name} does not accept it" in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["table.json", "--to", "opb", "-o", "out"], "no knapsack problem: take vipr"),
        (["bins.json", "plain.json", "-o", "a.vipr"], "the result has no certificate"),
        (["bins.json", "-o", "a.json"], "a proof is written to one of .vipr"),
        (["bins.json", "-o", "none/a.vipr"], "no such directory"),
        (["bins.json", "--to", "opb", "-o", "none/a"], "cannot be written"),
        (["bins.json", "-o", "bins.json"], "is the instance"),
        (["bins.json"], "-o/--output"),
    ],
)
def test_refusals_take_one_line(run, bins, here, words, why, refused):
    (here / "table.json").write_text(json.dumps(TABLE))
    run("solve", "bins.json", "-o", "plain.json")
    plain = json.loads((here / "plain.json").read_text())
    plain |= {"certificate": None, "trust": "proved"}
    (here / "plain.json").write_text(json.dumps(plain))
    err = refused("prove", *words)
    assert why in err
    assert len(err.splitlines()) == 1 or "usage" in err
