import pytest
from searching import search_of, searched

from atleastk import BinCovering, NotApplicableError
from atleastk.models.bin_covering import most_bins
from atleastk.models.encodings.bin_covering import assignment
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.engine.modelled import begun, modelled

INSTANCE = BinCovering([10, 6, 6, 6], 10)


def one_bin(search, source):
    search.offer([range(search.instance.n)], f"{source}, at first")
    return not search.done


def whole(instance):
    return assignment(instance, most_bins(instance))


def test_a_model_is_minimised_from_the_beginning():
    method = modelled("test", "a model", whole, CpSat(), one_bin)
    assert (method.name, method.summary, method.family) == ("test", "a model", "CP-SAT")
    assert method.refuses(INSTANCE) is None
    search = searched(method.run, INSTANCE)
    assert search.closed
    assert [event.cost for event in search.events][:1] == [28]
    assert search.cost == 16
    assert search.found_by == search.proved_by == "test"


def test_nothing_is_encoded_if_the_beginning_leaves_nothing():
    def encode(_instance):
        raise AssertionError

    method = modelled("test", "", encode, CpSat(), lambda *_: False)
    assert searched(method.run, INSTANCE).cost is None


def test_what_cannot_be_encoded_is_told():
    def encode(_instance):
        raise NotApplicableError("too many patterns")

    method = modelled("test", "", encode, CpSat(), one_bin)
    with pytest.raises(NotApplicableError, match="too many patterns"):
        method.run(search_of(INSTANCE))


@pytest.mark.parametrize("left", [False, True])
def test_who_begins_and_who_minimises_are_told_the_source(left):
    reported = []
    run = begun(
        lambda _, source: reported.append(("begin", source)) or left,
        lambda _, source: reported.append(("minimise", source)),
        "test",
    )
    run(search_of(INSTANCE))
    assert reported == [("begin", "test"), ("minimise", "test")][: 1 + left]
