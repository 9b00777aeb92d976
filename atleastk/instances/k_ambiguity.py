"""k-ambiguity: the instance.

Definition
----------
Given a table and k, suppress as few cells as possible such that every row *matches* at
least k - 1 others, where two rows match if they agree on every column on which neither
is suppressed: a suppressed cell matches anything. No equivalence relation: of three
rows the second may match both others, which do not match each other. So rows do not
fall into groups, and a k-anonymous table is k-ambiguous but not vice versa.

No protection from a look for equal rows: a row that is published as it was and equals
no other is found by it, however many rows it matches.

Few cells are enough
--------------------
Let m be the number of columns that are not constant.

*Lemma 1.* A table of at least k rows needs at most (k - 1) m suppressed cells, however
many rows it has: suppress k - 1 whole rows. They match all, and every other row
matches them and itself.

*Lemma 2.* If the rows match along a graph G of least degree k - 1 or more then in every
column j the rows with a suppressed cell are a vertex cover of the edges of G whose ends
differ in j, and such covers suffice. So the optimum is the least sum over the columns
of the least covers, over all graphs of that degree.

*Lemma 3.* If n >= k and all rows differ from each other in every column then the
optimum is (k - 1) m. Proof: a vertex outside a cover has its k - 1 neighbours in it.

*Lemma 4.* If (k - 1) m rows differ from each other in every column, and from all other
rows somewhere, then the optimum is (k - 1) m, whatever else the table holds. Proof: let
h rows be suppressed in all m columns and q in part, so that the cost is at least
h m + q; let h < k - 1. One of the said rows that is not suppressed at all needs one of
the q, since h are not enough. One of the q keeps some column, so it matches one of the
said rows at most (itself, if it is one). Hence h + q >= (k - 1) m, and
h m + q >= (k - 1) m + h (m - 1).

So large tables of many values all have the same optimum, and k-ambiguity is far weaker
than k-anonymity: n >= k rows that differ in every column cost (k - 1) m here and n m
there; the rows 0 and 1 cost 1 and 2 for k = 2. Only an optimum of 0 is one for both.

Complexity
----------
NP-hard [Vinterbo04]. By Lemma 1 the tables with fewer than (k - 1) m suppressed cells
can be gone through: polynomial if k and the number of columns are constant.

References
----------
[Chaytor06] section 2.2.3 and Figure 2.14, after S. Vinterbo, "Privacy: a machine
learning view", 2004.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atleastk.instances.k_anonymity import KAnonymity


@dataclass(frozen=True)
class KAmbiguity(KAnonymity):
    """Suppress the fewest cells so that every row matches k - 1 others.

    Attributes
    ----------
    table, k, columns, copies
        As in k-anonymity.
    """

    problem: ClassVar[str] = "k-ambiguity"
