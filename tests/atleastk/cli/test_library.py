import json

import pytest

import atleastk
from atleastk.instances.files import files
from atleastk.research.collecting.library import Library

SEVEN = "bin-covering-worst-k8-n7"


@pytest.fixture
def folder(tmp_path, run):
    home = tmp_path / "own"
    instance = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8, name="Seven sizes")
    path = tmp_path / "seven.json"
    files.write(path, instance.to_dict())
    code, out, _ = run("library", "add", path, "--folder", home, "--licence", "CC0")
    assert (code, out) == (0, "1 instances are new\n")
    return home


def test_a_list(run, done):
    out = done("library", "list", "--problem", "diversity", "--status", "open")
    rows = run("library", "list", "--problem", "diversity", "--json")[1].splitlines()
    assert len(rows) == len(atleastk.library.filter(problem="diversity"))
    assert {json.loads(row)["problem"] for row in rows} == {"diversity"}
    assert "instances: " in out


def test_what_is_not_open_yet_was_tried(run):
    hint = "open is what was tried long enough; for the others: --status tried\n"
    out = run("library", "list", "--problem", "diversity", "--status", "open")[1]
    assert out.endswith(f"0 instances: none\n{hint}")
    assert hint not in run("library", "list", "--status", "tried")[1]


def test_a_folder_that_is_not_there_is_told(tmp_path, refused):
    error = refused("library", "check", "--folder", tmp_path / "none")
    assert error == f"atleastk: error: {tmp_path / 'none'}: no such folder\n"


def test_a_record_is_shown(run, done):
    out = done("library", "show", SEVEN)
    assert out.startswith(f"{SEVEN}: bin-covering, n=7 k=8 total=33\n")
    assert atleastk.library[SEVEN].instance_sha256 in out
    shown = json.loads(run("library", "show", SEVEN, "--json")[1])
    assert shown == json.loads(json.dumps(atleastk.library[SEVEN].to_dict()))


def test_every_action_has_its_own_options(run, refused):
    worst = len(atleastk.library.filter(family="worst"))
    for words in (
        ("--family", "worst", "check"),
        ("--family", "worst", "check", "all"),
        ("check", "--family", "worst"),
    ):
        code, out, _ = run("library", *words)
        assert (code, out) == (0, f"{worst} of {worst} hold: {worst} certified\n")
    for words, told in (
        (("check", "--to", "mps"), "unrecognized arguments: --to"),
        (("check", "all", "--take-claims"), "unrecognized arguments: --take-claims"),
        (("look",), "invalid choice: 'look'"),
    ):
        assert told in refused("library", *words)


def test_a_folder_may_be_called_as_an_action(folder, tmp_path, monkeypatch, done):
    folder.rename(tmp_path / "add")
    monkeypatch.chdir(tmp_path)
    out = done("library", "--folder", "add", "list")
    assert "seven-sizes" in out


def test_instances_that_are_there_stay(run, folder, tmp_path, refused):
    """So a command that was broken off can be given again; a name is taken once."""
    path = tmp_path / "seven.json"
    words = ("library", "add", path, "--folder", folder)
    assert run(*words)[:2] == (0, "0 instances are new\n")
    files.write(path, {**files.read(path), "k": 9})
    assert "there is an instance called seven-sizes already" in refused(*words)


def test_records_are_checked(folder, done, denied):
    out = done("library", "check", "--problem", "diversity")
    assert " hold: " in out
    path = folder / "bin-covering.jsonl.gz"
    ((_, document),) = files.read_lines(path)
    files.write_lines(path, [{**document, "instance_sha256": "0" * 64}])
    out = denied("library", "check", "all", "--folder", folder)
    assert "seven-sizes: makes another instance" in out.replace(
        "seven-sizes: seven-sizes", "seven-sizes"
    )
    assert "0 of 1 hold: 1 new" in out


def test_improvement_goes_by_a_submission(run, folder, tmp_path, done):
    submission = tmp_path / "submission.jsonl"
    code, out, _ = run(
        *("library", "improve", "--folder", folder, "-o", submission),
        *("--time-limit", 600, "--workers", 1),
    )
    assert (code, out) == (0, "seven-sizes: certified, cost 12, bound 12\n")
    assert Library(folder)["seven-sizes"].known is None
    code, out, _ = run("library", "submit", submission, "--folder", folder)
    assert (code, out) == (0, "seven-sizes: certified, cost 12, bound 12\n")
    assert Library(folder)["seven-sizes"].status == "certified"
    code, out, _ = run("library", "submit", submission, "--folder", folder)
    assert (code, out) == (0, "seven-sizes: no gain\n")
    assert done("library", "improve", "--folder", folder) == ""


def test_false_submissions_change_nothing(run, folder, tmp_path):
    result = atleastk.library[SEVEN].result.to_dict()
    submission = tmp_path / "submission.jsonl"
    other = {**result, "instance_sha256": "0" * 64}
    files.write_lines(submission, [{**result, "cost": 11, "bound": 11}, other])
    code, _, err = run("library", "submit", submission, "--folder", folder)
    assert code == 1
    assert "submission.jsonl:1: seven-sizes: does not hold: " in err
    assert "submission.jsonl:2: the library has no instance of this" in err
    assert Library(folder)["seven-sizes"].known is None


def test_an_instance_is_solved_and_compared(run, tmp_path, done):
    out = tmp_path / "result.json"
    code, printed, err = run("library", "solve", SEVEN, "-o", out, "--workers", 1)
    assert code == 0
    assert "  cost    12\n" in printed
    assert err.endswith("the library has certified, cost 12, bound 12\n")
    assert atleastk.check(atleastk.library[SEVEN].instance, files.read(out)).feasible
    printed = done("cite", out)
    assert printed.startswith("Optimum 12 of the bin-covering instance of sha256")


def test_a_claim_is_cited(done, refused):
    printed = done("cite", "du09-lemma-1-proof")
    told = "[Du09] Lemma 1, proof: refuted as printed, holds as repaired"
    assert printed.startswith(f"{told}: claim du09-lemma-1-proof of W. Du, ")
    shown = "path (1, 0, 1), k = 2: 2 nodes have all edges oriented inwards"
    told = f"2009; counter-example {shown}. atleastk {atleastk.__version__}."
    assert told in printed
    assert "@misc{atleastk-du09-lemma-1-proof,\n" in printed
    assert 'no instance of the library; did you mean "du09-lemma-1-proof"?' in refused(
        "cite du09-lemma-1-prof"
    )


def test_another_solver_is_compared(run, refused):
    code, out, _ = run("library", "solve", SEVEN, "--solver", "HiGHS", "--workers", 1)
    told = "OPTIMAL, cost 12, bound 12; the library has certified, cost 12, bound 12"
    assert (code, out) == (0, f"{SEVEN}: {told}\n")
    assert "NONE_SUCH: not installed here; PuLP finds HiGHS" in refused(
        "library solve", SEVEN, "--solver", "NONE_SUCH"
    )


def test_exports(run, tmp_path, done):
    path = tmp_path / "model.mps"
    assert run("library", "export", SEVEN, "-o", path) == (0, "", "")
    sha256 = atleastk.library[SEVEN].instance_sha256
    assert path.read_text().startswith(f"* bin-covering, sha256 {sha256}\n")
    out = done("library", "export", SEVEN, "--to", "cnf")
    assert out.startswith(f"c bin-covering, sha256 {sha256}; satisfiable iff")
    assert "costs 12 at most" in out


@pytest.mark.parametrize(
    ("name", "begins"),
    [("model.opb", b"* #variable="), ("model.lp.bz2", b"BZh"), ("m.json", b"{")],
)
def test_the_name_of_the_file_says_the_format(run, tmp_path, name, begins):
    path = tmp_path / name
    assert run("library", "export", SEVEN, "-o", path) == (0, "", "")
    assert path.read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show",), "show needs the NAME of an instance, or all"),
        (("show", "nothing"), 'no instance of the library is called "nothing"'),
        (("list", "--status", "so"), 'no status of the library is called "so"'),
        (("submit", "x.json"), "submit needs --folder, a library of your own"),
        (("export", "all"), "export takes one instance, not"),
        (("export", SEVEN, "--to", "mps", "-o", "x.lp"), "is written to one of .mps"),
        (("export", SEVEN, "--at-most", "9"), "only a cnf for less: leave out --at-mo"),
        (
            ("export", SEVEN, "--to", "json", "--formulation", "x"),
            "json is the instance, not a model: leave out --formulation",
        ),
        (("improve", "all", "-o", "x.json"), "need a name that ends in .jsonl"),
    ],
)
def test_errors_are_one_line(words, told, here, refused):
    assert told in refused("library", *words)


def test_a_record_is_cited(run):
    code, out, _ = run("library", "cite", SEVEN, "bin-covering-quadratic-n40-s2")
    assert run("cite", SEVEN)[1].strip() in out
    proved, still_open = out.split("}\n\n")
    assert code == 0
    assert proved == atleastk.library[SEVEN].citation.removesuffix("}")
    sha256 = atleastk.library[SEVEN].instance_sha256
    assert f"@misc{{atleastk-{SEVEN}-{sha256[:12]}," in proved
    assert (
        f"Optimum 12 of the bin-covering instance {SEVEN} of sha256 {sha256}" in proved
    )
    for line in ("  year = {20", "  version = {atleastk ", "  note = {certified; "):
        assert line in proved
    assert still_open.startswith("Best cost ")
    assert " (not closed, at least " in still_open


def test_what_nothing_is_known_of_is_not_cited(folder, refused):
    assert "nothing is known of it yet" in refused(
        f"library cite all --folder {folder}"
    )
