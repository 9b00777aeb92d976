"""A picture of a diverse table: that of a generalised one."""

from atleastk.plots.generalization import draw

__all__ = ["draw"]
