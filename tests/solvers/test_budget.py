import os

import pytest

from atleastk.solvers import budget
from atleastk.solvers.budget import (
    Budget,
    bytes_of,
    resident_memory,
    usable_memory,
    usable_processors,
)


@pytest.mark.parametrize("newer", [False, True])
def test_processors_are_those_that_the_process_may_use(newer, monkeypatch):
    """A container gives it some of the machine's; so tell systems that know."""
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 7}, raising=False)
    if newer:
        monkeypatch.delattr(os, "sched_getaffinity")
        monkeypatch.setattr(os, "process_cpu_count", lambda: 3, raising=False)
    assert usable_processors() == Budget.checked(None, None, 0, None).workers == 3


def test_where_the_system_does_not_tell_it_is_all_of_them(monkeypatch):
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_processors() == 1


@pytest.mark.parametrize(
    ("group", "job", "found"),
    [
        ("max\n", "", 8e9),
        ("3000000000\n", "", 3e9),
        ("3000000000\n", "1000", 1000 * 2.0**20),
        ("", "0", 8e9),
        (None, "8000000", 8e9),
    ],
)
def test_memory_is_what_the_process_may_take(group, job, found, tmp_path, monkeypatch):
    limit = tmp_path / "memory.max"
    if group is not None:
        limit.write_text(group)
    monkeypatch.setattr(budget, "_LIMITS", {"": (tmp_path, "memory.max")})
    monkeypatch.setattr(budget, "_physical", lambda: 8e9)
    monkeypatch.setenv("SLURM_MEM_PER_NODE", job)
    assert usable_memory() == found
    assert Budget.checked().memory == found / 2


def test_who_gives_a_limit_of_memory_does_not_wait_for_that_of_the_machine(monkeypatch):
    monkeypatch.setattr(budget, "usable_memory", None)
    assert Budget.checked(memory_limit=2).memory == 2e9


@pytest.mark.parametrize("kind", [("0:", "memory.max"), ("4:memory", "limit")])
def test_memory_is_what_the_groups_around_the_process_leave(
    kind, tmp_path, monkeypatch
):
    inner, told = tmp_path / "a/b", tmp_path / "groups"
    inner.mkdir(parents=True)
    told.write_text(f"9:name=systemd:/x\n{kind[0]}:/a/b\n")
    monkeypatch.setattr(budget, "_GROUPS", told)
    name = kind[0].partition(":")[2]
    monkeypatch.setattr(budget, "_LIMITS", {name: (tmp_path, kind[1])})
    monkeypatch.setattr(budget, "_physical", lambda: 8e9)
    monkeypatch.delenv("SLURM_MEM_PER_NODE", raising=False)
    assert usable_memory() == 8e9
    for i, folder in enumerate((tmp_path, inner.parent, inner)):
        (folder / kind[1]).write_text(f"{5 - i}000000000\n")
        assert usable_memory() == (5 - i) * 1e9


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"MEM_PER_CPU": "500", "CPUS_ON_NODE": "4"}, 2000 * 2.0**20),
        ({"MEM_PER_CPU": "500"}, 8e9),
        ({"MEM_PER_CPU": "0", "CPUS_ON_NODE": "4"}, 8e9),
        ({"MEM_PER_CPU": "9", "CPUS_ON_NODE": "4", "MEM_PER_NODE": "5"}, 5 * 2.0**20),
    ],
)
def test_slurm_grants_memory_by_node_or_by_processor(told, found, monkeypatch):
    monkeypatch.setattr(budget, "_LIMITS", {})
    monkeypatch.setattr(budget, "_physical", lambda: 8e9)
    for name in ("MEM_PER_NODE", "MEM_PER_CPU", "CPUS_ON_NODE"):
        monkeypatch.delenv(f"SLURM_{name}", raising=False)
    for name, value in told.items():
        monkeypatch.setenv(f"SLURM_{name}", value)
    assert usable_memory() == found


def test_lists_take_what_the_process_has_not_taken():
    limits = Budget.of(memory=8e9)
    assert limits.beside(3e9).memory == 5e9
    assert limits.beside(7e9).memory == limits.beside(9e9).memory == 2e9
    by_work = Budget.of(memory=8e9, work=1.0)
    assert by_work.beside(3e9).memory == 8e9


def test_what_this_process_has_taken(monkeypatch, tmp_path):
    pages = tmp_path / "statm"
    pages.write_text("900 7 5 1 0 3 0")
    monkeypatch.setattr(budget, "_STATM", pages)
    assert resident_memory() == 7 * os.sysconf("SC_PAGE_SIZE")
    monkeypatch.setattr(budget, "_STATM", tmp_path / "nowhere")
    assert resident_memory() == 0


def test_amounts_of_memory():
    assert bytes_of("500MB") == bytes_of(0.5) == bytes_of("0.5 gb") == 5e8
    assert bytes_of(None) > 0
    for wrong in ("much", "0GB", "1PB"):
        with pytest.raises(ValueError, match="expected"):
            bytes_of(wrong)
