"""Proofs of RTILE: those of all tilings."""

from __future__ import annotations

from functools import partial
from typing import Final

from atleastk.models.proofs.rectangles import tilings_refuted
from atleastk.models.rectangle_tiling_grid import tiling_of

refuted: Final = partial(tilings_refuted, tiling_of)
"""Returns the refuted program of all solutions of an instance below a bound."""
