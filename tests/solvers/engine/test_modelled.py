import pytest
from searching import search_of, searched

from atleastk import BinCovering, NotApplicableError
from atleastk.models.bin_covering import most_bins
from atleastk.models.encodings.bin_covering import assignment
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.engine.levels import below
from atleastk.solvers.engine.modelled import Methods, at_most, refusing

INSTANCE = BinCovering([10, 6, 6, 6], 10)


def one_bin(search, source):
    search.offer([range(search.instance.n)], f"{source}, at first")
    return not search.done


def whole(instance):
    return assignment(instance, most_bins(instance))


def modelled(encode, begin=one_bin):
    (method,) = Methods(begin).modelled("a model", encode, {"test": CpSat()})
    return method


def test_a_model_is_minimised_from_the_beginning():
    method = modelled(whole)
    assert (method.name, method.family) == ("test", "CP-SAT")
    assert method.summary == "a model, in CP-SAT"
    assert method.refuses(INSTANCE) is None
    search = searched(method.run, INSTANCE)
    assert search.closed
    assert [event.cost for event in search.events][:1] == [28]
    assert search.cost == 16
    assert search.found_by == search.proved_by == "test"


def test_nothing_is_encoded_if_the_beginning_leaves_nothing():
    def encode(_instance):
        raise AssertionError

    assert searched(modelled(encode, lambda *_: False).run, INSTANCE).cost is None


def too_many(_instance):
    raise NotApplicableError("too many patterns")


def test_what_cannot_be_encoded_is_told():
    with pytest.raises(NotApplicableError, match="too many patterns"):
        modelled(too_many).run(search_of(INSTANCE))


def test_a_formulation_is_a_method_in_every_back_end():
    backends = {"one": CpSat(), "other": Highs()}
    met = []
    methods = Methods(one_bin).each(
        "met", lambda _, backend, source: met.append((backend, source)), backends
    )
    for method in methods:
        method.run(search_of(INSTANCE))
    assert [method.family for method in methods] == ["CP-SAT", "MILP"]
    assert met == [(backend, name) for name, backend in backends.items()]


def test_levels_are_decided_from_the_beginning():
    def stated(search):
        return below, lambda _: whole(search.instance)

    (method,) = Methods(one_bin).decided("bins", stated, {"test": CpSat()})
    assert method.summary == "bins, level by level, in CP-SAT"
    search = search_of(INSTANCE)
    search.raise_bound(16, "known")
    method.run(search)
    assert search.cost == 16
    assert search.closed


@pytest.mark.parametrize("left", [False, True])
def test_who_begins_and_who_minimises_are_told_the_source(left):
    reported = []
    method = Methods(lambda _, source: reported.append(("begin", source)) or left).one(
        "test", "", "", lambda _, source: reported.append(("minimise", source))
    )
    method.run(search_of(INSTANCE))
    assert reported == [("begin", "test"), ("minimise", "test")][: 1 + left]


def test_refusals_say_why():
    assert at_most(4, "items")(INSTANCE) is None
    assert at_most(3, "items")(INSTANCE) == "4 items are too many; it takes 3"
    assert refusing(whole)(INSTANCE) is None
    assert refusing(too_many)(INSTANCE) == "too many patterns"
