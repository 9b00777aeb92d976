import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.hierarchies.choice import chosen
from atleastk.instances.hierarchies.rules import UnfitError
from atleastk.instances.hierarchies.words import decided, is_rule, ruled


def completed(rule, values):
    return ruled(rule, dict.fromkeys(values, 1))[1]


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        (map(str, range(17, 91)), "bands:5,10,20,40"),
        (["1987", "1999", "2001"], "bands:20"),
        (["0.5", "-0.5", "1.5"], "bands:2"),
        (["1e6", "0", "250000", "30"], "bands:100000,200000,400000,800000"),
        (["0", "1"], "suppression"),
        (["13053", "13068"], "prefix"),
        (["01", "12", "20"], "prefix"),
        (["2020-01-31", "1999-12-01"], "dates"),
        (["2020-01-31 10:00:00", "1999-12-01 00:00:00"], "dates"),
        (["2020-01-31", "1999-13-01"], "suppression"),
        (["A01.1", "B02", "A01.22"], "prefix:."),
        (["e.g.", "v1.2"], "suppression"),
        (["14.03.1960", "1.12.1999"], "dates:%d.%m.%Y"),
        (["14.03.1960 7:15", "1.12.1999 23:59"], "dates:%d.%m.%Y %H:%M"),
        (["03/14/1960", "01/02/1999"], "dates:%m/%d/%Y"),
        (["14/03/1960", "01/02/1999"], "dates:%d/%m/%Y"),
        (["03/04/1960", "01/02/1999"], "dates:%m/%d/%Y"),
        (["14-03-1960", "01-02-1999"], "dates:%d-%m-%Y"),
        (["1960-4-1", "1999-12-31"], "dates:%Y-%m-%d"),
        (["1960-04", "1999-12"], "dates:%Y-%m"),
        (["04/1960", "12/1999"], "dates:%m/%Y"),
        (["19600314", "19991231"], "dates:%Y%m%d"),
        (["14031960", "31121999"], "dates:%d%m%Y"),
        (["14MAR1960", "01DEC1999"], "dates:%d%b%Y"),
        (["1960-03-14", "1999-12-01", "n/a"], "dates"),
        (["14.03.1960", "31.02.1999"], "suppression"),
        (["14.03.1960", "1960"], "suppression"),
        (["14.03.60", "01.12.99"], "suppression"),
        (["34", "35", "47", "NA", "?"], "bands:2,4,8"),
        (["3,5", "4,25", "10"], "bands:5"),
        (["0,123", "0,500", "0,7"], "bands:0.5"),
        (["1,234", "2,500", "900"], "suppression"),
        (["DE111", "DE112", "DE3"], "prefix"),
        (["A011", "B02", "A012"], "prefix"),
        (["R001", "R002", "R103"], "prefix"),
        (["SW1A 1AA", "EC1 2B"], "prefix"),
        (["13053", "13068", "null"], "prefix"),
        (["R1", "R2", "R3"], "suppression"),
        (["NA", "DE", "FR"], "suppression"),
        (["f", "m", "x"], "suppression"),
        (["5"], "suppression"),
        (["12", "13", "?"], "suppression"),
        (["12", "13", "old"], "suppression"),
        (["12", "13", "14", "k. A.", "Unbekannt", "N/A", "-"], "bands:2"),
        (["<20", "20-29", "30-39", "70+"], "joined:2"),
        (["0-17", "18-24", "25-44", "45-64", "65 and over"], "joined:2,4"),
        (["30\u201339", "40 - 49", "50 bis 59", "k.A."], "joined:2"),
        (["20-30", "30-40", "40-50"], "joined:2"),
        (["<=50", ">50", "?"], "suppression"),
        ([*map(str, range(18, 90)), "90+"], "joined:8,16,32,64"),
        ([">=20", "30-39", "40-49"], "suppression"),
        (["20-35", "30-39", "40-49"], "prefix"),
        (["2020-11", "2019-12", "2020-10"], "dates:%Y-%m"),
        (["2020-11", "2019-13", "2020-10"], "prefix"),
        (["11-2020", "12-2020", "01-2021"], "prefix"),
        (["030-1234567", "030-7654321", "089-11122"], "prefix"),
        (["555-1234", "555-9876", "556-1111"], "prefix"),
    ],
)
def test_what_is_chosen(values, rule):
    values = list(values)
    counts = dict.fromkeys(values, 1)
    made, found = ruled("auto", counts)
    assert found == rule
    assert ruled(found, counts) == (made, found)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (["30", "31", "32"], "numbers"),
        (["30", "31", "32", "NA"], 'numbers; "NA" as a value of its own'),
        (["3,5", "4,25", "10"], "numbers with decimal commas"),
        (["03/04/1960"] * 2, "one value"),
        (
            ["03/04/1960", "01/02/1999"],
            "dates, as 03/04/1960, which may be dates:%d/%m/%Y, too",
        ),
        (["03/14/1960", "01/02/1999"], "dates, as 03/14/1960"),
        (["01", "12"], "2 digits each, with leading zeros"),
        (["13053", "13068"], "5 digits each"),
        (["A1.1", "B2"], "codes with dots, as A1.1"),
        (["DE111", "DE3"], "codes, as DE111"),
        ([], "no value"),
        (["5", "NA"], "one value"),
        (["0", "1"], "no more than two numbers"),
        (["R1", "R2"], "codes that differ in their last character only"),
        (["12", "13", "old"], '"old" is no number'),
        (["31.02.1999", "14.03.1960"], '"31.02.1999" is no date like %d.%m.%Y'),
        (["14.03.1960", "1960"], '"1960" is no date like %d.%m.%Y'),
        (["A1", "B2", "14.03.1960"], '"14.03.1960" is a date, and "A1" is none'),
        (["1999-13-01", "1999-12-01"], '"1999-13-01" is no date like %Y-%m-%d'),
        (["14.03.60", "1.2.99"], 'no century of "14.03.60"; if it is a date, as dates'),
        (["1,234", "900"], '"1,234": is the comma one of decimals or of thousands?'),
        (["A1", "B2", "x!"], '"x!" is no code like "A1"'),
        (["f", "m"], "neither numbers nor dates nor codes"),
        (["<20", "20-29", "70+"], "bands, as <20"),
        ([">=20", "30-39", "9"], 'bands, but ">=20" and "30-39" overlap'),
        (
            ["30", "31", "32", "old"],
            '"old" is no number; if it stands for no value, give auto+missing:old',
        ),
        (
            ["A1", "B2", "C3", "x!", "y!"],
            '"x!", "y!" are no codes like "A1"; if they stand for no value, give '
            "auto+missing:x!+missing:y!",
        ),
        (["1", "2", "3", "4", *"abcd"], '"a", "b", "c" and 1 more are no numbers'),
    ],
)
def test_the_reason_is_told(values, reason):
    assert chosen(dict.fromkeys(values)).reason.startswith(reason)


@pytest.mark.parametrize(
    ("name", "values", "rule"),
    [
        ("zip", ["1010", "8010"], "prefix"),
        ("PLZ", ["1010", "8010"], "prefix"),
        ("post code", ["1010", "8010"], "prefix"),
        ("PatientId", ["1", "20", "300"], "prefix"),
        ("Kundennummer", ["17", "20", "31"], "prefix"),
        ("region_code", ["1", "2", "3"], "prefix"),
        ("income", ["25000", "31000", "47000"], "bands"),
        ("Jahreseinkommen EUR", ["25000", "31000", "47000"], "bands"),
        ("", ["25000", "31000", "47000"], "prefix"),
        ("year", ["1987", "1999", "2001"], "bands"),
        ("age", ["31", "42", "7"], "bands"),
        ("age", ["31", "42", "07"], "prefix"),
        ("number of children", ["0", "1", "2"], "bands"),
        ("id", ["1.5", "2.25", "3.75"], "bands"),
    ],
)
def test_names_tell_codes_from_numbers(name, values, rule):
    assert chosen(dict.fromkeys(values), name).rule == rule


@pytest.mark.parametrize(
    ("rule", "values", "chain"),
    [
        ("joined:2", ["<20", "20-29", "30-39"], ("<20", "<=29", "*")),
        ("joined:2", ["10-19", "20-29", "30+"], ("30+", "30+", "*")),
        ("joined:2", ["10-19", "20-29", "30-39", "40+"], ("40+", ">=30", "*")),
        ("joined:2,4", ["30-39", "30 \u2013 39", "1"], ("30-39", "1-39", "1-39", "*")),
        ("joined:9", ["<20", "20+"], ("<20", "*", "*")),
        ("joined:2", ["[0, 1)", "[1, 2)", "[2, 3)"], ("[0, 1)", "[0, 2)", "*")),
        ("joined:2", ["(0, 1]", "(1, 2]"], ("(0, 1]", "(0, 2]", "*")),
        ("joined:2", ["-9 to -5", "-4", "-3 to 2"], ("-4", "-9 to -4", "*")),
        ("joined:2", ["<5", "5 to 9", ">9"], (">9", ">9", "*")),
        ("joined:2", ["under 5", "5..9"], ("5..9", "<=9", "*")),
        ("joined:2+missing:old", ["5-9", "1-4", "old"], ("old", "old", "*")),
    ],
)
def test_bands_are_joined(rule, values, chain):
    made = ruled(rule, dict.fromkeys(values, 1))[0]
    assert made.chain_of[chain[0]] == chain


def test_bands_of_this_package_are_read():
    numbers = dict.fromkeys(map(str, range(18, 90)), 1)
    for rule in ("bands:5", "quantiles:8", "bands:10+bottom:20+top:80", "bands:2.5"):
        labels = {str(chain[1]): 1 for chain in ruled(rule, numbers)[0].chains}
        assert ruled("auto", labels)[1].startswith("joined")


def test_words_that_are_named_as_missing():
    values = dict.fromkeys(["31", "42", "50", "old", "very old"], 1)
    rule = "auto+missing:old+missing:very old"
    made, used = ruled(rule, values)
    assert used == "bands:20+missing:old+missing:very old"
    assert ruled(used, values) == (made, used)
    assert made.chain_of["old"][:-1] == ("old",) * made.height
    assert ruled("suppression+missing:old", values)[1] == "suppression"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["20-35", "30-39"], '"20-35" and "30-39" overlap'),
        (["30-39", "30+"], '"30-39" and "30[+]" overlap'),
        (["<20", "<30"], '"<20" and "<30" overlap'),
        (["30-39", "39-30"], '"39-30" is no band like 30-39 or 70.'),
    ],
)
def test_bands_without_an_order(values, message):
    with pytest.raises(UnfitError, match=message):
        ruled("joined:2", dict.fromkeys(values, 1))


def test_what_is_missing_stays_as_it_is():
    for rule, values in {
        "bands:5,10+top:40": ["34", "47", "NA"],
        "quantiles:2": ["34", "47", "NA"],
        "dates:%d.%m.%Y": ["1.2.1999", "NA"],
        "prefix": ["A01", "B2", "NA"],
    }.items():
        made = ruled(rule, dict.fromkeys(values, 1))[0]
        *below, top = made.chain_of["NA"]
        assert set(below) == {"NA"}
        assert top == made.chains[0][-1]
    assert ruled("prefix", {"NA": 1, "DE": 1})[0].chain_of["NA"] == ("NA", "N*", "**")


def test_numbers_that_are_left_out():
    assert completed("bands+top:30", map(str, range(40))) == "bands:5,10,20+top:30"
    assert completed("round", ["0.12", "3", "7.5"]) == "round:0.1,1"
    assert completed("round", map(str, range(5000))) == "round:10,100,1000"
    assert completed("quantiles", "123") == "quantiles:8,4,2"
    assert completed("bands", "5") == "suppression"
    assert completed("bands+top:3", "5") == "suppression+top:3"


def test_rules_and_paths():
    for text in ("auto", "bands", "bands:5", "top:5+bands", "dates:%Y", "suppression"):
        assert is_rule(text)
    for text in ("age.csv", "./bands", "bandss", "bands.csv", "C:/x"):
        assert not is_rule(text)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("bands:", 'rule "bands:": "" is no number'),
        ("bands:5,x", 'rule "bands:5,x": "x" is no number'),
        ("bands:5,12", r"each to divide the next, got \(5, 12\)"),
        ("bands:0", "numbers above 0, each to divide the next"),
        ("bands:5+round:7", 'rule "bands:5.round:7": expected one of bands, quant'),
        ("prefix+top:5", "expected one of bands, quantiles, round joined with ends"),
        ("top:5+top:6", "joined with ends, as in bands:5,10.top:65"),
        ("top:5,6", 'rule "top:5,6": expected one number'),
        ("top", 'rule "top": "" is no number'),
        ("quantiles:2.5", 'rule "quantiles:2.5": expected integers'),
        ("bands:5+tip:9", 'no rule is called "tip"; there are bands, '),
        ("auto:5", 'no rule is called "auto"'),
        ("quantiles:8,3", r"divide the next, got \(3, 8\)"),
        ("round:0", "positive numbers that grow"),
        ("round:10,5", "positive numbers that grow"),
    ],
)
def test_rules_that_make_no_sense(rule, message):
    with pytest.raises(InvalidInstanceError, match=message) as caught:
        ruled(rule, {"1": 1, "7": 2, "30": 1})
    assert "\n" not in str(caught.value)
    assert getattr(caught.value, "value", None) is None


@pytest.mark.parametrize("rule", ["bands", "bands:5", "round:5", "quantiles", "top:5"])
def test_values_that_do_not_fit(rule):
    with pytest.raises(UnfitError, match='"old" is no number') as caught:
        ruled(rule, {"1": 1, "old": 2})
    assert caught.value.value == "old"


def test_many_words_among_many_codes_take_no_time_for_each_pair():
    codes = [f"{i:06}" for i in range(30_000)]
    words = ["".join(chr(97 + int(digit)) for digit in code) for code in codes]
    _, reason = decided("auto", dict.fromkeys(codes + words, 1))
    assert reason is not None
    assert reason.startswith('"aaaaaa", "aaaaab", "aaaaac" and 29997 more are no codes')
