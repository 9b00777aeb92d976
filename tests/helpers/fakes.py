"""A stand-in for bin covering whose methods are honest, hostile, or slow.

Run as a script it is the command line with this problem in the registry.
"""

import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from atleastk.cli.main import main
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.family import Family
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.models import bin_covering
from atleastk.models.results.guarantee import Guarantee
from atleastk.models.results.solution import Solution
from atleastk.plots.bin_covering import draw
from atleastk.runs import registry
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.method import Algorithm, Method
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

PATIENCE: Final = 60.0
"""Seconds; only a test that fails waits for so long."""


class Clock:
    """The clock of the machine, but for what it was put forward.

    Where it is installed a method lets all of its time pass in a moment, and not before
    it has found what it finds.
    """

    def __init__(self) -> None:
        self._true = time.monotonic
        self._ahead = 0.0

    def __call__(self) -> float:
        return self._true() + self._ahead

    def put_forward(self) -> None:
        self._ahead += 1e6


CLOCK: Final = Clock()


def honest(source: str, certificate: Mapping[str, Any] | None = None) -> Any:
    def run(search: Search[BinCovering]) -> None:
        if search.instance.total < search.instance.k:
            search.close_infeasible(source, certificate)
            return
        verdicts = [
            (bin_covering.check(search.instance, Solution.of(groups)), groups)
            for groups in partitions(search.instance.n)
        ]
        cost, best = min((v.cost, g) for v, g in verdicts if v.feasible)
        search.offer(best, source)
        search.raise_bound(cost, source, certificate)

    return run


def one_bin(search: Search[BinCovering], source: str) -> None:
    search.offer([range(search.instance.n)], source)


def offers_half(search: Search[BinCovering]) -> None:
    search.offer([[0]], "offers-half")


def overbids(search: Search[BinCovering]) -> None:
    one_bin(search, "overbids")
    search.raise_bound(10**9, "overbids")


def exaggerates(search: Search[BinCovering]) -> None:
    one_bin(search, "exaggerates")
    search.raise_bound(search.instance.total, "exaggerates")


def hang() -> None:
    """Come back to nobody: who waits for it all the same gets an error."""
    time.sleep(PATIENCE)
    raise AssertionError("a solver that hangs was waited for")


def hangs(search: Search[BinCovering]) -> None:
    one_bin(search, "hangs")
    search.raise_bound(1, "hangs")
    CLOCK.put_forward()
    hang()


def lingers(search: Search[BinCovering]) -> None:
    """Closes the search and does not come back."""
    honest("lingers")(search)
    hang()


def dawdles(search: Search[BinCovering]) -> None:
    """Closes the search and comes back when told to stop."""
    honest("dawdles", {"proves": True})(search)
    assert search.budget.stop.wait(PATIENCE)


def waits(search: Search[BinCovering]) -> None:
    one_bin(search, "waits")
    search.raise_bound(1, "waits")
    CLOCK.put_forward()
    while not search.done:
        time.sleep(0.01)


def crashes(search: Search[BinCovering]) -> None:
    raise RuntimeError("the solver crashed")


def sulks(search: Search[BinCovering]) -> None:
    """Finds nothing and proves nothing."""


def stalls(search: Search[BinCovering]) -> None:
    """Ends with a solution and a bound below it."""
    one_bin(search, "stalls")
    search.raise_bound(1, "stalls")


def shrugs(search: Search[BinCovering]) -> None:
    """Gives up, and says why."""
    search.remark("shrugs has no list so long")
    search.remark("shrugs has no list so long")


def recoils(search: Search[BinCovering]) -> None:
    """Takes the instance, and refuses it later."""
    raise NotApplicableError("recoils cannot hold\nits numbers")


def method(name: str, family: str, run: Any, **more: Any) -> Method[BinCovering]:
    return Method(name, f"the method that {name}", family, run, **more)


METHODS = {
    m.name: m
    for m in (
        method("exact", "combinatorial", honest("exact")),
        method("exact-cousin", "combinatorial", honest("exact-cousin")),
        method("second", "SAT", honest("second")),
        method("certifies", "MILP", honest("certifies", {"proves": True})),
        method("boasts", "MILP", honest("boasts", {"proves": "too much"})),
        method("bluffs", "MILP", honest("bluffs", {"proves": False})),
        method("exaggerates", "CP-SAT", exaggerates),
        method("offers-half", "MILP", offers_half),
        method("overbids", "MILP", overbids),
        method("hangs", "MILP", hangs),
        method("lingers", "MILP", lingers),
        method("dawdles", "MILP", dawdles),
        method("waits", "MILP", waits),
        method("crashes", "MILP", crashes),
        method("sulks", "MILP", sulks),
        method("stalls", "MILP", stalls),
        method("shrugs", "MILP", shrugs),
        method("recoils", "MILP", recoils),
        method("picky", "MILP", sulks, refuses=lambda _i: "too plain"),
    )
}


def check_certificate(
    instance: BinCovering, certificate: Mapping[str, Any], bound: int | None
) -> None:
    if certificate.get("proves") == "too much":
        raise NotApplicableError("the certificate is too large to re-check")
    if not certificate.get("proves"):
        raise CertificateError("it proves nothing")


def make(seed: int, n: int = 4, k: int = 5, shape: str = "flat") -> BinCovering:
    return BinCovering(sizes=[1 + (seed + i) % 3 for i in range(n)], k=k)


ONE_BIN = Algorithm(
    name="one-bin",
    summary="everything in one bin",
    run=lambda instance, _seed: Solution.of([range(instance.n)]),
    guarantee=Guarantee(
        "cost <= n * OPT",
        "[Nobody] Theorem 1",
        lambda instance, optimum: Fraction(instance.n * optimum),
        "n >= 1",
    ),
    refuses=lambda i: "nothing is feasible" if i.total < i.k else None,
)
PICKY = replace(ONE_BIN, name="picky", guarantee=None, refuses=lambda _i: "too plain")
LYING = Algorithm("lying", "a bin of one item", lambda _i, _s: Solution.of([[0]]))

PROBLEM: Problem[BinCovering] = Problem(
    name="bin-covering",
    question="a stand-in",
    instance=BinCovering,
    check=bin_covering.check,
    check_certificate=check_certificate,
    first=lambda _instance: (),
    solve=honest("exact"),
    methods=tuple(METHODS.values()),
    algorithms=(ONE_BIN, PICKY),
    families=(Family("flat", "sizes 1 to 3", make, {"n": 4, "k": 5, "shape": "flat"}),),
    certify=None,
    certify_less=None,
    draw=draw,
)


def with_methods(*names: str, **more: Any) -> Problem[BinCovering]:
    return replace(PROBLEM, methods=tuple(METHODS[name] for name in names), **more)


def registered(problem: Problem[BinCovering]) -> Mapping[str, Problem[Any]]:
    """Return a registry of one problem."""
    return MappingProxyType({problem.name: problem})


if __name__ == "__main__":
    time.monotonic = CLOCK
    registry.PROBLEMS = registered(PROBLEM)
    sys.exit(main())
