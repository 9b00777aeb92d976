"""Testing claims: cases are drawn, and counter-example programs are run."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.resources import as_file, files
from random import Random

from atleastk.research.claims.claim import Claim, Standing


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of testing a claim."""

    claim: Claim
    tried: int
    """On how many cases it was tested, as printed or else as repaired."""
    shown: str
    """The output of the counter-example program; empty if there is none."""
    against: str | None
    """What contradicts the recorded standing of the claim; None if nothing does."""
    seconds: float

    @property
    def printed(self) -> Standing:
        """Its standing as printed; what was not tried is untested."""
        return self._as_tried(self.claim.printed)

    @property
    def mended(self) -> Standing | None:
        """Its standing as repaired; None if there is no repair."""
        mended = self.claim.mended
        return None if mended is None else self._as_tried(mended)

    def _as_tried(self, known: Standing) -> Standing:
        holds = known is Standing.HOLDS
        return Standing.UNTESTED if holds and not self.tried else known


def examine(
    claim: Claim, *, cases: int | None = None, seconds: float = 1.0, seed: int = 0
) -> Finding:
    """Test a claim on `cases` cases or, without a number, for `seconds`.

    Its counter-example is run in any case, and at least one case is tried.
    """
    begun = time.monotonic()
    shown, against = "", None
    if claim.counter_example:
        refuted, shown = run_counter_example(claim.counter_example)
        if not refuted:
            against = f"{claim.counter_example} does not refute it: {shown}"
    tried = 0
    trial = claim.tested
    enough = time.monotonic() + seconds
    while trial is not None and trial.possible and against is None:
        if tried == cases or (cases is None and tried and time.monotonic() > enough):
            break
        wrong = trial.attempt(Random(f"{seed} {claim.name} {tried}"))
        if wrong is not None:
            against = f"case {tried} of seed {seed}: {wrong}"
        tried += 1
    return Finding(claim, tried, shown, against, time.monotonic() - begun)


def run_counter_example(counter_example: str) -> tuple[bool, str]:
    """Run a counter-example; return whether it refutes the claim, and its output."""
    paper, _, name = counter_example.partition(" ")
    folder = files("atleastk.research.claims.counter_examples")
    with as_file(folder / f"{paper}.py") as path:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(path), name],
            capture_output=True,
            text=True,
            check=False,
        )
    said = (done.stdout + done.stderr).strip().splitlines()
    return done.returncode == 0, said[-1] if said else "nothing"
