"""Gadgets for tilings by rectangles of weight exactly 3.

A gadget is a set of *free* locations (x, y) of the grid, with weights 0, 1 and 2; all
locations outside of gadgets are *blocked* by weight 3. A rectangle with a blocked
location has no other weight, so rectangles with weights of gadgets stay within free
locations; the others are blocked locations, perhaps with empty ones beside them.

Corridor [Du09, section 3]
    A row or column of locations of weights 1, 2, 1, 2, ... A rectangle of weight 3 in
    it is two neighbours. So if it begins and ends with 2, *it covers exactly one of the
    two locations of weight 1 at its ends*. (The text puts the points at corners; they
    need not be at corners, only corners need points.)
Triple [Du09, Figure 6a]
    Three locations of weight 1 in a row, two apart, with empty ones in between, each
    with a corridor that begins with 2 beyond it. *Either a rectangle covers the three,
    or all three corridors do.*
Chooser [Du09, Figure 6b]
    A location of weight 1 with corridors on two, three or four sides: *exactly one of
    them covers it*. Several choosers in a corridor do so in all: m of them have m - 1
    corridors between them, which cover all but one.
Crossing [Du09, Figure 6c]
    Weight 1 at the corners and in the middle of 3 x 3 free locations, else 0::

        1 0 1
        0 1 0
        1 0 1

    A rectangle of weight 3 with the middle has two corners of one side, and no two
    opposite ones without the other two. So *of each two opposite corners exactly one is
    covered from outside, in all four combinations*.

Weights 1 are at locations of even x + y, weights 2 at odd ones, so that corridors fit.

Empty locations, which the text does not speak of, have to be in rectangles if these
cover the plane. Each of those above is next to a blocked location whose rectangle takes
it in, if no other does; and where one has two of them beside it, they are on opposite
sides, and it can take in both.

The text has figures for triple, chooser and crossing, which are missing; what is
here is derived, and `atleastk/research/claims/map_gadgets.py` tries all states.

References
----------
[Du09] as in :mod:`atleastk.instances.rectangle_tiling`.
"""

from __future__ import annotations

Cells = dict[tuple[int, int], int]

BLOCK = 3
"""The weight of a blocked location."""


def corridor(x: int, y: int, length: int) -> Cells:
    """Return a corridor upwards from (x, y)."""
    return {(x, y + i): 1 + (x + y + i) % 2 for i in range(length)}


def triple(x: int, y: int) -> Cells:
    """Return a triple whose three are at x, x + 2 and x + 4; x + y is even."""
    return {(x + i, y): (i + 1) % 2 for i in range(5)}


def chooser(x: int, y: int, ways: int) -> Cells:
    """Return choosers at x, x + 2, ... and the corridors between; x + y is even."""
    return {(x + i, y): 1 + i % 2 for i in range(2 * ways - 1)}


def crossing(x: int, y: int) -> Cells:
    """Return a crossing whose lower left corner is at (x, y); x + y is even."""
    return {(x + i, y + j): (i + j + 1) % 2 for i in range(3) for j in range(3)}
