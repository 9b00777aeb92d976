"""Cases: instances that the scripts time solvers on, by family and size."""

from __future__ import annotations

from dataclasses import dataclass

from atleastk.instances.instance import Instance


@dataclass(frozen=True, slots=True)
class Case:
    """An instance and where it comes from."""

    family: str
    size: str
    seed: int
    instance: Instance

    def __str__(self) -> str:
        return f"{self.family} {self.size} seed={self.seed}"
