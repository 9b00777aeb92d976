import random
from dataclasses import replace
from itertools import combinations, product

import pytest

from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import QUANTITIES
from atleastk.solvers.brute_force.suppression import Outcomes
from atleastk.solvers.budget import Budget
from atleastk.solvers.suppression.deletion import minimise_deletion
from atleastk.solvers.suppression.exhaustive import search_all
from atleastk.solvers.suppression.relaxation import Relaxation, relaxations


def solve(search):
    if search.instance.deletion:
        minimise_deletion(search, "deletion")
    else:
        search_all(search, "exhaustive")


def relaxed(instance, seconds=None):
    return relaxations(instance, Budget.of(seconds), solve)


def tops(n, m):
    return {"rows": n, "columns": m, "entries": n * m, "per_row": m, "per_column": n}


def judged(outcomes, instance, quantities):
    """Return the least sum of increases of these limits, over all of their values."""
    most = tops(instance.n, instance.m)
    spans = [range(instance.limits[q], most[q] + 1) for q in quantities]
    sums = []
    for values in product(*spans):
        limits = {**instance.limits, **dict(zip(quantities, values, strict=True))}
        region = {q: most[q] for q in instance.region if q not in limits}
        question = replace(instance, minimise="none", limits={**region, **limits})
        if outcomes.best(question) is not None:
            sums.append(sum(values) - sum(instance.limits[q] for q in quantities))
    return min(sums, default=None)


def drawn(rng):
    n, m = rng.choice(((2, 4), (3, 3), (4, 2), (3, 2), (4, 1), (2, 3)))
    values = rng.choice((2, 3))
    table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    most = tops(n, m)
    deletion = rng.random() < 0.3
    chosen = rng.sample(QUANTITIES, rng.randint(1, 3))
    if deletion and not {"rows", "columns"} & set(chosen):
        chosen.append("rows")
    limits = {q: rng.randint(0, most[q] - 1) for q in chosen}
    minimise = rng.choice([*QUANTITIES, "none", "k"])
    return Suppression(table, 2, minimise=minimise, limits=limits, deletion=deletion)


def test_against_all_values_of_the_limits():
    rng = random.Random(1)
    alone = together = 0
    for _ in range(150):
        instance = drawn(rng)
        outcomes = Outcomes.of(instance.table, instance.m)
        found = relaxed(instance)
        details = (instance.to_dict(), list(map(str, found)))
        if outcomes.best(instance) is not None:
            assert found == [], details
            continue
        assert all(relaxation.proved for relaxation in found), details
        single = {next(iter(r.before)): r for r in found if len(r.before) == 1}
        assert set(single) == set(instance.limits), details
        for q, relaxation in single.items():
            expected = judged(outcomes, instance, (q,))
            assert relaxation.enough == (expected is not None), details
            assert expected in (None, relaxation.increase), details
        if any(relaxation.enough for relaxation in single.values()):
            assert len(found) == len(single)
            alone += 1
            continue
        together += 1
        best = found[0]
        assert best.enough, details
        assert best.increase == min(
            total
            for quantities in combinations(instance.limits, len(best.before))
            if (total := judged(outcomes, instance, quantities)) is not None
        ), details
        eased = {**instance.limits, **best.after}
        sizes = {"rows": instance.n, "columns": instance.m}
        region = {q: sizes[q] for q in instance.region if q not in eased}
        question = replace(instance, minimise="none", limits={**region, **eased})
        assert outcomes.best(question) == 0, details
        for quantities in combinations(instance.limits, len(best.before) - 1):
            assert judged(outcomes, instance, quantities) is None, details
    assert alone > 20
    assert together > 10


ONE_OFF = [["a", "x"], ["a", "x"], ["b", "y"], ["c", "y"]]


def test_how_it_reads():
    assert list(map(str, relaxed(named({"rows": 1})))) == ["rows: 1 -> 2 is enough"]
    details = list(map(str, relaxed(named({"rows": 1, "columns": 0}))))
    assert details == ["rows: 1 -> 2 is enough", "columns: 0 -> 1 is enough"]
    tight = Suppression(ONE_OFF, 2, minimise="none", limits={"rows": 1, "entries": 1})
    assert list(map(str, relaxed(tight))) == [
        "rows: 1 -> 2 and entries: 1 -> 2 are enough",
        "no value of rows is enough by itself",
        "no value of entries is enough by itself",
    ]
    late = relaxed(tight, seconds=0)
    assert not any(relaxation.enough or relaxation.proved for relaxation in late)
    assert "was found to be enough" in str(late[0])
    assert str(Relaxation({"rows": 1}, {"rows": 3}, proved=False)) == (
        "rows: 1 -> 3 is enough; less may be, too"
    )


def named(limits):
    return Suppression(ONE_OFF, 2, minimise="none", limits=limits)


def test_few_rows():
    few = Suppression([["a"], ["b"], ["b"]], 4, minimise="rows", limits={"entries": 0})
    (only,) = relaxed(few)
    assert str(only) == "k: 4 -> 1 is enough (the table has 3 rows)"
    (only,) = relaxed(replace(few, limits={"entries": 3}))
    assert only.after == {"k": 3}


@pytest.mark.parametrize("limits", [{}, {"entries": 4}])
def test_intact_columns(limits):
    instance = Suppression(
        ONE_OFF,
        2,
        columns=["name", "town"],
        minimise="entries",
        limits=limits,
        intact=[0, 1],
    )
    found = [str(relaxation) for relaxation in relaxed(instance) if relaxation.enough]
    assert found == ["column name not intact is enough"]


def test_intact_columns_and_limits():
    instance = Suppression(
        ONE_OFF, 2, minimise="none", limits={"entries": 1}, intact=[0, 1]
    )
    found = [str(relaxation) for relaxation in relaxed(instance) if relaxation.enough]
    assert found == ["entries: 1 -> 2 and column 0 not intact are enough"]
