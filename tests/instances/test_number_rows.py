"""Long lists of rows of numbers in JSON: read, and refused, as Python does it."""

import json
from random import Random

import numpy as np
import pytest

from atleastk.arrays import exact_sum
from atleastk.instances.fields.coded_table import CodedTable, plain
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files import files, number_rows
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.results.result import Result
from atleastk.runs.api import solve

BLANKS = "", " ", "\n", "\t ", "\r\n"
SPELLINGS = "0", "7", "-3", "00", "-0", "01", "- 1", "1 2", "", "-", "+1", "1.5", "2e3"
GREAT = str(10**18 - 1), str(-(10**18)), str(2**63), "9" * 30


def read(text):
    return files.parse(text, "here", InvalidInstanceError)


def expect_long(characters, monkeypatch):
    for module in (files, number_rows):
        monkeypatch.setattr(module, "LONG", characters)


def both_ways(text, monkeypatch):
    """Return what is read, or the message of the error, with arrays and without."""
    found = []
    for long in (1, len(text) + 1):
        expect_long(long, monkeypatch)
        try:
            found.append(plain(read(text)))
        except InvalidInstanceError as error:
            found.append(str(error))
    return found


def drawn(rng, spellings):
    """Draw the text of a list of rows, most of them of one length."""
    width = rng.randint(1, 3)
    rows = []
    for _ in range(rng.randint(1, 4)):
        row = [rng.choice(spellings) for _ in range(width + (rng.random() < 0.1))]
        blank = [rng.choice(BLANKS) for _ in row]
        cells = ",".join(b + cell + b for b, cell in zip(blank, row, strict=True))
        rows.append(f"{rng.choice(BLANKS)}[{cells}]{rng.choice(BLANKS)}")
    return f"[{','.join(rows)}]"


@pytest.mark.parametrize("seed", range(300))
def test_values_and_refusals_are_those_of_python(seed, monkeypatch):
    rng = Random(seed)
    odd = rng.choice((SPELLINGS[:3], SPELLINGS[:3], GREAT, SPELLINGS))
    lists = [drawn(rng, [*SPELLINGS[:3], rng.choice(odd)]) for _ in range(3)]
    text = (
        f'{{"a": {lists[0]}, "b": "[[1, 2]] -Inf", "c": {{"d": {lists[1]}}},'
        f' "e": [{lists[2]}, 5]}}'
    )
    found, plainly = both_ways(text, monkeypatch)
    assert found == plainly


def test_rows_of_one_length_are_an_array(monkeypatch):
    expect_long(1, monkeypatch)
    found = read('{"table": [[1, -2], [30, 4]], "k": 2}')
    assert isinstance(found["table"], CodedTable)
    assert found == {"table": ((1, -2), (30, 4)), "k": 2}
    for ragged in ("[[1], [2, 3]]", "[[1.0, 2]]", '[[1, "2"]]', "[[], []]"):
        assert isinstance(read(f'{{"table": {ragged}}}')["table"], list)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [[1]], "b": NaN}',
        '{"a": NaN, "b": [[1]]}',
        '{"a": -Infinity, "b": [[1]]}',
        '{"a": NaN, "b": ": [[1]]"}',
        '{"a": [[1]], "a": [[2]]}',
        '{"a": [[1]]',
        '{"a": [[1]], "b": "x"',
        # As many digits as there would be, with zeros where there are none:
        '{"a": [[10, 20], [, 4] 2]}',
        '{"a": [[10, 20], [3, ] 42]}',
        '{"a": [[1, 2], 3 [, 4]]}',
        '{"a": [[7], [] 8]}',
        '{"a": [[1, 20, 3], [04,, 6]]}',
    ],
)
def test_what_is_no_json_is_refused_as_before(text, monkeypatch):
    found, plainly = both_ways(text, monkeypatch)
    assert found == plainly
    assert isinstance(found, str)


def test_lists_within_texts_stay_there(monkeypatch):
    for inside in (": [[1]]", "[[1]]", '\\": [[1, 2]]', "-Infinity [[1]]"):
        text = f'{{"b": "{inside}", "a": [[1]]}}'
        assert both_ways(text, monkeypatch) == [json.loads(text)] * 2


def test_sums_may_leave_64_bits():
    rng = np.random.default_rng(1)
    for most in (10, 2**31, 2**62):
        values = rng.integers(-most, most, 1000)
        assert exact_sum(values) == sum(values.tolist())
    assert exact_sum(np.full(5, 2**62)) == 5 * 2**62


def test_results_write_the_certificates_that_they_read(monkeypatch):
    expect_long(1, monkeypatch)
    solved = solve(KAnonymity(((0, 1), (0, 2)), k=2))
    document = {**solved.to_dict(), "certificate": {"kind": "x", "rows": [[1, 2]]}}
    result = Result.from_dict(read(json.dumps(document)))
    assert json.loads(result.to_json())["certificate"] == document["certificate"]
