import random

from atleastk import Solution, Status
from atleastk.models.encodings.interval_covering import interval_model
from atleastk.models.interval_covering import check
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.brute_force.interval_covering import optimum
from atleastk.solvers.budget import Budget
from scripts.sweeps.drawn_weights import random_intervals


def test_optima_are_those_of_the_judge():
    rng, seen = random.Random(1), set()
    while len(seen) < 6:
        instance = random_intervals(rng)
        if instance.total > 10_000:
            continue
        encoding, best = interval_model(instance), optimum(instance)
        answer = CpSat().minimise(encoding.model, Budget())
        seen.add((instance.objective, best is None))
        if best is None:
            assert answer.status is Status.INFEASIBLE
            continue
        groups = encoding.decode(answer.values)
        assert check(instance, Solution.of(groups)).cost == answer.cost == best[0]
        assert encoding.model.cost(encoding.encode(groups)) == best[0]
        assert encoding.model.admits(encoding.encode(best[1]))
