def test_a_line_for_every_wish(script, capsys):
    script("benchmarks.many_columns").main(
        ["--rows", "40", "--widths", "3", "--shares", "0,10", "--losses", "height"]
    )
    _, _, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    for line in lines:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        greedy, cost, bound = map(int, cells[4:7])
        assert greedy >= cost == bound
        assert cells[7] == "0 (certified)"


def test_the_plain_descent_ends_where_nothing_can_be_lowered(script):
    measure = script("benchmarks.many_columns")
    two = measure.suppression_of("ab")
    table = [["a", "a"]] * 3 + [["a", "b"]] * 3 + [["b", "a"]]
    instance = measure.Generalization(table, 3, [two, two], "attributes", "height")
    node, count = measure.greedy(instance)
    assert (node, count.loss) == ((1, 0), 1)
