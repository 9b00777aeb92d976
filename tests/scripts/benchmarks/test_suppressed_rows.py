def test_a_line_for_every_wish(script, capsys):
    arguments = ["--columns", "age,sex", "--ks", "5,50", "--shares", "0,10"]
    script("benchmarks.suppressed_rows").main(arguments)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1000 rows; levels of age, sex."
    told = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[4:]]
    assert [cells[3] for cells in told] == ["0 % = 0", "10 % = 100"] * 2
    losses = [int(cells[5]) for cells in told]
    assert losses[0] > losses[1]
    assert losses[2] > losses[3]
    assert all(cells[-1] == "certified" for cells in told)
