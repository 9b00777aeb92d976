"""Tables by their distinct rows."""

from collections import Counter
from dataclasses import replace


def with_copies(instance):
    """Return the instance with its distinct rows and their copies."""
    names = [each for each in instance.BY_ROW if getattr(instance, each) is not None]
    rows = zip(*(getattr(instance, each) for each in names), strict=True)
    counts = Counter(tuple(tuple_of(part) for part in row) for row in rows)
    lists = zip(*counts, strict=True) if counts else [[] for _ in names]
    fields = dict(zip(names, map(list, lists), strict=True))
    return replace(instance, **fields, copies=list(counts.values()))


def tuple_of(part):
    return tuple(part) if isinstance(part, list | tuple) else part
