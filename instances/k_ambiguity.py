"""k-ambiguity: the instance.

Definition
----------
Given a table and k, suppress as few cells as possible such that every row *matches* at
least k - 1 others, where two rows match if they agree on every column on which neither
is suppressed: a suppressed cell matches anything. No equivalence relation: of three
rows the second may match both others, which do not match each other. So rows do not
fall into groups, and a k-anonymous table is k-ambiguous but not vice versa.

Complexity
----------
NP-hard [Vinterbo04].

References
----------
[Chaytor06] section 2.2.3 and Figure 2.14, after S. Vinterbo, "Privacy: a machine
learning view", 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.instances.k_anonymity import KAnonymity

__all__ = ["KAmbiguity"]


@dataclass(frozen=True)
class KAmbiguity(KAnonymity):
    """Suppress the fewest cells so that every row may be mistaken for k - 1 others.

    Attributes
    ----------
    table, k, columns
        As in k-anonymity.
    """

    problem: ClassVar[str] = "k-ambiguity"
