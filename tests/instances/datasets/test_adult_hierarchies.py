from atleastk.instances.datasets.adult import COLUMNS, adult
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies


def test_they_cover_the_sample():
    usual = adult_hierarchies()
    assert tuple(usual) == COLUMNS
    for j, column in enumerate(COLUMNS):
        assert {row[j] for row in adult(1, 9).table} <= set(usual[column].chain_of)


def test_heights_and_some_chains():
    usual = adult_hierarchies()
    assert [h.height for h in usual.values()] == [4, 2, 3, 2, 2, 1, 1, 2, 1]
    assert usual["age"].chain_of["39"] == ("39", "35-39", "30-39", "20-39", "*")
    assert {len(h.chain_of) for h in (usual["age"],)} == {74}
    assert usual["native-country"].chain_of["Peru"][1] == "south-america"
    assert all(h.chains[0][-1] == "*" for h in usual.values())
