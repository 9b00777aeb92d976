import errno
import os
import signal
import stat
import sys
import threading
from pathlib import Path

import pytest

from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files import writing
from atleastk.instances.files.writing import printing_aside, write_bytes


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "folder" / "out.json"
    path.parent.mkdir()
    path.write_bytes(b"old")
    return path


def names_beside(path):
    return [beside.name for beside in path.parent.iterdir()]


def test_what_was_there_goes_at_once(path):
    write_bytes(path, b"new")
    assert path.read_bytes() == b"new"
    assert names_beside(path) == ["out.json"]


def failing(number):
    def fail(*_):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("broken", ["fsync", "chown"])
def test_a_full_disk_leaves_the_old_file(path, monkeypatch, broken):
    monkeypatch.setattr(writing.os, broken, failing(errno.ENOSPC))
    with pytest.raises(AtleastkError) as caught:
        write_bytes(path, b"new")
    assert str(caught.value) == f"{path}: cannot be written: no space left on device"
    assert path.read_bytes() == b"old"
    assert names_beside(path) == ["out.json"]


def test_a_disk_that_fills_up_in_the_middle(path, monkeypatch):
    class Full:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, data):
            self.file.write(data[:1])
            self.file.flush()
            failing(errno.ENOSPC)()

    opened = Path.open
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda p, mode: Full(opened(p, mode)))
        with pytest.raises(AtleastkError, match="no space left on device"):
            write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert names_beside(path) == ["out.json"]


def test_the_new_file_takes_the_permissions_of_the_old(path):
    path.chmod(0o640)
    write_bytes(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        write_bytes(path.with_name("other"), b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.with_name("other").stat().st_mode) == 0o640


def test_a_file_that_may_not_be_written_is_kept(path, monkeypatch):
    monkeypatch.setattr(writing.os, "access", lambda *_: False)
    with pytest.raises(AtleastkError, match="cannot be written: no permission"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("there", [True, False])
def test_links_are_written_through(path, tmp_path, there):
    link = tmp_path / "link.json"
    link.symlink_to("folder/out.json")
    if not there:
        path.unlink()
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_devices_and_pipes_are_written_to(tmp_path):
    write_bytes(os.devnull, b"new")
    assert not Path(os.devnull).is_file()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_bytes(pipe, b"new")
    reader.join()
    assert read == [b"new"]
    assert pipe.is_fifo()


def test_a_device_that_is_full():
    with pytest.raises(AtleastkError, match=r"/dev/full: .* no space left on device"):
        write_bytes("/dev/full", b"new")


def test_a_descriptor_of_the_shell(tmp_path):
    read, write = os.pipe()
    write_bytes(f"/dev/fd/{write}", b"new")
    os.write(write, b"!")
    assert os.read(read, 9) == b"new!"
    os.close(read)
    os.close(write)


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_standard_output(capfdbinary, name):
    with printing_aside():
        print("told")
        write_bytes(name, b"\xff")
    write_bytes(name, b"\xfe")
    assert capfdbinary.readouterr() == (b"\xff\xfe", b"told\n")
    assert sys.stdout is not sys.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_wait_until_the_file_is_there(path, monkeypatch, number):
    heard = []
    before = signal.signal(number, lambda *_: heard.append(path.read_bytes()))
    try:
        fsync = os.fsync
        monkeypatch.setattr(
            writing.os, "fsync", lambda d: (signal.raise_signal(number), fsync(d))
        )
        write_bytes(path, b"new")
    finally:
        signal.signal(number, before)
    assert heard == [b"new"]
    assert names_beside(path) == ["out.json"]


def test_threads_write_too(path):
    thread = threading.Thread(target=write_bytes, args=(path, b"new"))
    thread.start()
    thread.join()
    assert path.read_bytes() == b"new"
