import random
from fractions import Fraction

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.hierarchies.rules import (
    UnfitError,
    bands_of,
    dates_of,
    masked,
    number_of,
    parts_of,
    places_of,
    quantiles_of,
    rounded,
    span_of,
    with_open_ends,
    written,
)


def test_masked_digits():
    hierarchy = masked(["13053", "13068"])
    assert hierarchy.chain_of["13053"] == (
        *("13053", "1305*", "130**", "13***", "1****"),
        "*****",
    )


def test_codes_of_several_lengths_are_aligned_at_the_left():
    hierarchy = masked(["DE111", "DE1", 7])
    assert hierarchy.chain_of["DE111"][1:] == (
        "DE11*",
        "DE1**",
        "DE***",
        "D****",
        "*****",
    )
    assert hierarchy.chain_of["DE1"][1:] == ("DE1", "DE1**", "DE***", "D****", "*****")
    assert hierarchy.chain_of[7] == (7, "7", "7", "7", "7****", "*****")
    assert masked([""]).height == 0


def test_bands():
    hierarchy = bands_of(["39", 40, -3])
    assert hierarchy.chain_of["39"] == ("39", "35-39", "30-39", "20-39", "*")
    assert hierarchy.chain_of[40] == (40, "40-44", "40-49", "40-59", "*")
    assert hierarchy.chain_of[-3][1] == "-5 to -1"


def test_bands_of_other_numbers():
    hierarchy = bands_of(["0.5", "2", "-1e-1"], (Fraction(1, 2), 1))
    assert hierarchy.chains == (
        ("0.5", "[0.5, 1)", "[0, 1)", "*"),
        ("2", "[2, 2.5)", "[2, 3)", "*"),
        ("-1e-1", "[-0.5, 0)", "[-1, 0)", "*"),
    )
    assert bands_of(["1e30"], (10,)).chains[0][1] == f"1e30-1{'0' * 29}9"


@pytest.mark.parametrize(
    "text", ["0", "-0.001", "1200", "1000000000000000", "-12e16", "1e300", "0.5"]
)
def test_numbers_are_told_as_they_are_read(text):
    assert written(number_of(text)) == text


def test_quantiles():
    hierarchy = quantiles_of({"1": 4, "2": 1, "3.5": 1, "7": 1, "-9": 1}, (4, 2))
    assert hierarchy.chain_of["-9"] == ("-9", "-9 to 1", "-9 to 1", "*")
    assert hierarchy.chain_of["1"][1:3] == ("-9 to 1", "-9 to 1")
    assert hierarchy.chain_of["3.5"] == ("3.5", "3.5-7", "2-7", "*")
    assert hierarchy.chain_of["2"] == ("2", "2", "2-7", "*")
    assert quantiles_of({"5": 9}).chains == (("5", "5", "5", "5", "*"),)


def test_whole_numbers_are_integers_and_others_are_exact():
    found = [number_of(x) for x in ("12", "-3", "+4", "2.0", "1e3", "0.5", "007")]
    assert found == [12, -3, 4, 2, 1000, Fraction(1, 2), 7]
    assert [type(x) for x in found] == [int] * 5 + [Fraction, int]
    odd = rounded(["7", "8", "0.5"], [5, Fraction(20)])
    assert [chain[1:] for chain in odd.chains] == [
        ("5", "0", "*"),
        ("10", "20", "*"),
        ("0", "0", "*"),
    ]


def test_rounding():
    hierarchy = rounded(["46", "-5", "44.9"], (10, 100))
    assert hierarchy.chain_of["46"] == ("46", "50", "100", "*")
    assert hierarchy.chain_of["-5"] == ("-5", "0", "0", "*")
    assert hierarchy.chain_of["44.9"] == ("44.9", "40", "0", "*")


def test_parts():
    hierarchy = parts_of(["1.2.3", "1.2", "4"], ".")
    assert hierarchy.chains == (
        ("1.2.3", "1.2", "1", "*"),
        ("1.2", "1.2", "1", "*"),
        ("4", "4", "4", "*"),
    )


def test_dates():
    assert dates_of(["2020-11-30"]).chains == (
        ("2020-11-30", "2020-11", "2020-Q4", "2020", "2020-2029", "*"),
    )
    chains = dates_of(["1999-01-31 00:00:00", "1999-01-31T23:59:59+01:00"]).chains
    assert [chain[1:3] for chain in chains] == [("1999-01-31", "1999-01")] * 2
    assert dates_of(["1.7.0099"], "%d.%m.%Y").chains[0][1:] == (
        *("0099-07", "0099-Q3", "0099", "0090-0099", "*"),
    )
    assert dates_of(["3/1999"], "%m/%Y").chains == (
        ("3/1999", "1999-Q1", "1999", "1990-1999", "*"),
    )
    assert dates_of(["1999"], "%Y").chains == (("1999", "1990-1999", "*"),)
    with pytest.raises(UnfitError, match=r'"31\.2\.2020" is no date like %d'):
        dates_of(["31.2.2020"], "%d.%m.%Y")
    with pytest.raises(UnfitError, match="is no date in ISO 8601, as 2020-12-31"):
        dates_of(["yesterday"])


def test_open_ends():
    ages = ["17", "18", "40", "65", "99"]
    plain = with_open_ends(ages, Fraction(18), Fraction(65))
    assert plain.chain_of["40"] == ("40", "40", "*")
    assert plain.chain_of["18"] == ("18", "<=18", "*")
    banded = with_open_ends(ages, None, Fraction(65), lambda v: bands_of(v, (5, 10)))
    assert banded.chain_of["40"] == ("40", "40-44", "40-49", "*")
    assert banded.chain_of["65"] == ("65", ">=65", ">=65", "*")
    assert with_open_ends(["70"], None, Fraction(65), masked).chains == (
        ("70", ">=65", "*"),
    )
    with pytest.raises(InvalidInstanceError, match="leave nothing between"):
        with_open_ends(ages, Fraction(5), Fraction(5))


@pytest.mark.parametrize("seed", range(20))
def test_rules_for_numbers_nest(seed):
    rng = random.Random(seed)
    numbers = [
        Fraction(rng.randrange(-500, 500), 10 ** rng.randrange(3)) for _ in range(40)
    ]
    texts = list(dict.fromkeys(map(written, numbers)))
    assert set(map(number_of, texts)) == set(numbers)
    step = rng.choice([Fraction(1, 4), 1, 3])
    steps = (step, 2 * step, 6 * step)
    for made in (
        bands_of(texts, steps),
        rounded(texts, steps),
        quantiles_of({text: rng.randrange(1, 5) for text in texts}, (12, 6, 2)),
        with_open_ends(texts, Fraction(-9), Fraction(9), lambda v: bands_of(v, steps)),
    ):
        assert [chain[0] for chain in made.chains if chain[0] in texts]
        assert {chain[0] for chain in made.chains} == set(texts)


@pytest.mark.parametrize(
    "text", ["", "x", "1/2", "1_000", "nan", "inf", "1e9999", "0x1", "1,5", "1" * 1001]
)
def test_what_is_no_number(text):
    with pytest.raises(UnfitError, match="is no number"):
        number_of(text)


def test_bands_and_spans_of_fractions_are_exact():
    """Also of negative numbers, and of widths that are no integers."""
    rng = random.Random(4)
    for _ in range(200):
        numbers = [
            number_of(f"{rng.randint(-99, 99)}{rng.choice(['', '.5', '.25', 'e-3'])}")
            for _ in range(rng.randint(1, 9))
        ]
        width = rng.choice([1, 7, Fraction(1, 10), Fraction(5, 2)])
        assert places_of(numbers, width) == [number // width for number in numbers]
        assert span_of(numbers) == max(numbers) - min(numbers)


@pytest.mark.parametrize(
    "text", ["0.1", "12.50", "007", ".5", "5.", "0.0", "-1.5", "1e2"]
)
def test_numbers_are_read_as_fractions_are(text):
    number = number_of(text)
    assert number == Fraction(text)
    assert isinstance(number, int) == (Fraction(text).denominator == 1)
