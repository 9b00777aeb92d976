import random
from dataclasses import replace

import pytest
from searching import search_of

from atleastk import KAnonymity, Suppression
from atleastk.instances.suppression_names import QUANTITIES
from atleastk.models.in_time import look_up
from atleastk.models.suppression import solution_of_groups
from atleastk.solvers.brute_force import k_anonymity as judge
from atleastk.solvers.brute_force.suppression import Outcomes
from atleastk.solvers.suppression import largest_k
from atleastk.solvers.suppression.auto import solve
from atleastk.solvers.suppression.exhaustive import search_all
from atleastk.solvers.suppression.largest_k import EntriesWithin, maximise_k
from atleastk.solvers.tables.closed_patterns import closed_patterns


def drawn(seed):
    """Return a table of nine rows."""
    rng = random.Random(seed)
    return [[rng.randrange(3) for _ in range(3)] for _ in range(9)]


def exhaustive(search):
    search_all(search, "exhaustive")


def largest(instance, run=exhaustive, seconds=None):
    search = search_of(instance, seconds=seconds)
    maximise_k(search, run, "largest-k")
    return search


def test_against_all_k():
    rng = random.Random(1)
    infeasible = 0
    for _ in range(150):
        n, m = rng.choice(((3, 3), (4, 2), (5, 2), (6, 1), (1, 2), (2, 4)))
        values = rng.randint(1, 3)
        table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
        most = {"rows": n, "columns": m, "entries": n * m, "per_row": m}
        most["per_column"] = n
        limits = {q: rng.randint(0, most[q]) for q in rng.sample(QUANTITIES, 2)}
        more = {"intact": [0]} if rng.random() < 0.2 else {}
        if m > 1 and rng.random() < 0.3:
            more["column_order"] = [[0], list(range(1, m))]
        k = rng.randint(1, 3)
        instance = Suppression(table, k, minimise="k", limits=limits, **more)
        outcomes, search = Outcomes.of(instance.table, m), largest(instance)
        reachable = [
            k
            for k in range(k, n + 1)
            if outcomes.best(replace(instance, minimise="none", k=k)) is not None
        ]
        details = instance.to_dict()
        assert search.closed, details
        assert search.infeasible == (not reachable), details
        assert search.cost == (-max(reachable) if reachable else None), details
        infeasible += not reachable
    assert 20 < infeasible < 130


def test_a_spent_budget_claims_little():
    instance = Suppression([[i % 3] for i in range(12)], 2, minimise="k")
    search = largest(instance, seconds=0)
    assert (search.cost, search.bound, search.infeasible) == (None, -12, False)


@pytest.mark.parametrize("most", [2, 4, 5])
def test_a_method_that_gives_up(most):
    table = [[i // 5] for i in range(20)]

    def run(search):
        k = search.instance.k
        if k > 10:
            search.close_infeasible("half")
        elif k <= most:
            groups = [range(low, low + 5) for low in range(0, 20, 5)]
            search.offer(solution_of_groups(search.instance, groups), "half")

    search = largest(Suppression(table, 2, minimise="k"), run)
    assert (search.cost, search.bound, search.closed) == (-5, -10, False)


@pytest.mark.parametrize("share", [1.0, 0.8])
def test_hard_decisions_are_passed_over(clock, share):
    """Also by a method that ends a little before its time, to report."""
    table = [[i // 5] for i in range(40)]
    asked = []

    def run(search):
        k = search.instance.k
        asked.append(k)
        if k > 8:
            search.close_infeasible("slow")
        elif k <= 5:
            groups = [range(low, low + 5) for low in range(0, 40, 5)]
            search.offer(solution_of_groups(search.instance, groups), "slow")
        else:
            clock.put_forward(share * search.budget.remaining)

    search = largest(Suppression(table, 2, minimise="k"), run, seconds=1)
    assert (search.cost, search.bound) == (-5, -8)
    assert {6, 7, 8} <= set(asked)


def test_a_decision_that_is_found_at_once_ends_no_other():
    table = [[i % 3, i % 2, i // 4] for i in range(8)]
    instance = Suppression(table, 1, minimise="k", limits={"entries": 17})
    search = largest(instance, solve)
    least = {k: judge.optimum(KAnonymity(table, k))[0] for k in range(1, 9)}
    assert search.closed
    assert search.cost == -max(k for k, entries in least.items() if entries <= 17)


@pytest.mark.parametrize("seed", range(2))
def test_tables_within_a_limit_go_on_by_turns(seed):
    """Every k has turns that are too short at first; what others say is taken over."""
    table = drawn(seed)
    instance = Suppression(table, 1, minimise="k", limits={"entries": 9})
    least = {k: judge.optimum(KAnonymity(table, k))[0] for k in range(1, 10)}
    within = EntriesWithin(instance)
    for seconds in (0.0, 5.0):
        for k in (4, 2, 3):
            question = replace(instance, k=k, minimise="none")
            decision = search_of(question, seconds=seconds)
            within(decision)
            known = decision.infeasible, decision.solution is not None
            expected = least[k] > 9, least[k] <= 9
            assert known == expected or (not seconds and known == (False, False))


@pytest.mark.parametrize(("most", "feasible"), [(27, True), (16, False)])
def test_a_smaller_k_that_is_decided_leaves_time(monkeypatch, most, feasible):
    """A k whose turn ended undecided would not be tried again."""
    monkeypatch.setattr(largest_k, "_OTHERS", 0.0)
    instance = Suppression(drawn(0), 1, minimise="k", limits={"entries": most})
    within = EntriesWithin(instance)
    for k, seconds in ((2, 0.0), (4, 5.0)):
        decision = search_of(replace(instance, k=k, minimise="none"), seconds=seconds)
        within(decision)
    assert decision.infeasible != feasible
    assert (decision.solution is not None) == feasible


def test_a_list_that_was_cut_is_made_again():
    most = judge.optimum(KAnonymity(drawn(0), 3))[0] - 1
    question = Suppression(drawn(0), 3, minimise="none", limits={"entries": most})
    within = EntriesWithin(question)
    within(search_of(question, seconds=0.0))
    short = within._runs[3]
    short.patterns = replace(closed_patterns(short.records, 3), reach=0)
    within(search_of(question, seconds=5.0))
    assert within._runs[3].complete


def test_only_entries_may_be_limited():
    asked = {"minimise": "k", "limits": {"entries": 3}}
    assert EntriesWithin.fits(Suppression([[1, 2]], 1, **asked))
    for more in ({"intact": [0]}, {"limits": {"rows": 1}}, {"limits": {}}):
        assert not EntriesWithin.fits(Suppression([[1, 2]], 1, **{**asked, **more}))


def test_what_a_decision_found_stays_when_the_time_is_up():
    """A model whose building ended late took what came before with it."""
    instance = Suppression([[0, 1], [0, 2]], 1, minimise="k", limits={"entries": 2})
    search = search_of(instance)

    def late(decision):
        decision.offer(solution_of_groups(decision.instance, [[0, 1]]), "late")
        search.budget.stop.set()
        look_up()

    with search.budget.awaiting():
        maximise_k(search, late, "largest-k")
    assert search.cost == -2
