import pytest

import atleastk
from atleastk.instances.fields.errors import AtleastkError

PLAIN = {
    "problem": "bin-covering",
    "algorithms": ["spread"],
    "instances": [{"family": "uniform", "seeds": 2, "n": 4}],
}


def study(folder=None, **fields):
    return atleastk.Study.from_dict(PLAIN | fields, folder)


def test_lists_are_multiplied_out():
    given = {"family": "uniform", "seeds": [3, 5], "n": [4, 5, 6], "k": [20, 30]}
    drawn = list(study(instances=[given]).drawn())
    assert len(drawn) == 12
    assert {(i.n, i.k) for i in drawn} == {(n, k) for n in (4, 5, 6) for k in (20, 30)}
    assert drawn[0] == atleastk.generate("bin-covering", "uniform", 3, n=4, k=20)


def test_an_instance_that_comes_twice_counts_once():
    one = atleastk.BinCovering([3, 4], 3)
    assert list(study(instances=[one, one]).drawn()) == [one]


def test_instances_of_files_by_a_pattern_with_other_ks(tmp_path):
    for name, sizes in (("b", "[5, 5]"), ("a", "[4, 4]")):
        text = f'{{"problem": "bin-covering", "sizes": {sizes}, "k": 2}}'
        (tmp_path / f"{name}.json").write_text(text)
    asked = study(tmp_path, instances=[{"files": "*.json", "k": [2, 3]}, "a.json"])
    drawn = [(instance.sizes[0], instance.k) for instance in asked.drawn()]
    assert drawn == [(4, 2), (5, 2), (4, 3), (5, 3)]
    before = asked.sha256
    (tmp_path / "a.json").write_text('{"problem":"bin-covering","sizes":[9],"k":2}')
    changed = study(tmp_path, instances=[{"files": "*.json", "k": [2, 3]}, "a.json"])
    assert changed.sha256 != before


def test_instances_of_the_library():
    names = [r.name for r in atleastk.library.filter(problem="bin-covering")]
    first = atleastk.library[names[0]].instance
    drawn = list(study(instances=[{"library": names[0], "k": [first.k, 7]}]).drawn())
    assert (drawn[0], drawn[1].k) == (first, 7)
    every = study(instances=[{"library": "*"}])
    assert len(list(every.drawn())) == len(names)
    with pytest.raises(AtleastkError, match="library: no instance of bin-covering is"):
        study(instances=[{"library": "no such*"}])


def test_instances_of_a_function(tmp_path):
    (tmp_path / "drawn.py").write_text(
        "import atleastk\n"
        "def equal(seed, size):\n"
        "    return atleastk.BinCovering([size] * (seed + 1), size)\n"
    )
    given = {"maker": "drawn.py:equal", "seeds": 2, "size": [3, 4]}
    drawn = list(study(tmp_path, instances=[given]).drawn())
    assert [instance.sizes for instance in drawn] == [(3,), (3, 3), (4,), (4, 4)]


def test_all_algorithms_and_one_of_ones_own():
    def mine(instance):
        return [range(instance.n)]

    names = {a.name for a in atleastk.algorithms("bin-covering")}
    assert set(study(algorithms=["all", mine]).known) == {*names, mine}


def test_the_same_study_is_known_again():
    assert study().sha256 == study().sha256 != study(seeds=[1]).sha256
    assert study().sha256 != study(target_gap=0).sha256


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"problem": "chess"}, "no problem is called"),
        ({"sead": [1]}, 'sead: unknown field of a study; did you mean "seed'),
        ({"seeds": [-1]}, "seed: expected an integer from 0"),
        ({"seeds": 3}, "seeds: expected a list, got 3"),
        ({"algorithms": "all"}, "algorithms: expected a list, got all"),
        ({"algorithms": ["sprad"]}, r'algorithms\[0\]: .*did you mean "spread"'),
        ({"methods": []}, "methods: none"),
        ({"optima": "a.db"}, "optima: expected a list, got a.db"),
        ({"optima": [3]}, r"optima\[0\]: expected a text, got 3"),
        ({"by": ["k", 3]}, r"by\[1\]: expected a text, got 3"),
        ({"methods": ["magic"]}, r"methods\[0\]: no method of bin-covering"),
        ({"time_limit": 0}, "time_limit: expected seconds above 0, got 0"),
        ({"instances": [3]}, r"instances\[0\]: expected an instance, a file or a ta"),
        ({"instances": [{}]}, r"\[0\]: expected one of family, files, library, maker"),
        ({"instances": [{"family": "x"}]}, "no family of bin-covering"),
        ({"instances": [{"family": "uniform", "m": 3}]}, 'no parameter "m"'),
        ({"instances": [{"family": "uniform", "seeds": []}]}, "seeds: expected a num"),
        ({"instances": ["none.json"]}, "files: there is no .*none.json"),
        ({"instances": [{"files": "a*b"}]}, "files: there is no"),
        ({"instances": [{"files": "*", "seeds": 2}]}, "seeds: instances of files ne"),
        ({"instances": [{"maker": "a.py:b"}]}, "cannot be imported: no such file"),
        ({"seeds": [0, 1, 0]}, r"seeds\[2\]: 0 is there twice"),
        ({"methods": ["auto", "auto"]}, r"methods\[1\]: auto is there twice"),
        ({"instances": [{"files": "n" * 300}]}, "files: there is no"),
        ({"instances": [{"files": "\0"}]}, "files: there is no"),
        ({"instances": [{"family": "uniform", "seeds": 10**30}]}, "at most 10,000,000"),
        ({"instances": [{"family": "uniform", "seeds": ["a"]}]}, "seeds: expected a n"),
        ({"algorithms": [3]}, r"algorithms\[0\]: expected a function or what names"),
        ({"certify": "yes"}, "certify: expected true or false, got yes"),
        ({"title": 3}, "title: expected a text, got 3"),
        ({"target_gap": "1%"}, "target_gap: expected a number from 0 to below 1"),
        (
            {"instances": [{"family": "uniform", "target_gap": 1}]},
            r"instances\[0\]: target_gap: expected a number from 0",
        ),
        (
            {"instances": [{"family": "uniform", "time_limit": 0}]},
            r"instances\[0\]: time_limit: expected seconds above 0, got 0",
        ),
        ({"seeds": []}, "seeds: none; a run needs one"),
        ({"instances": [{"family": "uniform", "seeds": True}]}, "a list, got True"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, fields, told):
    with pytest.raises(AtleastkError, match=told):
        study(tmp_path, **fields)


def test_fields_of_files_are_those_of_the_problem(tmp_path):
    (tmp_path / "a.json").write_text('{"problem":"bin-covering","sizes":[9],"k":2}')
    with pytest.raises(AtleastkError, match="r: no field of bin-covering; known are"):
        study(tmp_path, instances=[{"files": "a.json", "r": 2}])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("problem = ", r"a\.toml: Invalid value"),
        ("problem = " + "[" * 100_000, r"a\.toml: nested too deeply"),
        ("seeds = " + "9" * 5000, r"a\.toml: an integer has too many digits"),
        ('problem = "bin-covering"', r"a\.toml: instances: missing; a study needs it"),
    ],
)
def test_a_file_that_is_no_study(tmp_path, text, told):
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(AtleastkError, match=told):
        atleastk.Study.load(path)


def test_mistakes_while_instances_are_drawn_name_the_file(tmp_path):
    path = tmp_path / "a.toml"
    text = 'problem = "r-gather"\n[[instances]]\nfamily = "uniform"\nn = 2\nr = 3'
    path.write_text(text)
    with pytest.raises(AtleastkError, match=r"a\.toml: instances\[0\]: uniform: r: "):
        list(atleastk.Study.load(path).drawn())


def test_a_study_that_is_not_there(tmp_path):
    with pytest.raises(AtleastkError, match=r"none\.toml: no such file$"):
        atleastk.Study.load(tmp_path / "none.toml")


def test_a_function_may_have_no_instance_for_a_seed(tmp_path):
    (tmp_path / "drawn.py").write_text(
        "import atleastk\n"
        "def make(seed):\n"
        "    return atleastk.BinCovering([seed], 1) if seed % 2 else None\n"
    )
    asked = study(tmp_path, instances=[{"maker": "drawn.py:make", "seeds": 4}])
    assert [instance.sizes for instance in asked.drawn()] == [(1,), (3,)]


def test_an_entry_without_any_instance_is_a_mistake(tmp_path):
    asked = study(tmp_path, instances=[{"family": "uniform", "n": []}])
    with pytest.raises(AtleastkError, match=r"instances\[0\]: there is no instance"):
        list(asked.drawn())


def test_a_function_may_have_no_instance_at_all_beside_others(tmp_path):
    (tmp_path / "drawn.py").write_text("def make(seed):\n    return None\n")
    none, some = {"maker": "drawn.py:make"}, {"family": "uniform", "n": 4}
    assert len(list(study(tmp_path, instances=[none, some]).drawn())) == 1
    with pytest.raises(AtleastkError, match=r"instances: there is no instance"):
        list(study(tmp_path, instances=[none]).drawn())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def make(seed, n):\n    pass\n", "of seed 0: .* missing 1 required"),
        ("def make(seed):\n    return 3\n", "of seed 0: expected an instance, got int"),
        ("def make(seed):\n    return 1 / seed\n", "of seed 0: Zero.*: division by"),
        ("def make(seed):\n    return {}[seed]\n", "of seed 0: KeyError: 0"),
        ("def make(seed):\n    raise SystemExit(seed)\n", "of seed 0: SystemExit: 0"),
    ],
)
def test_a_function_that_makes_no_instance(tmp_path, text, told):
    (tmp_path / "drawn.py").write_text(text)
    asked = study(tmp_path, instances=[{"maker": "drawn.py:make"}])
    with pytest.raises(AtleastkError, match=f"drawn.py:make {told}"):
        list(asked.drawn())
