from pathlib import Path

from atleastk.instances.datasets import adult


def test_a_small_sample(script, capsys):
    measure = script("benchmarks.diversity")
    sample = Path(adult.__file__).with_name("adult_sample.csv")
    asked = [
        "--adult",
        str(sample),
        "--rows",
        "12",
        "--columns",
        "4",
        "--seconds",
        "600",
    ]
    assert measure.main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("12 rows, 4 columns")
    assert [line.split(" | ")[1] for line in lines[3:-1]] == [*measure.ASKED][:5]
