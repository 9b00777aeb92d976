from fractions import Fraction

import pytest

from atleastk.research.lower_bounds.polynomial import Polynomial


def fitted(function, arguments=range(3, 13)):
    return Polynomial.fitted({x: function(x) for x in arguments})


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (lambda x: 3 * x - 3, "3 x - 3"),
        (lambda x: x, "x"),
        (lambda _: 7, "7"),
        (lambda _: 0, "0"),
        (lambda x: -x * x + 1, "-x^2 + 1"),
        (lambda x: Fraction(5, 2) * x - 2, "5/2 x - 2"),
        (lambda x: x**4 - 2 * x**2, "x^4 - 2 x^2"),
    ],
)
def test_polynomials_of_low_degree_are_found(function, shown):
    found = fitted(function)
    assert found.shown("x") == shown
    assert all(found(x) == function(x) for x in range(-5, 50))


@pytest.mark.parametrize(
    "function", [lambda x: x**5, lambda x: 2**x, lambda x: x + x % 2]
)
def test_what_ten_values_do_not_tell_is_not_claimed(function):
    assert fitted(function) is None


def test_quotients_and_limits():
    cost, optimum = fitted(lambda x: 3 * x * x - 3 * x), fitted(lambda x: x * x - x)
    line, one = fitted(lambda x: 3 * x - 3), fitted(lambda _: 1)
    assert cost.over(optimum).shown("k") == "3"
    assert cost.over(line).shown("k") == "k"
    assert line.over(cost) is None
    assert fitted(lambda x: x + 1).over(fitted(lambda x: x)) is None
    assert cost.limit_over(optimum) == 3
    assert line.limit_over(one) is None
    assert line.limit_over(cost) == 0
