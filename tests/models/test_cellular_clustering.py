from atleastk import CellularClustering, Solution
from atleastk.models.cellular_clustering import check
from atleastk.models.clustering import best_centre, completed, solution_of

PAIRS = [[0, 1, 2], [3, 4]]


def line(**fields):
    return CellularClustering(points=[[0], [1], [2], [10], [12]], **{"r": 2, **fields})


def test_readings():
    assert check(line(), solution_of(PAIRS, [1, 3])).cost == 3 * 1 + 2 * 2
    assert check(line(), solution_of(PAIRS, [0, 3])).cost == 3 * 2 + 2 * 2
    assert check(line(), solution_of(PAIRS, [1, 0])).cost == 3 * 1 + 2 * 12
    assert check(line(centres="member"), solution_of(PAIRS, [1, 4])).cost == 7
    assert check(line(centres="any"), solution_of(PAIRS)).cost == 3 * 2 + 2 * 2


def test_facilities_are_paid_by_cluster():
    instance = line(r=1, facility_costs=[5, 1, 5, 7, 5])
    assert check(instance, solution_of(PAIRS, [1, 3])).cost == 1 + 3 + 7 + 4
    twice = solution_of([[0, 2], [1], [3, 4]], [1, 1, 3])
    assert check(instance, twice).cost == (1 + 2) + 1 + (7 + 4)


def test_a_grouping_is_completed():
    instance = line(max_outliers=1, facility_costs=[0, 9, 0, 0, 0])
    assert tuple(best_centre(instance, g)[1] for g in ([0, 1, 2], [3, 4])) == (1, 3)
    named = completed(instance, Solution.of([[0, 1, 2], [3, 4]]))
    assert named.centres == (0, 3)
    verdict = check(instance, Solution.of([[0, 1, 2], [3, 4]]))
    assert (verdict.cost, verdict.violations) == (6 + 4, ())
    assert completed(instance, Solution.of([[0, 1], [3, 4]])).outliers == (2,)
    assert check(instance, Solution.of([[0, 1], [3, 4]])).cost == 2 + 4
