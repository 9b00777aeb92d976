import random
from functools import partial

from drawing import random_gather, uniform
from searching import search_of, searched

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.r_gather import questions
from atleastk.solvers.r_gather.auto import solve
from atleastk.solvers.r_gather.methods import METHODS

in_the_plane = partial(uniform, RGather, centres="any")


def test_against_assignments():
    run = next(method.run for method in METHODS if method.name == "assignment-sat")
    for seed, (n, fields) in enumerate(
        [
            (40, {"r": 3}),
            (45, {"r": 5}),
            (40, {"r": 4, "max_outliers": 3}),
            (40, {"r": 4, "max_clusters": 6}),
            (40, {"r": 3, "max_clusters": 6, "max_outliers": 2}),
            (40, {"r": 1, "max_clusters": 7}),
        ]
    ):
        instance = in_the_plane(n, seed=seed, **fields)
        search, other = searched(solve, instance), search_of(instance)
        run(other)
        assert search.closed
        assert other.closed
        assert search.cost == other.cost


def test_hundreds_of_points():
    search = searched(solve, in_the_plane(400, r=3))
    assert search.closed
    assert search.cost == search.bound


def test_too_many_cliques(monkeypatch):
    monkeypatch.setattr(questions, "_ROOM", 0)
    rng, met = random.Random(2), 0
    for _ in range(60):
        instance = random_gather(rng, rng.randint(0, 8), centres="any")
        judged, search = optimum(instance), searched(solve, instance)
        if judged is None:
            assert search.cost is None
            continue
        best, _ = judged
        assert search.infeasible is False
        assert (search.bound or 0) <= best
        assert search.cost is None or search.cost >= best
        met += search.cost == best
    assert met > 30


def test_certificates_of_the_bounds():
    lonely = RGather(points=[[0], [1], [50], [99]], r=2, centres="any")
    search = searched(solve, lonely)
    assert (search.cost, search.proved_by) == (49**2, "lonely points")
    check_certificate(lonely, search.certificate, search.bound)
    scattered = RGather(
        points=[[0], [1], [50], [51], [99]], r=1, max_clusters=3, centres="any"
    )
    search = searched(solve, scattered)
    assert (search.cost, search.proved_by) == (1, "scattered points")
    check_certificate(scattered, search.certificate, search.bound)
    few = RGather(points=[[0], [1]], r=3, max_outliers=1, centres="any")
    search = searched(solve, few)
    assert search.infeasible
    check_certificate(few, search.certificate, None)


def test_a_spent_budget():
    instance = in_the_plane(30, r=3)
    search = searched(solve, instance, seconds=0)
    assert search.cost >= searched(solve, instance).cost >= (search.bound or 0)
