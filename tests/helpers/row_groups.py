"""Groups of rows, as the model of all of them and one by one."""

from itertools import combinations

from atleastk.models.admissible.k_anonymity import RowGroups
from atleastk.solvers.tables.closed_patterns import closed_patterns

__all__ = ["enumerated", "groups_of"]


def groups_of(instance):
    return RowGroups.of(instance, closed_patterns(instance.records, instance.k))


def enumerated(instance, groups):
    k, found = instance.k, set()
    for size in range(k, min(2 * k, instance.n + 1)):
        for rows in combinations(range(instance.n), size):
            found.add(groups.group(instance.records.record_of[list(rows)].tolist()))
    return found
