"""
Eight records of the library
============================

Instances of the library with their best known solutions: bins, intervals, rows of a
table, places gathered in two ways, counties, places in rectangles, and a grid.
"""

from matplotlib.figure import Figure

import atleastk

names = (
    "bin-covering-worst-k8-n7",
    "interval-covering-uniform-n20-s1",
    "k-anonymity-adult-n20-m4-k3",
    "r-gather-places-oh-n30",
    "cellular-clustering-places-wy-n30",
    "connected-partition-mississippi-k100000-s1",
    "rectangle-tiling-places-co-n30",
    "rectangle-tiling-grid-peaks-rows20-p8-s2",
)
figure = Figure(figsize=(15, 7.5), layout="constrained")
for name, ax in zip(names, figure.subplots(2, 4).flat, strict=True):
    record = atleastk.library[name]
    atleastk.plot(record.instance, record.result, ax=ax)
    ax.set_title("", loc="left")
    ax.set_title(f"{name}\ncost {record.known.cost:,}", fontsize=8)
    ax.set(xlabel="", ylabel="")
    ax.tick_params(labelsize=5)
    if (legend := ax.get_legend()) is not None:
        legend.remove()
picture = figure.axes[0]
