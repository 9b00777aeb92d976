import pytest

from scripts.benchmarks import lattices


@pytest.fixture
def measured(capsys):
    def lines(*arguments):
        lattices.main([*arguments])
        head, _, *rows = capsys.readouterr().out.splitlines()
        columns = [cell.strip() for cell in head.strip("|").split("|")]
        cells = ([cell.strip() for cell in row.strip("|").split("|")] for row in rows)
        return [dict(zip(columns, row, strict=True)) for row in cells]

    return lines


def test_the_sample_of_adult_has_a_line_for_every_wish(measured):
    told = measured("--columns", "age,sex", "--ks", "5,50", "--shares", "0,10")
    assert {line["table"] for line in told} == {"Adult, 2"}
    assert [line["allowed"] for line in told] == ["0 % = 0", "10 % = 100"] * 2
    losses = [int(line["cost"]) for line in told]
    assert losses[0] > losses[1]
    assert losses[2] > losses[3]
    assert all(line["trust"] == "certified" for line in told)


def test_sensitive_values_of_a_sample_cost_more(measured):
    wishes = ("--sensitive", "occupation", "--asked", "k,l=3", "--shares", "0")
    plain, diverse = measured("--columns", "age,sex", "--rows", "200", *wishes)
    assert int(plain["cost"]) <= int(diverse["cost"])


def test_drawn_tables_are_no_dearer_than_a_plain_descent(measured):
    wishes = ("--shares", "0,10", "--losses", "height")
    told = measured("--rows", "40", "--drawn", "3", *wishes)
    assert len(told) == 2
    for line in told:
        greedy, cost, bound = (int(line[x]) for x in ("greedy", "cost", "bound"))
        assert greedy >= cost == bound
        assert (line["gap"], line["trust"]) == ("0.0%", "certified")


def test_the_plain_descent_ends_where_nothing_can_be_lowered():
    two = lattices.suppression_of("ab")
    table = [["a", "a"]] * 3 + [["a", "b"]] * 3 + [["b", "a"]]
    instance = lattices.Generalization(table, 3, [two, two], "attributes", "height")
    node, count = lattices.greedy(instance)
    assert (node, count.loss) == ((1, 0), 1)
