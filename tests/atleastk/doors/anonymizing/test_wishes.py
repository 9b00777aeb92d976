import re
from dataclasses import fields
from functools import partial
from inspect import getdoc, signature

import numpy as np
import pytest

import atleastk
from atleastk.cli.anonymize import Options
from atleastk.doors.anonymizing.request import Request, Wishes

OWN_FORM = {"k", "columns", "marker"}
"""What the command line spells out itself: several k, --except, a default."""


def explained(function):
    doc = getdoc(function)
    part = doc[doc.index("Parameters\n") : doc.index("Raises\n")]
    heads = re.findall(r"^(\w+(?:, \w+)*)\n    \S", part, re.MULTILINE)
    return [name for head in heads for name in head.split(", ")]


def test_every_parameter_of_anonymize_is_explained():
    names = explained(atleastk.anonymize)
    assert sorted(names) == sorted(signature(atleastk.anonymize).parameters)
    with pytest.raises(TypeError, match="missing a required argument: 'table'"):
        atleastk.anonymize(k=2)


def test_every_wish_is_a_parameter_of_the_estimator():
    asked = signature(atleastk.anonymize).parameters
    fitted = signature(atleastk.KAnonymizer).parameters
    without = {"table", "row_weights", "ambiguous", "on_event"}
    without |= {"population", "k_map", "recode"}
    without |= {"engine", "memory", "scratch", "counts", "output"}  # in files
    without |= {"drop"}  # it takes the chosen columns only
    without |= {"start"}  # it is of other rows than those it is fitted to
    without |= {"shuffle"}  # rows of a transformer stay beside their targets
    assert set(asked) - set(fitted) == without
    assert [n for n in fitted if fitted[n].default != asked[n].default] == ["k"]


def test_every_wish_is_an_option():
    known = [one.metadata for one in fields(Options)]
    shown = {
        flag: one["more"]["help"] for one in known for flag in one.get("flags", ())
    }
    for wish in fields(Wishes):
        assert bool(wish.metadata) == (wish.name not in OWN_FORM)
        for spelled, line in wish.metadata.get("options", {}).items():
            assert shown[spelled.split()[0]] == line


def test_a_wrong_name_is_refused_with_the_nearest():
    wrong = r"anonymize\(\) got an unexpected keyword argument 'intct'; did you mean"
    with pytest.raises(TypeError, match=rf'^{wrong} "intact"\?$'):
        atleastk.anonymize([(1,)], 1, intct=["age"])
    with pytest.raises(TypeError, match=r"__init__\(\) .* argument 'xyzzy'$"):
        atleastk.KAnonymizer(xyzzy=1)


def test_generators_are_wishes_too():
    """They are read more than once: while the table is made, and by its report."""
    rows = [{"age": i // 2, "zip": i // 3, "ill": i % 2} for i in range(12)]
    for wishes in (
        {"columns": ["age", "zip"], "sensitive": ["ill"], "l": 2},
        {"columns": ["age", "zip"], "intact": ["age"]},
        {"columns": ["age", "zip"], "column_order": [["age"], ["zip"]]},
    ):
        once = {k: v if k == "l" else iter(v) for k, v in wishes.items()}
        listed, made = (atleastk.anonymize(rows, 2, **w) for w in (wishes, once))
        assert made.instance.to_dict() == listed.instance.to_dict()
        for name in once.keys() - {"l"}:
            assert getattr(made.request, name) == tuple(wishes[name])


EXCLUSIVE = [
    ({"limits": {"rows": 12}}, {"hierarchies": "auto"}),
    ({"minimise": "rows"}, {"weights": {"age": 2}}),
    ({"minimise": "rows"}, {"row_weights": "w"}),
    ({"ambiguous": True}, {"limits": {"rows": 12}}),
    ({"ambiguous": True}, {"hierarchies": "auto"}),
    ({"ambiguous": True}, {"weights": {"age": 2}}),
    ({"sensitive": "ill", "l": 2}, {"ambiguous": True}),
    ({"sensitive": "ill", "t": 0.2}, {"column_order": [["age"], ["zip"]]}),
    ({"sensitive": "ill"}, {"limits": {"entries": 24}}),
    ({"sensitive": "ill"}, {"intact": ["age"]}),
    ({"ambiguous": True}, {"intact": ["age"]}),
    ({"ambiguous": True}, {"on": "attributes"}),
    ({"ambiguous": True}, {"suppress_rows": 1}),
    ({"ambiguous": True}, {"mean_risk": 0.5}),
    ({"ambiguous": True}, {"row_weights": "w"}),
    ({"limits": {"rows": 12}}, {"suppress_rows": 1}),
    ({"minimise": "rows", "deletion": True}, {"on": "entries"}),
    ({"household": "home"}, {"l": 2, "sensitive": "ill", "on": "entries"}),
    ({"household": "home"}, {"limits": {"rows": 12}}),
    ({"mean_risk": 0.5}, {"minimise": "k", "limits": {"entries": 24}}),
    ({"average": True}, {"limits": {"rows": 12}}),
    ({"average": True}, {"sensitive": "ill", "l": 2}),
    ({"average": True}, {"hierarchies": "auto"}),
    ({"average": True}, {"levels": {"age": 1}}),
]


@pytest.mark.parametrize(("one", "other"), EXCLUSIVE)
def test_wishes_that_exclude_each_other_are_both_named_with_the_reason(one, other):
    cells = {"age": lambda i: i // 2, "zip": lambda i: i // 3, "ill": lambda i: i % 2}
    cells |= {"w": lambda _: 1, "home": str}
    rows = [{name: cell(i) for name, cell in cells.items()} for i in range(12)]
    made = partial(atleastk.anonymize, rows, 2, ["age", "zip"])
    for wishes in (one, other):
        assert made(**wishes).result.cost is not None
    with pytest.raises(atleastk.InvalidInstanceError) as refused:
        made(**one, **other)
    told = str(refused.value)
    assert all(next(iter(wishes)) in told for wishes in (one, other))
    assert re.search(r", since | is for suppressing cells, ", told)
    assert "; leave one out" in told
    assert "\n" not in told


@pytest.mark.parametrize("no", [False, None, np.False_])
def test_switches_may_be_of_numpy(no):
    assert Request(k=2, ambiguous=np.True_, average=no)
    assert Request(k=2, ambiguous=no, average=np.True_)
    with pytest.raises(atleastk.InvalidInstanceError, match=" and ambiguous cannot "):
        Request(k=2, ambiguous=np.True_, average=no, sensitive="ill", l=2)
