"""Tables with all their patterns listed."""

from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.listed_table import ListedTable


def listed_table(records, k):
    """Return the table of these records, all patterns listed."""
    return ListedTable(closed_patterns(records, k), records, k)
