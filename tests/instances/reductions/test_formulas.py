from atleastk.instances.reductions.formulas import ThreeSat


def test_literals_come_once():
    problem = ThreeSat([[1, 1, -4], (2,)])
    assert (problem.clauses, problem.variables) == (((1, -4), (2,)), 4)
    assert ThreeSat([]).variables == 0


def test_satisfied():
    problem = ThreeSat([[1, -2], [2, 3]])
    assert problem.satisfied([True, False, True])
    assert not problem.satisfied([False, True, True])
    assert not problem.satisfied([True, False, False])
    assert ThreeSat([]).satisfied([])
