import json
import runpy
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import atleastk
from atleastk import InvalidInstanceError
from atleastk.runs import registry

ROOT = Path(__file__).resolve().parents[2]

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-1, 3)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x % 1)
    | st.sampled_from(["max", "excess", "least", ""])
)
values = scalars | st.lists(scalars, max_size=3) | st.lists(st.integers(1), max_size=3)


def test_the_script_writes_exactly_these(tmp_path, monkeypatch):
    """`python -m scripts.data.write_schemas` brings them up to date."""
    script = runpy.run_path(str(ROOT / "scripts/data/write_schemas.py"))
    monkeypatch.setitem(script["main"].__globals__, "PACKAGE", tmp_path)
    with pytest.raises(SystemExit, match="write it again"):
        script["main"](["--check"])
    assert not [*tmp_path.iterdir()]
    script["main"]([])
    script["main"](["--check"])
    for floor in ("instances", "models"):
        written, published = (
            {
                path.name: path.read_text()
                for path in (root / floor / "schemas").iterdir()
            }
            for root in (tmp_path, ROOT / "atleastk")
        )
        assert written == published
        for text in published.values():
            Draft202012Validator.check_schema(json.loads(text))


FORMS = {
    name: Draft202012Validator(registry.problem_named(name).instance.json_schema())
    for name in ("bin-covering", "interval-covering")
}


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_schema_and_reader_accept_the_same(name, data):
    """Any document passes both or neither.

    Whole numbers written as floats are left out: to JSON Schema 1.0 is an integer,
    to an exact reader it is not.
    """
    honest = {"problem": name, "sizes": [3, 1, 2], "k": 2}
    keys = ["problem", "sizes", "k", "objective", "name", "comment", "extra"]
    changes = data.draw(st.dictionaries(st.sampled_from(keys), values, max_size=2))
    dropped = data.draw(st.sets(st.sampled_from(keys), max_size=1))
    document = {k: v for k, v in {**honest, **changes}.items() if k not in dropped}
    accepted = FORMS[name].is_valid(document)
    try:
        atleastk.from_dict(document)
        read = True
    except InvalidInstanceError:
        read = False
    assert read == accepted, document
