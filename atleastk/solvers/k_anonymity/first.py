"""k-anonymity: what every method does first.

Tables below k rows are infeasible, and the empty table is solved. The others get a
solution to start from: see :mod:`~atleastk.solvers.tables.first_groups`.
"""

from __future__ import annotations

from collections.abc import Iterator

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.results.solution import Solution
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.search import Search
from atleastk.solvers.tables.first_groups import first_groups


def begin(search: Search[KAnonymity], source: str) -> bool:
    """Report first solutions and a bound; return whether the search is still open."""
    instance = search.instance
    if instance.has_too_few:
        search.close_infeasible("count", {"kind": "count"})
        return False
    offer_first(search, first_answers(instance))
    search.raise_bound(0, source)
    return not search.done


def first_answers(instance: KAnonymity) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if there are too few rows."""
    if not instance.n:
        yield "no rows", Solution(())
    else:
        yield from first_groups(instance.records, instance.k)
