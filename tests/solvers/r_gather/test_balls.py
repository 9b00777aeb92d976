import random
from itertools import combinations

import numpy as np
import pytest
from drawing import random_distances

from atleastk.instances.r_gather import RGather
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather.balls import conflicts, covering_problem, parts
from atleastk.solvers.r_gather.flow import fill
from atleastk.solvers.r_gather.hall import violations


def random_instance(rng, n, **fields):
    distances = random_distances(rng, n, [0, 1, 1, 2, 3, None])
    return RGather(distances=distances, r=rng.randint(1, 3), **fields)


def fillable(problem, chosen):
    balls = problem.balls.chosen(np.array(chosen, dtype=np.int64))
    own = problem.own[list(chosen)]
    return fill(balls, problem.n, problem.r, own).complete


def solvable(problem):
    """Whether some choice covers the rows and can be filled, by definition."""
    rows = set(problem.rows.tolist())
    balls = [set(problem.balls.of(c).tolist()) for c in range(len(problem.centres))]
    for size in range(min(problem.most, len(balls)) + 1):
        for chosen in combinations(range(len(balls)), size):
            missed = rows.difference(*(balls[c] for c in chosen))
            if len(missed) <= problem.outliers and (
                not chosen or fillable(problem, chosen)
            ):
                return True
    return False


@pytest.mark.parametrize("centres", ["input", "member"])
def test_nothing_that_matters_is_left_out(centres):
    rng = random.Random(4)
    answers, separate = [], 0
    for _ in range(150):
        limits = {
            "max_clusters": rng.choice([None, 1, 2]),
            "max_outliers": rng.choice([0, 0, 1]),
        }
        instance = random_instance(rng, rng.randint(2, 7), centres=centres, **limits)
        near = neighbourhoods(instance.space, 3)
        for radius in (0, 1, 2):
            less = covering_problem(instance, near, radius, Budget())
            all_centres = np.flatnonzero(near.within(radius) >= instance.r)
            balls = near.balls(radius, all_centres)
            every = np.arange(instance.n)
            full = type(less)(
                r=instance.r,
                points=every,
                centres=all_centres,
                balls=balls,
                holders=balls.turned(instance.n),
                rows=every,
                own=all_centres
                if centres == "member"
                else np.full_like(all_centres, -1),
                most=instance.most_clusters,
                outliers=instance.max_outliers,
            )
            answer = solvable(full)
            assert solvable(less) == answer
            assert not (less.hopeless and answer)
            if not less.hopeless:
                found = parts(less)
                separate += len(found) > 1
                assert all(map(solvable, found)) == answer
            answers.append(answer)
    assert 50 < sum(answers) < len(answers) - 50
    assert separate > 20


@pytest.mark.parametrize("centres", ["input", "member"])
def test_conflicts_and_cuts(centres):
    rng = random.Random(5)
    cuts_seen = pairs_seen = 0
    for _ in range(300):
        instance = random_instance(rng, rng.randint(3, 8), centres=centres)
        near = neighbourhoods(instance.space, 3)
        problem = covering_problem(instance, near, rng.randint(0, 2), Budget())
        many = len(problem.centres)
        for a, b in conflicts(problem).tolist():
            assert a != b
            assert not fillable(problem, (a, b))
            pairs_seen += 1
        choices = [
            chosen
            for size in range(1, min(many, 4) + 1)
            for chosen in combinations(range(many), size)
        ]
        good = [set(chosen) for chosen in choices if fillable(problem, chosen)]
        for chosen in rng.sample(choices, min(5, len(choices))):
            cuts = violations(problem, np.array(chosen))
            assert (not cuts) == (set(chosen) in good)
            for cut in cuts:
                weights = dict(
                    zip(cut.touching.tolist(), cut.weights.tolist(), strict=True)
                )
                assert sum(weights.get(c, 0) for c in chosen) > cut.points
                cuts_seen += 1
                for other in good:
                    assert sum(weights.get(c, 0) for c in other) <= cut.points
                    assert len(other & set(cut.inside.tolist())) <= cut.most
    assert cuts_seen > 40
    assert pairs_seen > 20
