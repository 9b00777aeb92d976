import shlex
import shutil
import subprocess

import pytest

from atleastk.cli.parsing import COMMANDS

BASH, ZSH, FISH = map(shutil.which, ("bash", "zsh", "fish"))
needs_bash = pytest.mark.skipif(BASH is None, reason="there is no bash")


@pytest.fixture
def script(done):
    return lambda shell: done("completion", shell)


def completed(text, *words):
    """Return what bash offers for the last word."""
    line = " ".join(map(shlex.quote, ["atleastk", *words]))
    asked = f"COMP_WORDS=({line}); COMP_CWORD={len(words)}; _atleastk"
    show = 'printf "%s\\n" "${COMPREPLY[@]}"'
    ended = subprocess.run(
        [BASH, "-c", f"{text}\n{asked}\n{show}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stderr == ""
    return ended.stdout.split()


@needs_bash
def test_bash_completes_commands_options_and_values(script):
    text = script("bash")
    subprocess.run([BASH, "-n"], input=text, text=True, check=True)
    assert set(completed(text, "")) >= {*COMMANDS, "--version"}
    assert completed(text, "ano") == ["anonymize"]
    assert completed(text, "solve", "--time") == ["--time-limit"]
    assert completed(text, "anonymize", "t.csv", "--help") == ["--help", "--help-all"]
    assert completed(text, "library", "ex") == ["export"]
    assert completed(text, "library", "export", "--to", "m") == ["mps"]
    assert completed(text, "library", "--fold") == []
    assert completed(text, "generate", "bin") == ["bin-covering"]
    assert completed(text, "plot", "--kind", "") == ["solution", "events"]
    assert completed(text, "completion", "f") == ["fish"]
    assert completed(text, "solve", "-o", "") == []  # files, by the shell


def test_the_script_of_zsh_is_that_of_bash(script):
    text = script("zsh")
    first, rest = text.split("bashcompinit\n_atleastk", 1)
    assert first.startswith("autoload")
    assert f"_atleastk{rest}" == script("bash")


@pytest.mark.skipif(ZSH is None, reason="there is no zsh")
def test_zsh_reads_it(script):
    subprocess.run([ZSH, "-n"], input=script("zsh"), text=True, check=True)


def test_fish_has_every_command_and_option(script):
    lines = script("fish").splitlines()
    for command in COMMANDS:
        assert any(f" -a {command} -d '" in line for line in lines)
    (limit,) = (line for line in lines if "at solve' -l time-limit" in line)
    assert " -r -d '" in limit
    (to,) = (line for line in lines if "at library export' -l to" in line)
    assert " -x -a 'json mps" in to
    assert all(len(shlex.split(line.replace("\\'", ""))) > 3 for line in lines[4:])


@pytest.mark.skipif(FISH is None, reason="there is no fish")
def test_fish_reads_it(script):
    subprocess.run([FISH, "-n"], input=script("fish"), text=True, check=True)


def test_another_shell_is_refused(refused):
    refused("completion tcsh")
