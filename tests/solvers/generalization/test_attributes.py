import random
from dataclasses import fields, replace
from itertools import product

import pytest
from searching import search_of

import atleastk
from atleastk.instances.diversity import Diversity
from atleastk.instances.generalization import LOSSES, Generalization
from atleastk.instances.generators.generalization import trees
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models import diversity as diversity_model
from atleastk.models.certificates.generalization import check_certificate
from atleastk.models.generalization import (
    check,
    classes_of,
    least_by_sizes,
    solution_at,
    solution_of_levels,
)
from atleastk.solvers.brute_force.diversity import optimum as optimum_of_diversity
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.compiled import classes
from atleastk.solvers.generalization import descent as descent_module
from atleastk.solvers.generalization import predictive_tagging
from atleastk.solvers.generalization.attributes import minimise_on_attributes
from atleastk.solvers.generalization.boxes import Box, narrowed
from atleastk.solvers.generalization.counting import Count
from atleastk.solvers.generalization.descent import Descent
from atleastk.solvers.generalization.first import begin
from atleastk.solvers.generalization.hitting_sets import minimise_by_hitting_sets
from atleastk.solvers.generalization.predictive_tagging import PredictiveTagging
from tests.helpers.verdicts import proved_twice

ALLOWED = (0, 2, 3)


def nodes_of(instance):
    return product(*(range(height + 1) for height in instance.heights))


def verdicts(instance):
    found = (
        check(instance, solution_of_levels(instance, x)) for x in nodes_of(instance)
    )
    return [verdict for verdict in found if verdict.feasible]


def drawn(seed, loss, allowed, **wishes):
    instance = trees(seed, n=20, m=3, k=3, on="attributes", loss=loss, **wishes)
    return replace(instance, suppress_rows=allowed)


def searched(instance):
    search = search_of(instance)
    assert begin(search, "one group")
    return search


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("allowed", ALLOWED)
def test_of_equal_loss_the_best_by_all_else_is_published(loss, allowed):
    for seed in range(8):
        instance = drawn(seed, loss, allowed, values=4)
        best = min((one.cost, one.ties) for one in verdicts(instance))
        result = atleastk.solve(instance, workers=1, certify=True)
        verdict = check(instance, result.solution)
        assert result.bound == best[0]
        assert (verdict.cost, verdict.ties) == best
        suppressed, levels = (
            len(result.solution.suppressed_rows),
            result.solution.levels,
        )
        imprecise = sum(
            share * x for share, x in zip(instance.shares, levels[0], strict=True)
        )
        assert verdict.ties[:2] == (suppressed, imprecise)
        assert proved_twice(instance, result)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("allowed", ALLOWED)
def test_descents_that_begin_where_samples_have_come_to(loss, allowed, monkeypatch):
    monkeypatch.setattr(descent_module, "_MANY", 5)
    monkeypatch.setattr(descent_module, "_FEWER", 2)
    monkeypatch.setattr(classes, "_FEW", 0)
    monkeypatch.setattr(classes, "_DENSE", 0)
    for seed in range(8):
        instance = drawn(seed, loss, allowed)
        search = searched(instance)
        minimise_on_attributes(search)
        assert search.closed
        assert search.cost == min(one.cost for one in verdicts(instance))


def test_no_sample_is_drawn_when_the_time_is_over(monkeypatch):
    drawn_of = []
    monkeypatch.setattr(descent_module, "_MANY", 5)
    monkeypatch.setattr(
        descent_module, "Counter", lambda *asked: drawn_of.append(asked)
    )
    search = search_of(drawn(0, "height", 0), seconds=0)
    Descent(search, "descent").begin()
    assert not drawn_of


def test_ties_are_noted():
    table = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]] * 2
    instance = Generalization(
        table, 3, [suppression_of("ab"), suppression_of("xy")], "attributes"
    )
    result = atleastk.solve(instance, workers=1)
    assert (result.cost, result.note) == (1, predictive_tagging.TIES_ALL)
    one_column = replace(instance, table=[["a", "x"], ["b", "x"]] * 4)
    assert atleastk.solve(one_column, workers=1).note is None


def test_ties_that_are_not_all_looked_at(monkeypatch):
    monkeypatch.setattr(predictive_tagging, "_SHARE_OF_TIES", 0.0)
    search = search_of(trees(3, n=20, m=3, k=3, on="attributes"), seconds=1000)
    begin(search, "one group")
    minimise_on_attributes(search)
    assert search.closed
    assert search.notes == [predictive_tagging.TIES_FOUND]


class Scripted:
    """Counts where some nodes are refused, and some stay undecided."""

    refused = ((0, 0), (0, 1), (0, 2))
    undecided = ((1, 2), (1, 3), (2, 0), (2, 1), (2, 2))

    def __init__(self, instance):
        self.instance = instance

    def solution(self, levels):
        return solution_of_levels(self.instance, levels)

    def count(self, levels):
        found = check(self.instance, self.solution(levels))
        least = None if levels in self.refused else found.cost
        if least is None or levels in self.undecided:
            return Count(found.cost, least)
        return Count(found.cost, least, least, ties=found.ties)


@pytest.mark.parametrize("known", [True, False])
def test_undecided_nodes_as_dear_as_one_met_on_the_way(known, monkeypatch):
    """They were once asked again and again, without an end."""
    tree = [(x, f"{x // 2}", "all", "*") for x in range(4)]
    chains = [[(x, f"{x // 2}", "*") for x in range(4)], tree]
    table = [[0, 3], [3, 1], [0, 2], [0, 0]]
    instance = Generalization(table, 1, chains, "attributes", "height")
    search, turns = search_of(instance), []
    counts, bisect = Scripted(instance), PredictiveTagging._bisect
    if known:
        search.offer(counts.solution((2, 3)), "top")

    def counted(run, chain):
        turns.append(chain)
        assert len(turns) <= instance.nodes
        bisect(run, chain)

    monkeypatch.setattr(PredictiveTagging, "_bisect", counted)
    PredictiveTagging(search, "tagging", Descent(search, "descent", counts)).run()
    free = {*nodes_of(instance)} - {*Scripted.refused}
    costs = {node: check(instance, counts.solution(node)).cost for node in free}
    assert search.bound <= min(costs.values())
    assert search.cost == min(costs[x] for x in free - {*Scripted.undecided})


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("allowed", ALLOWED)
def test_lattices_that_are_not_marked_have_the_same_optimum(loss, allowed, monkeypatch):
    monkeypatch.setattr(predictive_tagging, "MOST_NODES", 0)
    for seed in range(2):
        instance = drawn(seed, loss, allowed)
        search = searched(instance)
        minimise_on_attributes(search)
        assert search.cost == search.bound == optimum(instance)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("allowed", ALLOWED)
def test_what_is_reported_on_the_way_is_true(loss, allowed):
    instance = drawn(5, loss, allowed)
    best = optimum(instance)
    for events in range(1, 6):
        search = searched(instance)
        seen = []

        def ends(event, seen=seen, search=search, events=events):
            seen.append(event)
            if len(seen) == events:
                search.budget.stop.set()

        search._on_event = ends
        minimise_by_hitting_sets(search, "hitting-sets")
        assert search.bound <= best <= search.cost


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("allowed", ALLOWED)
def test_what_columns_leave_open(loss, allowed, monkeypatch):
    rng = random.Random(loss)
    table = [[f"{i:02}", rng.randrange(2), rng.randrange(3)] for i in range(18)]
    tens = [[f"{i:02}", f"{i // 6}", "*"] for i in range(18)]
    trees_of = [tens, suppression_of(range(2)), suppression_of(range(3))]
    instance = Generalization(
        table, 3, trees_of, "attributes", loss, suppress_rows=allowed
    )
    monkeypatch.setattr(predictive_tagging, "MOST_NODES", instance.nodes - 1)
    search = searched(instance)
    minimise_on_attributes(search)
    assert search.cost == search.bound == optimum(instance)
    assert search.found_by != "hitting-sets"
    check_certificate(instance, search.certificate, search.bound)


def test_a_box_holds_all_that_is_neither_refused_nor_dear():
    rng = random.Random(4)
    for _ in range(50):
        heights = [rng.randrange(4) for _ in range(3)]
        low, high = ([rng.randint(0, h) for h in heights] for _ in range(2))

        def is_refused(node, low=low):
            return any(x < y for x, y in zip(node, low, strict=True))

        def is_dear(node, high=high):
            return any(x > y for x, y in zip(node, high, strict=True))

        box = narrowed(Box((0,) * len(heights), tuple(heights)), is_refused, is_dear)
        for node in product(*(range(h + 1) for h in heights)):
            inside = all(
                a <= x <= b for a, x, b in zip(box.low, node, box.high, strict=True)
            )
            below = any(
                all(x <= y for x, y in zip(node, other, strict=True))
                for other in box.refused
            )
            above = any(
                all(x >= y for x, y in zip(node, other, strict=True))
                for other in box.dear
            )
            assert inside or below or above
        assert all(map(is_refused, box.refused))
        assert all(map(is_dear, box.dear))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("allowed", [0, 15])
def test_descents_from_the_top_of_forty_columns(loss, allowed):
    """10^19 nodes: once nothing but the top was published."""
    instance = trees(2, n=150, m=40, k=3, on="attributes", loss=loss)
    instance = replace(instance, suppress_rows=allowed)
    search = searched(instance)
    top = check(instance, solution_of_levels(instance, instance.heights)).cost
    descent = Descent(search, "descent")
    descent.begin()
    assert search.cost < top
    if instance.is_linear:
        node = search.solution.levels[0]
        below = [
            (*node[:j], level - 1, *node[j + 1 :])
            for j, level in enumerate(node)
            if level
        ]
        assert all(map(descent.is_refused, below))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("allowed", ALLOWED)
def test_classes_of_k_rows_lose_at_least_so_much(loss, allowed):
    for seed in range(3):
        instance = drawn(seed, loss, allowed, values=2, height=1)
        assert least_by_sizes(instance) <= optimum(instance)


def diverse(instance, seed):
    rng = random.Random(seed)
    sensitive_values = [[rng.choice("abc")] for _ in range(instance.n)]
    parts = {one.name: getattr(instance, one.name) for one in fields(instance)}
    return Diversity(**parts, sensitive=sensitive_values, l=2)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("limit", [0, predictive_tagging.MOST_NODES])
def test_diversity_shares_it(loss, limit, monkeypatch):
    monkeypatch.setattr(predictive_tagging, "MOST_NODES", limit)
    for seed in range(4):
        instance = diverse(drawn(seed, loss, 0), seed)
        result = atleastk.solve(instance, workers=1)
        assert result.cost == result.bound == optimum_of_diversity(instance)
        if limit:
            kept = [
                verdict
                for node in nodes_of(instance)
                if min(map(int, sizes_at(instance, node))) >= instance.k
                and (
                    verdict := diversity_model.check(
                        instance, solution_at(instance, node, ())
                    )
                ).feasible
            ]
            best = min((one.cost, one.ties) for one in kept)
            verdict = diversity_model.check(instance, result.solution)
            assert (verdict.cost, verdict.ties) == best


def sizes_at(instance, node):
    classes = classes_of(instance, node).tolist()
    return [classes.count(c) for c in set(classes)]


@pytest.mark.parametrize("loss", LOSSES)
def test_diversity_with_suppressed_rows_on_large_lattices(loss, monkeypatch):
    monkeypatch.setattr(predictive_tagging, "MOST_NODES", 0)
    for seed in range(4):
        small = trees(seed, n=9, m=2, k=2, on="attributes", loss=loss)
        instance = diverse(replace(small, suppress_rows=2), seed)
        best = optimum_of_diversity(instance)
        result = atleastk.solve(instance, workers=1)
        if best is not None:
            assert result.bound <= best <= result.cost
