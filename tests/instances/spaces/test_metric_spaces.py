import math
import random
from fractions import Fraction

import numpy as np
import pytest

from atleastk.instances.spaces.metric_spaces import (
    EARTH_RADIUS,
    FAR,
    PRECISION,
    Euclidean,
    GreatCircle,
    Hamming,
    Manhattan,
    Matrix,
    triangle_violation,
)


def coordinates(rng, n, axes, most):
    rows = [[rng.randrange(most) for _ in range(axes)] for _ in range(n)]
    return np.array(rows, dtype=np.int64).reshape(n, axes)


def rounded_up(square, scale):
    root = math.isqrt(square * scale**2)
    return root + (root**2 < square * scale**2)


@pytest.mark.parametrize("most", [3, 1000, 2**20, 2**29])
@pytest.mark.parametrize("scale", [None, 1, 10])
def test_lengths_against_integers_of_any_size(most, scale):
    rng = random.Random(most)
    spread = most if scale is None else most // scale
    points = coordinates(rng, 25, 3, max(2, spread))
    matrix = Euclidean(points, scale).matrix.tolist()
    for a, row in zip(points.tolist(), matrix, strict=True):
        for b, d in zip(points.tolist(), row, strict=True):
            square = sum((x - y) ** 2 for x, y in zip(a, b, strict=True))
            assert d == (square if scale is None else rounded_up(square, scale))
            if scale is not None:
                length = Fraction(d, scale)
                assert length**2 >= square
                assert d == 0 or (length - Fraction(1, scale)) ** 2 < square


def test_roots_next_to_squares():
    """Where roots in floating point are wrong: a square, one more, and one less."""
    for root in (1, 2, 3, 2**26 + 1, 94_906_267, 2**29 - 1):
        legs = np.array([[0, 0], [root, 0], [root, 1]], dtype=np.int64)
        assert Euclidean(legs, 1).row(0).tolist() == [0, root, root + 1]
        legs = _squares(root**2 - 1)
        space = Euclidean(np.array([[0] * len(legs), legs], dtype=np.int64), 1)
        assert space.row(0).tolist() == [0, rounded_up(root**2 - 1, 1)]


def _squares(number):
    found = [0]
    while number:
        found.append(math.isqrt(number))
        number -= found[-1] ** 2
    return found


def test_manhattan_and_hamming():
    points = coordinates(random.Random(2), 20, 3, 5)
    apart = [
        [[abs(x - y) for x, y in zip(a, b, strict=True)] for b in points.tolist()]
        for a in points.tolist()
    ]
    sums = [[sum(three) for three in row] for row in apart]
    counts = [[sum(map(bool, three)) for three in row] for row in apart]
    assert Manhattan(points).matrix.tolist() == sums
    assert (Manhattan(points, 7).matrix == 7 * np.array(sums)).all()
    codes = points.astype(np.int32)
    assert Hamming(codes).matrix.tolist() == counts
    assert (Hamming(codes, 3).matrix == 3 * np.array(counts)).all()


def haversine(a, b):
    (lat1, lon1), (lat2, lon2) = (map(math.radians, place) for place in (a, b))
    h = (
        math.sin((lat2 - lat1) / 2) ** 2
        + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    )
    return 2 * EARTH_RADIUS * math.asin(min(1.0, math.sqrt(h)))


def test_great_circles():
    rng = random.Random(3)
    places = [(rng.uniform(-90, 90), rng.uniform(-180, 180)) for _ in range(40)]
    places += [places[0], (90.0, 0.0), (-90.0, 0.0), (0.0, 180.0), (0.0, -180.0)]
    for scale in (1, 100):
        matrix = GreatCircle(np.array(places), scale).matrix
        for i, a in enumerate(places):
            for j, b in enumerate(places):
                length = scale * haversine(a, b)
                assert length - 0.2 <= matrix[i, j] <= length + 1.2
    assert matrix[41, 42] == math.ceil(100 * math.pi * EARTH_RADIUS - 1e-6)
    assert matrix[0, 40] == matrix[43, 44] == 0


@pytest.mark.parametrize("degrees", [1e-7, 1.0, 89.9, 90.1, 179.0, 180 - 1e-7])
def test_great_circles_are_right_to_the_precision_also_half_way_round(degrees):
    """Along the equator; from where the chord is longest an arc sine is 0.1 m off."""
    equator = np.array([[0.0, 0.0], [0.0, degrees]])
    found = int(GreatCircle(equator, 10**6).matrix[0, 1])
    exact = 10**6 * math.radians(degrees) * EARTH_RADIUS
    assert abs(found - 0.5 - exact) <= 0.5 + 2 * 10**6 * PRECISION


@pytest.mark.parametrize("seed", range(5))
def test_rounding_up_keeps_the_triangle_inequality(seed):
    """Rounding to the nearest would not: 0.3 and 0.3 are 0, 0.6 is 1."""
    rng = random.Random(seed)
    points = coordinates(rng, 40, 2, rng.choice([4, 30, 10**6]))
    spaces = [Euclidean(points, 1), Euclidean(points, 3), Manhattan(points)]
    spaces.append(Hamming(points.astype(np.int32)))
    degrees = [[rng.uniform(-90, 90), rng.uniform(-180, 180)] for _ in range(40)]
    spaces.append(GreatCircle(np.array(degrees)))
    for space in spaces:
        assert triangle_violation(space) is None
        assert (space.matrix == space.matrix.T).all()
        assert not space.matrix.diagonal().any()


def test_violations_are_found():
    line = np.array([[0], [1], [2]], dtype=np.int64)
    assert triangle_violation(Euclidean(line, None)) == (0, 2, 1)
    rows = [[0, 1, FAR], [1, 0, FAR], [FAR, FAR, 0]]
    assert triangle_violation(Matrix(np.array(rows))) is None
    rows = [[0, 1, FAR], [1, 0, 1], [FAR, 1, 0]]
    assert triangle_violation(Matrix(np.array(rows))) == (0, 2, 1)


def test_rows_are_those_of_the_matrix():
    points = coordinates(random.Random(4), 30, 2, 50)
    given = Euclidean(points, 1).matrix
    chosen = np.array([7, 3, 29])
    spaces = [
        Euclidean(points, None),
        Euclidean(points, 10),
        Manhattan(points),
        Hamming(points.astype(np.int32)),
        GreatCircle(points.astype(np.float64)),
        Matrix(given),
    ]
    for space in spaces:
        matrix = space.matrix
        assert space.n == 30
        assert (space.rows(chosen) == matrix[chosen]).all()
        assert (space.row(5) == matrix[5]).all()
        assert (space.between(chosen, chosen) == matrix[np.ix_(chosen, chosen)]).all()
        with pytest.raises(ValueError, match="read-only"):
            space.matrix[0, 0] = 1


def test_no_points():
    empty = np.empty((0, 2), dtype=np.int64)
    for space in (Euclidean(empty, 1), Manhattan(empty), GreatCircle(empty * 1.0)):
        assert space.matrix.shape == (0, 0)
        assert triangle_violation(space) is None


def test_thousands_of_points_take_little_memory():
    space = Euclidean(np.zeros((20_000, 2), dtype=np.int64), 1)
    assert 1 <= space.at_a_time <= 4_000_000 // 20_000
    assert space.rows(np.arange(3)).shape == (3, 20_000)
