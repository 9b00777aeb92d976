"""Tables with all their patterns listed, and assignments of their rows."""

import numpy as np

from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.listed_table import ListedTable


def listed_table(records, k):
    """Return the table of these records, all patterns listed."""
    return ListedTable(closed_patterns(records, k), records, k)


def is_partition(assignment, records, k):
    """Tell whether all copies are assigned, and every group has at least k rows."""
    assigned = np.bincount(assignment.record, assignment.copies, records.distinct)
    return (assigned == records.copies).all() and (assignment.sizes >= k).all()
