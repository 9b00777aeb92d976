import random
import shutil
import subprocess
from collections import Counter
from dataclasses import replace

import networkx as nx
import pytest

import atleastk
from atleastk.models.proofs import chosen, listed
from atleastk.models.proofs.bin_covering import refuted
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.engine import stages
from scripts.veripb_checker import checked as checked_lemma
from scripts.vipr_checker import checked

VIPRCHK = shutil.which("viprchk")
NO_SUMS = {"whole", "blocks"}
"""Kinds of certificates that are no sums over groups."""


def certified(instance):
    return atleastk.solve(instance, 600, certify=True, workers=1)


def proof_of(instance, result):
    least = result.bound is not None and result.bound <= instance.least_cost
    if result.certificate is None or least:
        with pytest.raises(atleastk.NotApplicableError, match="nothing to prove"):
            atleastk.prove(instance, result)
        return None
    kind = result.certificate["kind"]
    if kind in NO_SUMS:
        with pytest.raises(atleastk.NotApplicableError, match=f"{kind} has no sums"):
            atleastk.prove(instance, result)
        return None
    return atleastk.prove(instance, result)["proof.vipr"].splitlines()


@pytest.mark.parametrize("problem", [p for p in PROBLEMS if PROBLEMS[p].refuted])
def test_small_instances_of_every_problem(solved, problem):
    proofs = 0
    for instance, result in solved(problem):
        lines = proof_of(instance, result)
        if lines is not None:
            proofs += 1
            assert checked(lines)[2] >= 1
            assert instance.sha256 in lines[1]
    assert proofs


def random_instances(rng):
    n = rng.randint(4, 9)
    sizes = [rng.randint(1, 60) for _ in range(n)]
    for objective in ("max", "excess", "quadratic"):
        yield atleastk.BinCovering(sizes, rng.randint(10, 90), objective)
    for objective in ("excess", "quadratic"):
        yield atleastk.IntervalCovering(sizes, rng.randint(10, 90), objective)
    points = [[rng.randint(0, 9), rng.randint(0, 9)] for _ in range(n)]
    centres = rng.choice(("input", "member", "any"))
    more = {"max_outliers": rng.randint(0, 2), "max_clusters": rng.choice((None, 2, 3))}
    for kind in (atleastk.RGather, atleastk.CellularClustering):
        yield kind(r=rng.randint(1, 3), points=points, centres=centres, **more)
    heavy = [[*point, rng.randint(1, 9)] for point in points]
    cover = rng.choice(("plane", "points"))
    yield atleastk.RectangleTiling(heavy, rng.randint(3, 20), cover)
    grid = [[rng.randint(0, 9) for _ in range(4)] for _ in range(3)]
    yield atleastk.RectangleTilingGrid(grid, rng.randint(2, 5))
    tree = nx.random_labeled_tree(n + 4, seed=rng.randint(0, 999))
    weights = [rng.randint(0, 20) for _ in range(n + 4)]
    yield atleastk.ConnectedPartition(weights, list(tree.edges), rng.randint(8, 30))
    table = [[rng.randint(0, 2) for _ in range(3)] for _ in range(n)]
    yield atleastk.KAnonymity(table, 2)
    yield atleastk.Suppression(table, 2, **limits(rng, n))
    yield atleastk.KAmbiguity(table, rng.randint(2, 3))
    yield atleastk.RectangleTiling(heavy, rng.randint(3, 20), guillotine=True)
    yield atleastk.RectangleTilingGrid(grid, rng.randint(2, 6), guillotine=True)
    yield lattice(rng)


def lattice(rng):
    table = [[rng.randint(0, 7), rng.randint(0, 3)] for _ in range(12)]
    return atleastk.Generalization(
        table,
        rng.randint(2, 4),
        [
            tuple(tuple(x >> level for level in range(d + 1)) for x in range(2**d))
            for d in (3, 2)
        ],
        on="attributes",
        loss=rng.choice(("height", "precision", "discernibility")),
        suppress_rows=rng.choice((0, 0, 2)),
    )


def limits(rng, n):
    quantities = ("rows", "columns", "entries", "per_row", "per_column")
    minimise = rng.choice((*quantities, "none", "k"))
    held = {q: rng.randint(1, 6) for q in quantities if rng.random() < 0.4}
    held.pop(minimise, None)
    more = {"minimise": minimise, "limits": held}
    if rng.random() < 0.3 and {"rows", "columns"} & {*held, minimise}:
        return {**more, "deletion": True}
    if rng.random() < 0.5:
        order = rng.sample(range(n), n)
        more["row_order"] = [order[:2], order[2:]]
    if rng.random() < 0.3:
        more["column_order"] = [[1], [0, 2]]
    return more


LONG = pytest.param(1, marks=pytest.mark.sweep)
"""Takes as long as all the other seeds ten times."""


@pytest.mark.parametrize("seed", [0, LONG, *range(2, 8)])
def test_random_instances(seed, tmp_path):
    for instance in random_instances(random.Random(seed)):
        lines = proof_of(instance, certified(instance))
        if lines is None:
            continue
        assert checked(lines)
        if VIPRCHK is not None:
            path = tmp_path / "proof.vipr"
            path.write_text("\n".join(lines) + "\n")
            told = subprocess.run(
                [VIPRCHK, path], capture_output=True, text=True, check=False
            )
            assert "Successfully verified infeasibility" in told.stdout


def test_the_optimum_itself_has_no_proof():
    instance = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8)
    result = certified(instance)
    lines = proof_of(instance, result)
    solution = {
        "bin_" + "_".join(map(str, sorted(sizes, reverse=True)))
        for sizes in ([instance.sizes[i] for i in group] for group in result.groups)
    }
    assert not solution <= set(lines[6].split())
    with pytest.raises(atleastk.InvalidResultError, match="bound"):
        atleastk.prove(instance, replace(result, bound=result.bound + 1))


def test_maps_divided_at_pairs():
    rng, proofs = random.Random(3), 0
    for _ in range(6):
        graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(3, 3))
        weights = [rng.randint(0, 9) for _ in graph]
        instance = atleastk.ConnectedPartition(weights, list(graph.edges), 9)
        result = certified(instance)
        refuted = result.certificate.get("refuted", ())
        for a, b in ((0, 1), (0, 8)):
            divided = [
                {
                    "parts": entry["parts"],
                    "tree": {"pair": [a, b], "together": entry, "apart": entry},
                }
                for entry in refuted
            ]
            tree = replace(
                result, certificate={**result.certificate, "refuted": divided}
            )
            lines = atleastk.prove(instance, tree)["proof.vipr"].splitlines()
            proofs += checked(lines)[2] > 3 and bool(divided)
    assert proofs > 3


def test_parts_that_leave_too_little_are_refuted_in_integers():
    wheel = [(0, v) for v in range(1, 12)] + [(v, v % 11 + 1) for v in range(1, 12)]
    weights = [2, 9, 30, 30, 30, 1, 3, 1, 5, 30, 5, 5]
    instance = atleastk.ConnectedPartition(weights, wheel, 15)
    text = atleastk.prove(instance, certified(instance))["proof.vipr"]
    lines = text.splitlines()
    assert checked(lines)
    assert sum(line.count("/") > 1 for line in lines) <= 2  # the numbers of parts


def random_bins(rng):
    for _ in range(12):
        sizes = [rng.randint(20, 99) for _ in range(rng.randint(8, 14))]
        yield atleastk.BinCovering(sizes, rng.randint(100, 200))
    for _ in range(12):
        sizes = [rng.randint(3, 30) for _ in range(rng.randint(6, 9))]
        k, objective = rng.randint(20, 40), rng.choice(("excess", "quadratic"))
        yield atleastk.BinCovering(sizes, k, objective)


def test_lemmas_of_bins():
    proofs = Counter()
    for instance in random_bins(random.Random(4)):
        result = certified(instance)
        if result.certificate is None or result.certificate["kind"] != "weights":
            continue
        made = atleastk.prove(instance, result, to="veripb")
        formulas = atleastk.prove(instance, result, to="opb")
        assert formulas == {name: made[name] for name in made if name.endswith(".opb")}
        for name, formula in formulas.items():
            proof = made[name.replace(".opb", ".pbp")]
            assert checked_lemma(formula.splitlines(), proof.splitlines())
            proofs[instance.objective == "max", name == "bin.opb"] += 1
    assert proofs[True, False] > 3  # a number of bins each
    assert proofs[False, True]  # a bin, and levels of bins
    assert proofs[False, False]


@pytest.mark.parametrize("to", ["vipr", "veripb", "opb"])
def test_a_slow_machine_gets_the_same_proof(to, monkeypatch):
    instance = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8)
    usual = atleastk.prove(instance, certified(instance), to=to)
    monkeypatch.setattr(stages, "_PROOF", 0.0)
    assert certified(instance).certificate["kind"] == "weights"
    assert atleastk.prove(instance, certified(instance), to=to) == usual


@pytest.mark.parametrize("objective", ["max", "excess", "quadratic"])
def test_bins_taken_one_after_the_other(objective):
    instance = atleastk.BinCovering([9, 9, 7, 5, 5, 3, 2, 2], 12, objective)
    result = replace(certified(instance), certificate={"kind": "subsets"})
    lines = atleastk.prove(instance, result)["proof.vipr"].splitlines()
    assert checked(lines)
    assert any(line.startswith("bin_9_3_of_9_9_7_5_5_3_2_2> ") for line in lines)
    with pytest.raises(atleastk.CertificateError, match="do not refute"):
        refuted(instance, result.certificate, result.cost + 1)
    with pytest.raises(atleastk.NotApplicableError, match="solve with certify"):
        atleastk.prove(instance, result, to="veripb")


def test_too_many_steps_are_refused(monkeypatch):
    instance = atleastk.BinCovering([9, 9, 7, 5, 5, 3, 2, 2], 12, "excess")
    result = replace(certified(instance), certificate={"kind": "subsets"})
    monkeypatch.setattr("atleastk.models.proofs.bin_covering.MOST_GROUPS", 5)
    with pytest.raises(atleastk.NotApplicableError, match="would have to be listed"):
        atleastk.prove(instance, result)


@pytest.mark.parametrize(
    ("instance", "to", "why"),
    [
        (atleastk.BinCovering([5, 5], 10), "veripb", "kind counting .* needs no lemma"),
        (atleastk.BinCovering([5, 5], 10), "drat", "expected one of vipr, veripb, opb"),
        (atleastk.KAnonymity([[0], [1]], 2), "opb", "no knapsack problem: take vipr"),
    ],
)
def test_what_cannot_be_put_that_way_is_told(instance, to, why):
    with pytest.raises(atleastk.AtleastkError, match=why):
        atleastk.prove(instance, certified(instance), to=to)


def test_results_that_do_not_hold_are_refused():
    instance = atleastk.KAnonymity([[0, 0], [0, 1], [1, 1], [1, 1]], 2)
    result = certified(instance)
    other = atleastk.KAnonymity([[0, 0], [0, 1], [1, 1]], 2)
    with pytest.raises(atleastk.InvalidResultError, match="holds item 3"):
        atleastk.prove(other, result)
    plain = replace(result, certificate=None, trust=atleastk.Trust.PROVED)
    with pytest.raises(atleastk.NotApplicableError, match="has no certificate"):
        atleastk.prove(instance, plain)


def test_too_many_groups_are_refused(monkeypatch):
    bins = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8)
    interval = atleastk.IntervalCovering([7, 7, 6, 6, 3, 2, 2], 8)
    table = atleastk.KAnonymity([[0, 0], [0, 1], [1, 1], [1, 1]], 2)
    results = [certified(instance) for instance in (bins, interval, table)]
    monkeypatch.setattr(listed, "MOST_GROUPS", 3)
    monkeypatch.setattr("atleastk.models.proofs.bin_covering.MOST_GROUPS", 3)
    monkeypatch.setattr(chosen, "_MOST_PAIRS", 3)
    told = ("more than 3 groups", "up to 24 groups", "more than 3 ways")
    for instance, result, why in zip(
        (bins, interval, table), results, told, strict=True
    ):
        with pytest.raises(atleastk.NotApplicableError, match=why):
            atleastk.prove(instance, result)


def test_files_are_written(tmp_path):
    instance = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8)
    result = certified(instance)
    made = atleastk.prove(instance, result, tmp_path / "small.vipr")
    assert (tmp_path / "small.vipr").read_text() == made["proof.vipr"]
    made = atleastk.prove(instance, result, tmp_path / "lemmas", to="veripb")
    found = {path.name: path.read_text() for path in (tmp_path / "lemmas").iterdir()}
    assert found == made
    with pytest.raises(atleastk.AtleastkError, match="cannot be written"):
        atleastk.prove(instance, result, tmp_path / "none" / "lemmas", to="opb")
