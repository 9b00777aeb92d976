import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import atleastk
from atleastk.cli.main import main
from atleastk.research.claims import counter_examples
from atleastk.research.claims.catalogue import LEFT_OUT, PAPERS, claims_of, modules_of
from atleastk.research.claims.claim import Claim, Kind, Standing, Trial, kind_of
from atleastk.research.claims.examining import Finding, examine, run_counter_example
from scripts.data import write_claims, write_errata

CLAIMS = claims_of()
NAMES = [claim.name for claim in CLAIMS]
REFUTED = {claim.counter_example for claim in CLAIMS if claim.counter_example}
MODULES = {
    path.stem: ast.parse(path.read_text())
    for path in Path(counter_examples.__path__[0]).glob("[!_]*.py")
}
CASES = 2
NONE_WRONG = Trial("f", lambda _: None)


@pytest.mark.parametrize("claim", CLAIMS, ids=NAMES)
def test_it_stands_as_it_says(claim):
    finding = examine(claim, cases=CASES)
    assert finding.against is None
    possible = claim.tested is not None and claim.tested.possible
    assert finding.tried == (CASES if possible else 0)
    refuted = (Standing.REFUTED, Standing.REFUTED_AS_READ)
    assert bool(finding.shown) == (claim.printed in refuted)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_trial_is_one_of_a_record(paper):
    numbers = {claim.number for claim in claims_of([paper])}
    modules = [*modules_of(paper)]
    assert any(getattr(module, "TRIALS", {}) for module in modules)
    for module in modules:
        assert {*getattr(module, "TRIALS", {})} <= numbers
        assert {*getattr(module, "EVIDENCE", {})} <= numbers


def test_names_are_told_apart():
    assert len(set(NAMES)) == len(NAMES)
    assert {claim.paper for claim in CLAIMS} == set(PAPERS)


NUMBERED = {
    "Du09": "1 2 3 4 5 6 7 8 9 10 11",
    "ParkShim07": "3.2 3.7 3.8 3.9 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.10 4.11 4.13 4.14 "
    "4.15 4.16",
    "Aggarwal10": "2.2 2.3 2.4 2.5 2.6 2.7 2.8 3.2 3.3 3.4 3.5 3.6 3.7 3.8",
    "Chaytor06": "2.1.14 2.1.15 2.1.16 2.1.17 3.3.9 3.3.10 3.3.11 3.3.12 4.1.1 4.1.2 "
    "4.1.3 4.1.4 4.1.5 4.1.6 4.1.7 4.1.8 4.2.1 4.2.2 4.3.1 4.3.2 4.3.3 4.3.4 4.3.5 "
    "5.1.1 5.1.2 5.1.3 5.2.1 5.2.2 5.2.3 5.2.4 5.2.5 5.3.1 5.3.2 5.3.3 5.3.4 4.1 4.2 "
    "4.3 4.4 5.1 5.2 5.3 5.4",
    "Chakaravarthy10": "1 2 3 4 3.1 3.2 3.3",
}
"""Theorems, lemmas, corollaries, claims, examples and tables of the papers."""


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_statement_is_a_record(paper):
    words = {
        word.rstrip(",")
        for claim in claims_of([paper])
        for word in claim.number.split()
    }
    assert set(NUMBERED[paper].split()) <= words
    assert set(NUMBERED) == set(PAPERS) == set(LEFT_OUT)


def test_every_counter_example_refutes_a_claim():
    functions = [
        (f"{module} {node.name}", node.args.args)
        for module, tree in MODULES.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    ]
    assert {name for name, given in functions if not given} == REFUTED


@pytest.mark.parametrize("module", MODULES)
def test_counter_examples_need_the_standard_library_only(module):
    nodes = list(ast.walk(MODULES[module]))
    names = [name.name for n in nodes if isinstance(n, ast.Import) for name in n.names]
    modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in (*names, *modules)} <= {
        "bisect", "collections", "fractions", "functools", "heapq", "itertools", "math",
        "sys",
    }  # fmt: skip


def claim_of(**told):
    return Claim(
        paper="P", number="1", kind=Kind.LEMMA, says="Numbers are even.", **told
    )


def test_a_counter_example_speaks_against_a_claim_that_is_said_to_hold():
    def attempt(rng: Random):
        n = rng.randrange(10)
        return f"{n} is odd" if n % 2 else None

    finding = examine(claim_of(trial=Trial("digits", attempt)), cases=50)
    assert re.fullmatch(r"case \d+ of seed 0: [13579] is odd", finding.against)
    again = examine(claim_of(trial=Trial("digits", attempt)), cases=50)
    assert again.against == finding.against


@pytest.mark.parametrize("name", ["du09 no_such_function", "no_such_module light_map"])
def test_a_program_that_refutes_nothing_speaks_against_its_claim(name):
    finding = examine(claim_of(counter_example=name), cases=1)
    assert finding.against is not None
    assert finding.against.startswith(f"{name} does not refute it")
    refuted, said = run_counter_example(name)
    assert not refuted
    assert "no_such" in said


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"trial": NONE_WRONG, "counter_example": "w"},
        {"untested": "u", "repaired": NONE_WRONG},
        {"untested": "u", "reading": "r", "ours": True},
        {"counter_example": "w", "ours": True},
    ],
)
def test_a_claim_says_how_it_stands(told):
    with pytest.raises(ValueError, match="p-1"):
        claim_of(**told)


READ = {
    "du09-section-3-rectangles",
    "du09-section-4-intervals",
    "du09-theorem-10-without-loss-of-generality",
    "du09-section-5-spread-and-fold",
    "du09-section-5-spread",
    "aggarwal10-section-2.2-greater-r",
    "chakaravarthy10-corollary-3.3-factor-63",
}
"""Claims that fail in a reading of ours: the texts do not print it."""


def test_readings_of_ours_are_no_mistakes_of_the_papers(done):
    assert {c.name for c in CLAIMS if c.printed is Standing.REFUTED_AS_READ} == READ
    told = done("claims", "du09-section-5-spread", "--cases", "1")
    assert told.endswith("2 claims as printed: 2 refuted as read\n")


@pytest.mark.parametrize(
    ("told", "printed", "mended"),
    [
        ({"trial": NONE_WRONG}, Standing.UNTESTED, None),
        (
            {"counter_example": "w", "repair": "r", "repaired": NONE_WRONG},
            *(Standing.REFUTED, Standing.UNTESTED),
        ),
    ],
)
def test_nothing_holds_that_was_not_tried(told, printed, mended):
    finding = Finding(claim_of(**told), tried=0, shown="", against=None, seconds=0.0)
    assert (finding.printed, finding.mended) == (printed, mended)


def test_what_needs_a_package_that_is_missing_is_not_tested(monkeypatch, done):
    trial = Trial("names", lambda _: None, needs="no_such_package")
    monkeypatch.setattr(
        "atleastk.research.claims.catalogue.claims_of",
        lambda _: [claim_of(trial=trial)],
    )
    assert "1 claims as printed: 1 not tested" in done("claims")


def test_the_page_is_what_the_records_say():
    write_claims.main(["--check"])


def test_the_errata_are_what_the_records_say():
    write_errata.main(["--check"])
    for paper in PAPERS:
        page = write_errata.sheet_of(paper).read_text(encoding="utf-8")
        told = [c for c in claims_of([paper]) if c.printed in write_errata.HEADS]
        assert all(f". {c.number}" in page for c in told)
        assert all(
            page.count(f"\n- **{n}**: ") == len(told) for n in ("Printed", "Instead")
        )
        shown = page.count("\n- **Wrong**: "), page.count("\n- **Case**: ")
        assert {*shown} == {sum(bool(c.counter_example) for c in told)}
        assert f"(errata/{paper.lower()}.md)" in write_errata.ERRATA.read_text()


def test_the_command_tells_of_each(done):
    told = json.loads(done("claims", "lemma-8", "--json", "--cases", "2"))
    assert (told["name"], told["as_printed"], told["cases"]) == (
        "du09-lemma-8",
        "holds",
        2,
    )


def test_an_interrupt_leaves_what_was_found(capsys, monkeypatch):
    calls = []

    def interrupted(claim, **told):
        if calls:
            raise KeyboardInterrupt
        calls.append(claim)
        return examine(claim, **told)

    monkeypatch.setattr("atleastk.cli.claims.examine", interrupted)
    assert main(["claims", "du09-lemma-8", "du09-lemma-9", "--cases", "1"]) == 130
    told = capsys.readouterr().out
    assert "du09-lemma-8" in told
    assert "1 claims as printed: 1 holds" in told


def test_what_does_not_stand_is_named_at_the_end(monkeypatch, denied):
    def refuted(claim, **told):
        return replace(examine(claim, **told), against="case 0 of seed 0: no")

    monkeypatch.setattr("atleastk.cli.claims.examine", refuted)
    assert denied("claims", "du09-lemma-8", "--cases", "1").endswith(
        "1 of them WRONG: du09-lemma-8\n"
    )


def test_claims_are_chosen_and_shown():
    refuted = atleastk.claims(paper="Chakaravarthy10", verdict="refuted")
    assert [claim.number for claim in refuted] == [
        "section 4, patterns",
        "section 4, variables",
        "section 5, all cells",
    ]
    assert [*atleastk.claims()] == [*CLAIMS]
    assert repr(refuted) == "<3 claims>"
    line = str(refuted).splitlines()[-1]
    assert line.startswith("| chakaravarthy10-section-5-all-cells | Suppressing all ")
    assert line.endswith(" | refuted | holds |")
    shown = atleastk.claims("variables")._repr_html_()
    assert "m^(2 |S| + 1)" in shown
    assert shown.count("<tr>") == 2
    assert "MIN-e &lt;= 63 VC." in atleastk.claims("factor-63")._repr_html_()
    with pytest.raises(atleastk.UnknownNameError, match="known are holds, refuted, "):
        atleastk.claims(verdict="wrong")


UNKNOWN = "--paper Du9", "no-such-claim"
ENDLESS = "--budget -1", "--budget nan", "--cases -3", "--cases 0"


@pytest.mark.parametrize("words", [*UNKNOWN, *ENDLESS])
def test_unknown_names_and_endless_budgets_are_told_on_one_line(words, refused):
    assert words.split()[-1] in refused(f"claims {words}")


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        ("Theorem 10", Kind.THEOREM),
        ("Theorem 10, heavy items", Kind.STATEMENT),
        ("Lemmas 4.3.2 to 4.3.4", Kind.LEMMA),
        ("Figures 12 and 13", Kind.EXAMPLE),
        ("section 2.2, lower bound", Kind.STATEMENT),
    ],
)
def test_a_number_says_the_kind(number, kind):
    assert kind_of(number) is kind


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("theorm-10", "theorem-10"),
        ("du09-theorm-10", "du09-theorem-10"),
        ("zzzzz", None),
    ],
)
def test_a_name_that_nothing_has_is_told_with_the_nearest(word, meant):
    hint = "" if meant is None else f'did you mean "{meant}"? '
    told = f"no claim is called {word}; {hint}see atleastk claims"
    with pytest.raises(atleastk.UnknownNameError, match=re.escape(told)):
        atleastk.claims(word)
