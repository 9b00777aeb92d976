"""The claims of [Du09]: maps, points, and min-max bin covering.

[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009.
"""

from __future__ import annotations

from typing import Final

from atleastk.research.claims.du09 import (
    section_2_maps,
    section_3_rectangles,
    section_4_bins,
    section_4_theorem_10,
    section_4_theorem_11,
    section_5_names,
)

CLAIMS: Final = (
    *section_2_maps.CLAIMS,
    *section_3_rectangles.CLAIMS,
    *section_4_bins.CLAIMS,
    *section_4_theorem_10.CLAIMS,
    *section_4_theorem_11.CLAIMS,
    *section_5_names.CLAIMS,
)
