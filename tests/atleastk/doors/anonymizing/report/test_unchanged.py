import csv
import json

import pytest
from pages import Reader
from tables import NAMED, of_columns

from atleastk import anonymity, anonymize, cluster

pytestmark = pytest.mark.usefixtures("quick")

WARNING = (
    '  WARNING     column "patient_id", left unchanged, singles out {0} of {0} rows, '
    "100.00%:\n"
    "              whoever knows it finds them; drop it, or name it in --columns\n"
)


def patients(n=40):
    ages, codes = [30 + i % 4 for i in range(n)], [0, 1, 2, *[""] * n][:n]
    ids, ills = [f"p{i}" for i in range(n)], (["flu", "cold"] * n)[:n]
    pays = range(1000, 1000 + n)
    return of_columns(age=ages, patient_id=ids, code=codes, pay=pays, ill=ills)


@pytest.fixture
def table(tmp_path):
    def write(n=40):
        path = tmp_path / "patients.csv"
        with path.open("w", newline="") as file:
            rows = csv.DictWriter(file, patients(1)[0])
            rows.writeheader()
            rows.writerows(patients(n))
        return str(path)

    return write


@pytest.mark.parametrize("wrap", NAMED)
def test_an_identifier_is_warned_of(wrap):
    rows = [{**row, "code": row["code"] or None} for row in patients()]
    made = anonymize(wrap(rows), 2, ["age"])
    told = str(made)
    assert WARNING.format(40) in told
    assert told.count("WARNING") == 2
    assert 'column "pay", left unchanged, singles out 40 of 40 rows' in told
    risk = made.report.risk
    found = {"patient_id": 40, "code": 2, "pay": 40, "ill": 0}
    assert risk.singling_out.by_column == found
    document = json.loads(json.dumps(made.report.to_dict()))["risk"]
    assert document["singled_out"] == found
    assert document["identifiers"] == ["patient_id", "pay"]
    texts = Reader(made.to_html()).texts
    page = " ".join("".join(texts).split())
    summary = page[page.index("Summary") : page.index("What was asked")]
    assert 'WARNING: column "patient_id", left unchanged, singles out 40' in summary
    place = len(texts) - 1 - texts[::-1].index("patient_id")
    cells = [text for text in texts[place:] if text.strip()]
    assert cells[:5] == ["patient_id", "0", "0.00%", "40", "100.00%"]


def test_small_tables_make_no_identifiers():
    rows = [{"age": 30, "diagnosis": f"d{i}"} for i in range(4)]
    assert "WARNING" not in str(anonymize(rows, 2, ["age"]))
    few = [{"age": row["age"], "key": row["patient_id"]} for row in patients(19)]
    assert "WARNING" not in str(anonymize(few, 2, ["age"]))


def test_of_few_rows_a_name_tells_identifiers():
    told = str(anonymize(patients(19), 2, ["age"]))
    assert 'column "patient_id", left unchanged, looks like an identifier' in told
    assert "singles out" not in told


def test_missing_values_single_out_nobody():
    rows = [{"age": 30, "email": None} for _ in range(39)]
    made = anonymize([*rows, {"age": 30, "email": "a@b"}], 2, ["age"])
    assert made.report.risk.singling_out.by_column == {"email": 1}


def test_columns_that_are_asked_for_are_remarked_on():
    rows = [{**row, "w": row["pay"] / 10} for row in patients()]
    made = anonymize(rows, 2, ["age", "patient_id"], sensitive="pay", row_weights="w")
    told = str(made)
    assert "left unchanged" not in told
    assert "  singled out 40 of 40 rows, 100.00%, by pay (sensitive):\n" in told
    assert "  singled out 40 of 40 rows, 100.00%, by w (row weights):\n" in told
    assert "w" not in made.report.risk.shared
    assert made.report.to_dict()["risk"]["identifiers"] == []
    assert "40100.00%" in "".join(Reader(made.to_html()).texts)


def test_nothing_is_warned_of_that_is_left_out(table, tmp_path, done):
    out = str(tmp_path / "out.csv")
    words = ["anonymize", table(), "-k", "2", "-o", out, "--columns"]
    assert WARNING.format(40) in done(*words, "age")
    assert "WARNING" not in done(*words, "age", "--drop-unlisted")
    assert "left unchanged" not in done(*words, "age,patient_id,pay", "--shuffle")


def test_checked_files_are_warned_of(table, done):
    words = ["anonymize", table(), "--check", "--columns", "age", "--sensitive", "pay"]
    told = done(*words, "-k", "2")
    assert WARNING.format(40) in told
    assert told.count("WARNING") == 1
    assert "  singled out 40 of 40 rows, 100.00%, by pay (sensitive):\n" in told
    document = json.loads(done(*words, "--json"))
    assert document["identifiers"] == ["patient_id"]
    alone = {"patient_id": 40, "code": 3, "pay": 40, "ill": 0}
    assert document["singled_out"] == alone
    found = anonymity(patients(), ["age"])
    assert found.singling_out.identifiers == ("patient_id", "pay")
    assert WARNING.format(40) in f"{found}\n"
    assert anonymity(patients()).singling_out.identifiers == ()
    table(19)
    told = done(*words)
    assert told.count("WARNING") == 1
    assert '"patient_id", left unchanged, looks like an identifier' in told


def test_a_check_of_values_that_fails_does_not_deny_equal_rows(table, denied):
    words = ["anonymize", table(), "--check", "-k", "2", "--columns", "age"]
    told = denied(*words, "--sensitive", "ill", "--l", "2")
    assert "  2-anonymous\n" in told
    assert "4 classes break what is asked of their values" in told


def test_clusters_that_keep_an_identifier(table, tmp_path, done):
    words = ["cluster", table(), "-r", "10", "--columns", "age"]
    for more, warned in ([], False), (["--rows", str(tmp_path / "rows.csv")], True):
        told = done(*words, *more, "--sensitive", "pay")
        assert (WARNING.format(40) in told) == warned
        assert ("by pay (sensitive)" in told) == warned
    made = cluster(patients(), 10, ["age"], sensitive=["pay"])
    assert WARNING.format(40) in str(made)
    assert made.to_dict()["losses"]["identifiers"] == ["patient_id"]
    assert made.losses.singling_out.needed == {"pay": "sensitive"}
