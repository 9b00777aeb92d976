import pytest

from atleastk.research.collecting.library import Library
from scripts.sweeps import broken_libraries as broken


@pytest.fixture
def folders(tmp_path):
    inputs, outputs = tmp_path / "in", tmp_path / "out"
    for folder in (inputs, outputs):
        folder.mkdir()
    broken.prepare(inputs)
    return inputs, outputs


@pytest.mark.parametrize(
    ("command", "how", "count", "ended"),
    [
        (0, "killed by bytes", 300, "killed"),
        (0, "killed by event", 4, "killed"),
        (0, "file limit", 300, "refused"),
        (1, "killed by event", 4, "killed"),
        (2, "killed by bytes", 300, "killed"),
    ],
)
def test_writers_that_are_broken_off(folders, command, how, count, ended):
    moment = broken.Moment(broken.COMMANDS[command], how, count)
    assert broken.tried(moment, *folders) == (ended, None)


def test_a_loss_is_seen(folders):
    own = Library(folders[0] / "own")
    name = "bin-covering-worst-k8-n7"
    assert broken.loss(own, own) is None
    assert broken.loss(own, {}) == "bin-covering-tight-spread-k20-s1 is lost"
    less = broken.replace(own[name], history=(), witness=None, certificate=None)
    assert broken.loss(own, {**own, name: less}) == (
        f"{name} has lost a part of its history"
    )
    other = broken.replace(own[name], instance_sha256="0" * 64)
    assert "makes another instance" in broken.loss(own, {**own, name: other})
