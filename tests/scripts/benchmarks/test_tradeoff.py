from scripts.benchmarks import tradeoff


def test_a_page_of_every_curve(tmp_path, monkeypatch):
    monkeypatch.delenv("ATLEASTK_DATA", raising=False)
    page = tmp_path / "page.md"
    tradeoff.main(["--ks", "5,6", "--seconds", "1", "-o", str(page)])
    lines = page.read_text().splitlines()
    assert "Adult, 1,000 rows, 8 columns, k = 5 to 6" in lines[2]
    for rule in ("usual", "auto", "suppression"):
        told = [line.split("|") for line in lines if line.startswith(f"| {rule} |")]
        assert [cells[2].strip() for cells in told] == ["0", "10", "50", "100"] * 2
        assert all(cells[3].strip().endswith("of 2") for cells in told[:4])
        assert all(len(cells) == 12 for cells in told[4:])
