"""Exact optima for partitioning items into groups of at least k, at least cost.

>>> import atleastk
>>> instance = atleastk.BinCovering(sizes=[10, 6, 6, 6], k=10)
>>> result = atleastk.solve(instance)
>>> result.status, result.cost, len(result.groups)
(<Status.OPTIMAL: 'OPTIMAL'>, 16, 2)

The public names, all of :mod:`atleastk.public`, are imported when the first of them is
asked for: so the command line can listen to Ctrl-C before a second of imports begins.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from atleastk.public import *  # noqa: F403
    from atleastk.public import __version__ as __version__
else:

    def __getattr__(name: str) -> Any:
        """Return a module of the package, or a public name: they come all at once."""
        if find_spec(f"{__name__}.{name}") is not None:
            return import_module(f"{__name__}.{name}")
        public = import_module("atleastk.public")
        # Empty as long as that module is still being imported itself.
        names = {*getattr(public, "__all__", ()), "__all__"} & vars(public).keys()
        new = names - globals().keys()
        globals().update({name: getattr(public, name) for name in new})
        if name not in names:
            spelling = import_module("atleastk.instances.fields.spelling")
            name = spelling.usual_with_warning(name, names, 2)
        if name not in globals():
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals()[name]

    def __dir__() -> list[str]:
        """List the public names."""
        return sorted({*globals(), *import_module("atleastk.public").__all__})
