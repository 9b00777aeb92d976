from scripts.studies.samples_of_r import adult_sample, sample_of_r


def test_samples_are_those_of_r():
    """R 4: set.seed(1); sample(100, 5) is 68 39 1 34 87."""
    assert [i + 1 for i in sample_of_r(1, 100, 5)] == [68, 39, 1, 34, 87]


def test_a_sample_holds_every_row_once():
    assert sorted(sample_of_r(7, 300, 300)) == list(range(300))
    assert sample_of_r(3, 1, 1) == [0]


def test_a_sample_of_adult_has_rows_of_it(monkeypatch):
    monkeypatch.delenv("ATLEASTK_DATA", raising=False)
    some, most = (adult_sample(1, 8, 2, n) for n in (5, 2000))
    assert (some.n, most.n) == (5, 1000)
    assert set(some.table) < set(most.table)
