"""The sweep of the suppression family: silent about honest methods, precise else."""

import json
import random

import pytest

from atleastk.instances.suppression import Suppression

HONEST = ["cell model in CP-SAT", "cell model in HiGHS", "cell model in SAT"]


@pytest.fixture
def sweep(script):
    return script("sweeps.suppression")


def everything_suppressed(search):
    """Claim that nothing is better than to suppress all cells."""
    instance = search.instance
    if instance.n < instance.k and instance.n:
        search.close_infeasible("all")
        return
    search.offer([range(instance.n)] if instance.n else [], "all")
    search.raise_bound(search.cost, "all")


def test_honest_ways_pass(sweep, capsys):
    """Exit code 0, and how often every way was tried."""
    assert sweep.main(["--instances", "20", "--seed", "3", "--ways", *HONEST]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(" runs: 0 mismatches")
    runs = sum(int(line.split()[0]) for line in lines[1:])
    refusals = sum(int(line.split()[-2]) for line in lines[1:])
    assert runs + refusals == 20
    assert lines[0].startswith(f"{runs} ")


def test_honest_ways_pass_on_small_tables(sweep, capsys):
    """Every way solves every instance of the share."""
    share = ["--small", "--share", "1500", "--seed", "5", "--ways", *HONEST]
    assert sweep.main(share) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(" runs: 0 mismatches")
    counts = [int(line.split()[0]) for line in lines[1:]]
    assert len(counts) == 3
    assert min(counts) == max(counts) > 5


def test_a_mismatch_is_printed_shrunk(sweep, capsys, monkeypatch):
    """Two different rows keep what they have if k is 1."""
    monkeypatch.setattr(sweep, "solve", everything_suppressed)
    monkeypatch.setattr(
        sweep,
        "random_instance",
        lambda rng: Suppression(
            [[rng.randrange(3) for _ in range(2)] for _ in range(4)],
            2,
            row_order=[[0, 1], [2, 3]],
            intact=[],
            limits={"entries": 8},
        ),
    )
    assert sweep.main(["--instances", "9", "--ways", "auto"]) == 1
    lines = capsys.readouterr().out.splitlines()
    reports = [json.loads(line) for line in lines if line.startswith("{")]
    assert reports
    for report in reports:
        assert report["way"]["form"] == "auto"
        assert report["way"]["start"] is None
        instance = Suppression.from_dict(report["instance"])
        assert (instance.n, instance.m, instance.k) == (2, 1, 1)
        assert instance.row_order is None
        assert not instance.limits
        assert "but optimum 0" in report["fault"]


def test_ways_have_names(sweep, capsys):
    """The automatic choice, all methods, and the model in three back ends."""
    names = [way.name for way in sweep.own_ways()]
    methods = [method.name for method in sweep.METHODS]
    assert names == ["auto", *methods, *HONEST]
    with pytest.raises(SystemExit):
        sweep.main(["--ways", "prayer"])
    assert "there are auto, " in capsys.readouterr().err


def test_all_small_tables_are_there(sweep):
    """Up to the names of values: 1 row 4, 2 rows 30, 3 rows 155, 4 rows 240."""
    tables = [tuple(map(tuple, table)) for table in sweep.small_tables()]
    assert len(set(tables)) == len(tables) == 4 + 30 + 155 + 240
    assert all(len(table) * len(table[0]) <= 9 for table in tables)


def test_every_problem_meets_every_table(sweep):
    """One instance of each of the 90, or all limits."""
    table = [[0, 1], [1, 0], [0, 0]]
    rng = random.Random(1)
    problems = {**sweep.MINIMISATIONS, **sweep.DECISIONS, **sweep.MAXIMISATIONS}
    assert len(problems) == 90
    for name, variant in problems.items():
        (instance,) = sweep.problem_instances(rng, table, variant)
        assert str(instance.variant) == name
    (variant,) = (v for name, v in problems.items() if name == "r-MIN-c-DEL")
    everything = [*sweep.problem_instances(rng, table, variant, all_limits=True)]
    assert {(i.k, i.limits["rows"]) for i in everything} == {
        (k, rows) for k in (1, 2, 3, 4) for rows in (0, 1, 2, 3)
    }
    assert [*sweep.problem_instances(rng, [[0]], problems["r-c-c'-PART"])] == []


def test_random_instances_have_all_fields(sweep):
    rng = random.Random(2)
    drawn = [sweep.random_instance(rng) for _ in range(300)]
    for field in ("deletion", "row_order", "column_order", "intact", "limits"):
        with_field = sum(bool(getattr(instance, field)) for instance in drawn)
        assert 10 < with_field < 290, field
    assert len({instance.minimise for instance in drawn}) == 7


def test_starts_are_solutions(sweep):
    """Wherever limits leave room for them."""
    rng, found = random.Random(3), 0
    for _ in range(120):
        instance = sweep.random_instance(rng)
        start = sweep.starting(rng, instance)
        if start is not None:
            found += 1
            assert sweep.check(instance, start).feasible
            assert sweep.judged(instance) is not None
    assert found > 25


def test_members_leave_orders(sweep):
    assert sweep._without([[0, 2], [1]], 0) == [[1], [0]]
    assert sweep._without([[0, 2], [1]], 1) is None
    assert sweep._without(None, 1) is None


def test_the_same_seed_sweeps_the_same(sweep, capsys):
    outputs = []
    for _ in range(2):
        sweep.main(["--instances", "12", "--seed", "5", "--ways", *HONEST])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
