"""The claims of [ParkShim07]: k-anonymity by suppression, its greedy algorithms.

[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
"""

from __future__ import annotations

from typing import Final

from atleastk.research.claims.parkshim07 import (
    figures_12_and_13,
    section_3_diameters,
    section_4_covers,
    section_4_itemsets,
)

CLAIMS: Final = (
    *section_3_diameters.CLAIMS,
    *section_4_covers.CLAIMS,
    *section_4_itemsets.CLAIMS,
    *figures_12_and_13.CLAIMS,
)
