"""Layers: several maps in one file, of which one is read."""

from __future__ import annotations

from collections.abc import Collection

from atleastk.instances.fields.attributes import unknown_name
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.paths import AnyPath


def layer_of(path: AnyPath, layers: Collection[str], wanted: str | None) -> str:
    """Return the wanted layer; without one, the only one."""
    if wanted is not None and wanted not in layers:
        raise InvalidInstanceError(unknown_name(wanted, layers, str(path), "layer"))
    if wanted is None and len(layers) != 1:
        known = ", ".join(sorted(layers)) or "none"
        raise InvalidInstanceError(
            f"{path}: say which layer is meant; there are {known}"
        )
    return wanted or next(iter(layers))
