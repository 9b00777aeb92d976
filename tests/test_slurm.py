"""Jobs of SLURM of the pages, with commands that stand in for those of a cluster."""

import ast
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

DOCS = Path(__file__).resolve().parents[1] / "docs"

SBATCH = """
import os, re, subprocess, sys
from argparse import ArgumentParser

parser = ArgumentParser()
for name in ("--cpus-per-task", "--mem", "--time", "--nodes", "--ntasks-per-node"):
    parser.add_argument(name)
parser.add_argument("--wrap")
parser.add_argument("script", nargs="?")
asked = parser.parse_args()
call = ["sh", "-c", asked.wrap] if asked.script is None else ["sh", asked.script]
if asked.script is not None:
    lines = re.findall("(?m)^#SBATCH (.*)$", open(asked.script).read())
    asked = parser.parse_args(" ".join(lines).split())
memory = re.fullmatch("([0-9]+)G", asked.mem)[1]
os.environ["SLURM_MEM_PER_NODE"] = str(1024 * int(memory))
os.environ["SLURM_CPUS_PER_TASK"] = asked.cpus_per_task
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:int(asked.cpus_per_task)])
sys.exit(subprocess.run(call).returncode)
"""

ATLEASTK = """
import json, sys
from atleastk.cli.main import main
from atleastk.solvers.budget import bytes_of, usable_processors

with open("seen.json", "w") as file:
    json.dump([bytes_of(None), usable_processors()], file)
sys.exit(main(sys.argv[1:]))
"""


def shell_of(page):
    return re.findall(
        r"^```sh\n(.*?)^```$", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE
    )


@pytest.fixture
def submit(tmp_path):
    """Return what runs a script in a folder with a table, as a user of SLURM would."""
    (tmp_path / "data").mkdir()
    for i in range(2):
        rows = {"age": [30, 31] * 6, "zip": ["11", "12"] * 6, "sex": ["f"] * 12}
        parquet.write_table(pyarrow.table(rows), tmp_path / f"data/{i}.parquet")
    commands = tmp_path / "bin"
    commands.mkdir()
    python = shlex.quote(sys.executable)
    for name, code in (("sbatch", SBATCH), ("atleastk", ATLEASTK)):
        stand_in = commands / f"of_{name}.py"
        stand_in.write_text(code)
        code = f'exec {python} {shlex.quote(str(stand_in))} "$@"'
        (commands / name).write_text(f"#!/bin/sh\n{code}\n")
    (commands / "srun").write_text('#!/bin/sh\nexec "$@"\n')
    (commands / "hostname").write_text("#!/bin/sh\necho 127.0.0.1\n")
    code = f'name=$1; shift; exec {python} -m distributed.cli.dask_$name "$@"'
    (commands / "dask").write_text(f"#!/bin/sh\n{code}\n")
    for command in commands.iterdir():
        command.chmod(0o755)
    root = str(DOCS.parent)
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    around = {**os.environ, "PATH": path, "PYTHONPATH": root}

    def run(script):
        said = tmp_path / "said"
        with said.open("w") as out:
            how = {"cwd": tmp_path, "env": around, "stdout": out, "stderr": out}
            job = subprocess.Popen(["sh", "-c", script], start_new_session=True, **how)
            try:
                job.wait()
            finally:  # with a job of SLURM end all its processes
                with suppress(ProcessLookupError):
                    os.killpg(job.pid, signal.SIGKILL)
        return job.returncode, said.read_text()

    return run


@pytest.mark.skipif(sys.platform != "linux", reason="processors of a process")
def test_a_job_on_one_node(submit, tmp_path):
    (tmp_path / "scratch").mkdir()
    told = (("16G", "1G"), ("=4", "=1"), ("/tmp", "scratch"), ("0.1%", "10%"))
    script = shell_of("large-tables.md")[0]
    for there, here in told:
        assert script.count(there) == 1
        script = script.replace(there, here)
    code, said = submit(script)
    assert code == 0, said
    assert json.loads((tmp_path / "seen.json").read_text()) == [2**29, 1]
    found = json.loads((tmp_path / "published.json").read_text())
    assert (found["rows"], found["recount"]["below"]) == (24, 0)
    assert parquet.read_table(tmp_path / "published").num_rows == 24
    assert not [*(tmp_path / "scratch").iterdir()]


@pytest.mark.sweep
@pytest.mark.skipif(sys.platform != "linux", reason="processors of a process")
def test_a_job_of_several_nodes(submit, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = shell_of("large-tables.md")[2].replace("8786", str(port))
    script = script.replace("--hierarchies rules", "--hierarchies auto")
    script = script.replace("=32G", "=2G").replace("24GB", "1GB")
    check = "atleastk anonymize published --check -k 10 --columns age,zip,sex --engine"
    again = f"{check} dask://127.0.0.1:{port} --counts counts --earlier published"
    (tmp_path / "job.sh").write_text(f"{script}\n{again}\n")
    code, said = submit("sbatch job.sh")
    assert code == 0, said
    assert said.count("2 pieces, 0 of them counted before") == 2
    assert "\n  10-anonymous together with the earlier release" in said
    assert json.loads((tmp_path / "seen.json").read_text())[0] == 2**30
    assert parquet.read_table(tmp_path / "published").num_rows == 24


def test_jobs_of_workers():
    """What dask-jobqueue makes of the call of the page; importing it takes SIGINT."""
    before = signal.getsignal(signal.SIGINT)
    jobqueue = pytest.importorskip("dask_jobqueue.slurm", reason="the extra dask")
    signal.signal(signal.SIGINT, before)
    call = re.search(r"SLURMCluster\(.*?\)", (DOCS / "studies.md").read_text())[0]
    given = {
        one.arg: ast.literal_eval(one.value)
        for one in ast.parse(call, mode="eval").body.keywords
    }
    job = jobqueue.SLURMJob("tcp://node:8786", name="worker", **given).job_script()
    memory, limit = "2G", given["walltime"]
    for line in ("#SBATCH -n 1", "--cpus-per-task=1", f"--mem={memory}", f"-t {limit}"):
        assert line in job, job
    assert "tcp://node:8786 --name worker --nthreads 1 --memory-limit 1.86GiB" in job
