"""Claims put to the test: cases are drawn, and the programs that refute are run."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.resources import as_file, files
from random import Random

from atleastk.research.claims.claim import Claim, Standing, Trial


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of a claim when it was put to the test.

    Attributes
    ----------
    tried
        On how many cases it was tested, as printed or else as repaired.
    shown
        What the program prints that refutes it as printed; empty if there is none.
    against
        What was found that contradicts how the claim is said to stand; None if nothing.
    seconds
        What it took.
    """

    claim: Claim
    tried: int
    shown: str
    against: str | None
    seconds: float

    @property
    def printed(self) -> Standing:
        """How it stands as printed; nothing holds that was not tried."""
        return self._as_tried(self.claim.printed)

    @property
    def mended(self) -> Standing | None:
        """How it stands as repaired; None if there is no repair."""
        mended = self.claim.mended
        return None if mended is None else self._as_tried(mended)

    def _as_tried(self, known: Standing) -> Standing:
        holds = known is Standing.HOLDS
        return Standing.UNTESTED if holds and not self.tried else known


def examined(
    claim: Claim, *, cases: int | None = None, seconds: float = 1.0, seed: int = 0
) -> Finding:
    """Put a claim to the test on `cases` cases or, without a number, for `seconds`.

    What refutes it as printed is run in any case, and of the cases one at least.
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
        wrong = case_of(claim, trial, seed, tried)
        if wrong is not None:
            against = f"case {tried} of seed {seed}: {wrong}"
        tried += 1
    return Finding(claim, tried, shown, against, time.monotonic() - begun)


def case_of(claim: Claim, trial: Trial, seed: int, number: int) -> str | None:
    """Judge one case, which its seed and number tell again."""
    return trial.attempt(Random(f"{seed} {claim.name} {number}"))


def run_counter_example(counter_example: str) -> tuple[bool, str]:
    """Run a program that refutes a claim; return whether it does, and what it says."""
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
