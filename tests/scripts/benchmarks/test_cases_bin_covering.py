"""Cases: every family draws what its sizes say."""


def test_sizes_are_those_of_the_instances(cases):
    """The parameter of a family is the n or k of its instances; seeds matter."""
    value = {"n": 45, "k": 5 * 10**12}
    for series in cases.SERIES.values():
        case = series.case(value[series.parameter], 1)
        assert getattr(case.instance, series.parameter) == value[series.parameter]
        assert str(case).startswith(f"{series.name} {series.parameter}=")


def test_every_instance_once(cases):
    """Families without randomness give one case per size."""
    sizes = {"uniform-1e2": [9, 12], "census-last": [30, 45]}
    found = [(case.family, case.size, case.seed) for case in cases.cases(sizes, 3)]
    assert found == [
        *(("uniform-1e2", size, s) for size in ("n=9", "n=12") for s in range(3)),
        ("census-last", "n=30", 0),
        ("census-last", "n=45", 0),
    ]
