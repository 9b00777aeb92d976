"""Windows on groups: what a partition violates of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atleastk.instances.fields.windows import Windowed


def window_violations(
    instance: Windowed, groups: Sequence[Sequence[int]]
) -> Iterator[str]:
    """Yield what a partition violates of the windows of an instance."""
    if instance.groups is not None:
        least, most = instance.groups
        if not least <= len(groups) <= most:
            yield f"{len(groups)} groups, where there have to be {least} to {most}"
    for g, group in enumerate(groups if instance.quantities else ()):
        for quantity in instance.quantities:
            wrong = quantity.violation(group)
            if wrong is not None:
                yield f"group {g} {wrong}"
    if not instance.together and not instance.apart:
        return
    owner = {item: g for g, group in enumerate(groups) for item in group}
    for items in instance.together or ():
        if len({owner[item] for item in items}) > 1:
            yield f"items {list(items)} are not together"
    for items in instance.apart or ():
        if len({owner[item] for item in items}) < len(items):
            yield f"of the items {list(items)} two are in one group"
