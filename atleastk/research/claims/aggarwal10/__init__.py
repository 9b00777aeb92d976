"""The claims of [Aggarwal10]: r-gather, its variants, and cellular clustering.

[Aggarwal10] G. Aggarwal, T. Feder, K. Kenthapadi, S. Khuller, R. Panigrahy, D. Thomas,
A. Zhu, "Achieving Anonymity via Clustering", ACM Transactions on Algorithms 6(3), 2010.
"""

from __future__ import annotations

from typing import Final

from atleastk.research.claims.aggarwal10 import (
    section_1_figures,
    section_2_gather,
    section_3_cellular,
)

CLAIMS: Final = (
    *section_1_figures.CLAIMS,
    *section_2_gather.CLAIMS,
    *section_3_cellular.CLAIMS,
)
