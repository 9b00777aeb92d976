import pytest

from atleastk import CertificateError, NotApplicableError
from atleastk.models.proofs import vipr
from atleastk.models.proofs.vipr import Program
from scripts.vipr_checker import checked


def halves():
    program = Program(["Two evens."])
    x, y = program.variable("x"), program.variable("y", 3)
    return program, program.row("odd", "E", {x: 2, y: -2}, 1)


def test_equations_are_no_lines_to_be_rounded():
    program, odd = halves()
    up = program.rounded("G", {0: 1, 1: -1}, {odd: 1 / 2})
    assert program.line(up).value == 1
    assert program.line(up - 1).sense == "G"


def test_cases_join_to_a_refutation():
    program, odd = halves()
    cases = program.cases({0: 1, 1: -1}, 0)
    below = program.refuted({odd: -1, cases.below: 2})
    program.joined(cases, below, program.refuted({odd: 1, cases.above: -2}))
    text = list(program.text(["A head."]))
    assert text[:2] == ["% A head.", "% Two evens."]
    assert checked(text) == (2, 4, 5)


def test_what_is_no_contradiction_is_refused():
    program, odd = halves()
    with pytest.raises(CertificateError, match="do not refute"):
        program.refuted({odd: -1, program.row("more", "L", {0: 2, 1: -2}, 1): 1})


def test_a_variable_without_a_bound_is_named():
    program, odd = halves()
    with pytest.raises(CertificateError, match="leave x without a bound"):
        program.refuted({odd: -1})


def test_long_proofs_are_refused(monkeypatch):
    monkeypatch.setattr(vipr, "_MOST_BYTES", 20)
    with pytest.raises(NotApplicableError, match="more than 20 bytes"):
        halves()
