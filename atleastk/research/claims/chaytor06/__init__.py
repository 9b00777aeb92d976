"""The claims of [Chaytor06]: suppression that preserves use, and its web of reductions.

[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006.
"""

from __future__ import annotations

from typing import Final

from atleastk.research.claims.chaytor06 import (
    chapter_2,
    chapter_3,
    chapter_4,
    chapter_5,
)

CLAIMS: Final = (
    *chapter_2.CLAIMS,
    *chapter_3.CLAIMS,
    *chapter_4.CLAIMS,
    *chapter_5.CLAIMS,
)
