import warnings

import pytest

import atleastk
from atleastk import Instance, InvalidInstanceError, RGather, Suppression
from atleastk.instances.fields.errors import meant
from atleastk.instances.fields.spelling import renamed, respelled, usual

TABLE = [["a", 1], ["a", 2], ["b", 1], ["b", 2]]
POINTS = [[0, 0], [1, 0], [9, 9], [9, 8]]


def test_names_stand_for_what_is_known():
    assert usual("minimize", {"minimise"}) == "minimise"
    assert usual("minimize", {"minimise", "minimize"}) == "minimize"
    assert usual("minimize", {"maximise"}) == "minimize"
    assert usual("k", {"minimise"}) == "k"


def test_a_name_is_guessed_by_its_letters_or_its_first_word():
    known = ["spread", "longest-processing-time"]
    assert meant("spred", known) == 'did you mean "spread"? '
    assert meant("longest-first", known) == f'did you mean "{known[1]}"? '
    assert meant("longest", known) == meant("two-bins", known) == ""


@pytest.mark.parametrize("twice", [("minimise", "minimize"), ("minimize", "minimise")])
def test_a_value_has_one_name(twice):
    with pytest.raises(InvalidInstanceError, match="given twice, also by another name"):
        renamed(dict.fromkeys(twice, "rows"), {"minimise"})


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ("anonymise", "anonymize"),
        ("Anonymised", "Anonymized"),
        ("Generalisation", "Generalization"),
        ("KAnonymiser", "KAnonymizer"),
    ],
)
def test_public_names(other, name):
    with pytest.warns(DeprecationWarning, match=f"{other} is called {name}") as warned:
        assert getattr(atleastk, other) is getattr(atleastk, name)
    assert warned[0].filename == __file__
    assert name in dir(atleastk)
    assert other not in dir(atleastk)


def test_keywords_of_functions():
    with pytest.warns(
        DeprecationWarning, match="minimize is called minimise"
    ) as warned:
        made = atleastk.anonymize(TABLE, 2, minimize="rows")
    assert warned[0].filename == __file__
    assert made.report.quantities.minimise == "rows"
    with pytest.warns(DeprecationWarning, match="importance is called column_order"):
        made = atleastk.anonymize(TABLE, 2, importance=[[0], [1]])
    assert made.instance.column_order == ((0,), (1,))
    with pytest.warns(DeprecationWarning, match="centers is called centres"):
        found = atleastk.cluster(POINTS, 2, centers="member")
    assert found.instance.centres == "member"


def test_keywords_of_classes():
    with pytest.warns(DeprecationWarning, match="minimize is called minimise"):
        instance = Suppression(TABLE, 2, minimize="rows")
    assert instance == Suppression(TABLE, 2, minimise="rows")
    with pytest.warns(DeprecationWarning, match="centers is called centres"):
        gather = RGather(points=POINTS, r=2, centers="member")
    assert gather.centres == "member"
    with pytest.warns(DeprecationWarning, match="minimize is called minimise"):
        anonymizer = atleastk.KAnonymizer(2, minimize="rows")
    assert anonymizer.set_params(minimize="columns").minimise == "columns"
    assert "minimize" not in anonymizer.get_params()


def test_usual_keywords_are_taken_without_a_word():
    @respelled
    def function(minimise):
        return minimise

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert function(minimise="rows") == "rows"
    with pytest.raises(TypeError, match="'maximize'"):
        function(maximize="rows")


@pytest.mark.parametrize(
    ("document", "usual_one"),
    [
        (
            {"problem": "suppression", "table": TABLE, "k": 2, "minimize": "rows"},
            {"minimise": "rows"},
        ),
        (
            {"problem": "r-gather", "points": POINTS, "r": 2, "centers": "member"},
            {"centres": "member"},
        ),
        (
            {
                "problem": "generalisation",
                "table": [["a"]],
                "k": 1,
                "hierarchies": [[["a", "*"]]],
            },
            {"problem": "generalization"},
        ),
    ],
)
def test_fields_of_files(document, usual_one):
    instance = atleastk.from_dict(document)
    assert isinstance(instance, Instance)
    assert usual_one.items() <= instance.to_dict().items()


def test_centres_of_solutions():
    instance = RGather(points=POINTS, r=2)
    claim = {"groups": [[0, 1], [2, 3]], "centers": [0, 2]}
    assert atleastk.check(instance, claim).cost == 1
    far = atleastk.check(instance, {**claim, "centers": [2, 0]})
    assert far.cost != 1


def test_families():
    for problem, once in (("suppression", "people-7"), ("k-ambiguity", "seven-people")):
        assert atleastk.generate(problem, once) == atleastk.generate(problem, "people")
