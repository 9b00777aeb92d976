"""Layers: maps that one file holds, of which one is read."""

from __future__ import annotations

from collections.abc import Collection

from atleastk.instances.fields.attributes import unknown_name
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.paths import AnyPath


def layer_of(path: AnyPath, layers: Collection[str], asked: str | None) -> str:
    """Return the layer that is asked for; the only one if none is."""
    if asked is not None and asked not in layers:
        raise InvalidInstanceError(unknown_name(asked, layers, str(path), "layer"))
    if asked is None and len(layers) != 1:
        known = ", ".join(sorted(layers)) or "none"
        raise InvalidInstanceError(
            f"{path}: say which layer is meant; there are {known}"
        )
    return asked or next(iter(layers))
