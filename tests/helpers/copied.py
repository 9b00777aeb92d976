"""Tables by their distinct rows."""

from collections import Counter
from dataclasses import replace


def with_copies(instance):
    """Return the instance with its distinct rows and their copies."""
    counts = Counter(map(tuple, instance.table))
    return replace(instance, table=list(counts), copies=list(counts.values()))
