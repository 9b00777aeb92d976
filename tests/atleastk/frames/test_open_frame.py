"""Opening tables: each library's own, whatever else is going on in the process."""

import sys
import types

import pytest

from atleastk.frames.open_frame import framed


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_library_may_be_half_imported(library, monkeypatch):
    """A solver in another thread may be at it; the table is then none of its."""
    monkeypatch.setitem(sys.modules, library, types.ModuleType(library))
    assert list(framed([{"a": 1}]).names) == ["a"]


def test_what_is_no_table_is_refused():
    with pytest.raises(TypeError, match="or a list of rows, got int"):
        framed(7)
