from atleastk import KAnonymity


def test_tables_are_kept_as_tuples():
    instance = KAnonymity([["a", 1], ("b", 2)], 2, columns=["x", "y"])
    assert instance.table == (("a", 1), ("b", 2))
    assert (instance.n, instance.m, instance.k) == (2, 2, 2)
    assert instance == KAnonymity((["a", 1], ["b", 2]), 2, columns=("x", "y"))
    assert "n=2 m=2 k=2 distinct=2" in str(instance)
    assert KAnonymity([["1"]], 1).sha256 != KAnonymity([[1]], 1).sha256


def test_empty_tables_have_the_columns_they_name():
    assert KAnonymity([], 3).m == 0
    assert KAnonymity([], 3, columns=["a", "b"]).m == 2
    assert KAnonymity([], 3, columns=["a", "b"]).records.m == 2
    assert KAnonymity([[], []], 1).m == 0
    assert KAnonymity([[], []], 1).records.distinct == 1
