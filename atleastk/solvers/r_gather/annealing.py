"""Simulated annealing over sets of centres, at a radius.

A set of centres has a solution at a radius iff their balls hold all points but the
outliers, and r points for each centre can be found in its ball, no point twice; see
:mod:`atleastk.solvers.r_gather.opening_lp`. What is missing of both - points in no
ball, beyond the outliers, and points that the centres lack - is counted and brought
down by opening, closing and moving centres. The points that are taken are a greatest
flow at any time, mended along augmenting paths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atleastk.arrays import ByteArray, Int32Array, IntArray
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import Balls
from atleastk.solvers.compiled.compile import compiled

__all__ = ["Limits", "annealed"]


@dataclass(frozen=True)
class Limits:
    """The numbers of an instance, and whether centres are members."""

    r: int
    clusters: int
    outliers: int
    member: bool


def annealed(
    balls: Balls,
    centres: IntArray,
    opened: IntArray,
    n: int,
    limits: Limits,
    heat: float,
    rounds: int,
    rng: np.random.Generator,
    budget: Budget,
) -> tuple[int, IntArray]:
    """Return what is missing for the best set of centres that was found, and the set.

    Parameters
    ----------
    balls, centres
        Of the centres that there may be, all with at least r points.
    opened
        The indices of those to begin with.
    n
        The number of points.
    heat
        The temperature to begin with: what may be missing more after a move.
    """
    if len(centres) == 0:
        return max(0, n - limits.outliers), opened
    turned = balls.turned(n)
    place = np.full(n, -1, dtype=np.int64)
    place[centres] = np.arange(len(centres))
    slots = np.full(limits.clusters, -1, dtype=np.int64)
    slots[: len(opened)] = opened
    begin, best = slots.copy(), slots.copy()
    slots[:] = -1
    open_ = np.zeros(len(centres), dtype=np.uint8)
    cover, stuck = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.uint8)
    home, origin = np.full(n, -1), np.full(n, -1)
    held = np.zeros(limits.clusters, dtype=np.int64)
    state = np.array([n, 0], dtype=np.int64)
    old = slots.copy(), home.copy(), held.copy()
    old_cover, old_stuck, old_state = cover.copy(), stuck.copy(), state.copy()
    parent, queue = np.empty((2, limits.clusters), dtype=np.int64)
    seen = np.empty(n, dtype=np.int64)
    with budget.flagging() as flag:
        missing = _anneal(
            balls.starts,
            balls.points,
            turned.starts,
            turned.points,
            centres,
            place,
            slots,
            limits.r,
            limits.outliers,
            limits.member,
            heat,
            rounds,
            rng,
            flag,
            begin,
            best,
            open_,
            cover,
            home,
            stuck,
            held,
            state,
            *old,
            old_cover,
            old_stuck,
            old_state,
            parent,
            origin,
            queue,
            seen,
        )
    return int(missing), slots[slots >= 0]


@compiled
def _anneal(
    starts: IntArray,
    points: Int32Array,
    point_starts: IntArray,
    owners: Int32Array,
    centres: IntArray,
    place: IntArray,
    slots: IntArray,
    r: int,
    outliers: int,
    member: bool,
    heat: float,
    rounds: int,
    rng: np.random.Generator,
    flag: ByteArray,
    begin: IntArray,
    best_slots: IntArray,
    open_: ByteArray,
    cover: IntArray,
    home: IntArray,
    stuck: ByteArray,
    held: IntArray,
    state: IntArray,
    old_slots: IntArray,
    old_home: IntArray,
    old_held: IntArray,
    old_cover: IntArray,
    old_stuck: ByteArray,
    old_state: IntArray,
    parent: IntArray,
    origin: IntArray,
    queue: IntArray,
    seen: IntArray,
) -> int:
    """Leave the best set of centres in `slots`, -1 for none, return what is missing.

    The state is the number of points in no ball and of open centres.
    """
    m = len(slots)
    for s in range(m):
        if begin[s] >= 0:
            _open(
                s, begin[s], starts, points, centres, slots, r, member,
                open_, cover, home, stuck, held, state,
            )  # fmt: skip
    lacking = _mend(
        starts, points, slots, r, home, stuck, held, parent, origin, queue, seen
    )
    missing = max(0, state[0] - outliers) + lacking
    best = missing
    for s in range(m):
        best_slots[s] = slots[s]
    for round_ in range(rounds):
        if best == 0 or flag[0] != 0:
            break
        _copy(
            slots, home, held, cover, stuck, state,
            old_slots, old_home, old_held, old_cover, old_stuck, old_state,
        )  # fmt: skip
        closed, opened = _move(
            starts, points, point_starts, owners, place, slots, r,
            cover, home, held, open_, state, outliers, rng,
        )  # fmt: skip
        if closed < 0 and opened < 0:
            continue
        gone = -1
        if closed >= 0:
            gone = slots[closed]
            _close(
                closed, starts, points, centres, slots, member,
                open_, cover, home, stuck, held, state,
            )  # fmt: skip
        if opened >= 0:
            s = closed
            if s < 0:
                s = int(np.int64(0))
                while slots[s] >= 0:
                    s += 1
            _open(
                s, opened, starts, points, centres, slots, r, member,
                open_, cover, home, stuck, held, state,
            )  # fmt: skip
        lacking = _mend(
            starts, points, slots, r, home, stuck, held, parent, origin, queue, seen
        )
        now = max(0, state[0] - outliers) + lacking
        warm = heat * (1.0 - round_ / rounds) + 1e-9
        if now <= missing or rng.random() < np.exp((missing - now) / warm):
            missing = now
            if now < best:
                best = now
                for s in range(m):
                    best_slots[s] = slots[s]
            continue
        if opened >= 0:
            open_[opened] = 0
        if gone >= 0:
            open_[gone] = 1
        _copy(
            old_slots, old_home, old_held, old_cover, old_stuck, old_state,
            slots, home, held, cover, stuck, state,
        )  # fmt: skip
    for s in range(m):
        slots[s] = best_slots[s]
    return int(best)


@compiled
def _copy(
    slots: IntArray,
    home: IntArray,
    held: IntArray,
    cover: IntArray,
    stuck: ByteArray,
    state: IntArray,
    to_slots: IntArray,
    to_home: IntArray,
    to_held: IntArray,
    to_cover: IntArray,
    to_stuck: ByteArray,
    to_state: IntArray,
) -> None:
    for s in range(len(slots)):
        to_slots[s] = slots[s]
        to_held[s] = held[s]
    for p in range(len(home)):
        to_home[p] = home[p]
        to_cover[p] = cover[p]
        to_stuck[p] = stuck[p]
    for i in range(len(state)):
        to_state[i] = state[i]


@compiled
def _open(
    s: int,
    c: int,
    starts: IntArray,
    points: Int32Array,
    centres: IntArray,
    slots: IntArray,
    r: int,
    member: bool,
    open_: ByteArray,
    cover: IntArray,
    home: IntArray,
    stuck: ByteArray,
    held: IntArray,
    state: IntArray,
) -> None:
    """Open centre c in slot s; it takes points that nobody has."""
    slots[s] = c
    open_[c] = 1
    held[s] = 0
    state[1] += 1
    if member:
        p = centres[c]
        if home[p] >= 0:
            held[home[p]] -= 1
        home[p] = s
        stuck[p] = 1
        held[s] = 1
    for e in range(starts[c], starts[c + 1]):
        p = points[e]
        if cover[p] == 0:
            state[0] -= 1
        cover[p] += 1
        if home[p] < 0 and held[s] < r:
            home[p] = s
            held[s] += 1


@compiled
def _close(
    s: int,
    starts: IntArray,
    points: Int32Array,
    centres: IntArray,
    slots: IntArray,
    member: bool,
    open_: ByteArray,
    cover: IntArray,
    home: IntArray,
    stuck: ByteArray,
    held: IntArray,
    state: IntArray,
) -> None:
    """Close the centre in slot s and free its points."""
    c = slots[s]
    slots[s] = -1
    open_[c] = 0
    held[s] = 0
    state[1] -= 1
    if member:
        stuck[centres[c]] = 0
    for e in range(starts[c], starts[c + 1]):
        p = points[e]
        cover[p] -= 1
        if cover[p] == 0:
            state[0] += 1
        if home[p] == s:
            home[p] = -1


@compiled
def _mend(
    starts: IntArray,
    points: Int32Array,
    slots: IntArray,
    r: int,
    home: IntArray,
    stuck: ByteArray,
    held: IntArray,
    parent: IntArray,
    origin: IntArray,
    queue: IntArray,
    seen: IntArray,
) -> int:
    """Augment from all centres that lack points; return how many are lacking still."""
    m = len(slots)
    while True:
        lacking, last = 0, 0
        for s in range(m):
            parent[s] = -2
            if slots[s] >= 0 and held[s] < r:
                lacking += r - held[s]
                parent[s] = -1
                queue[last] = s
                last += 1
        first, met, end = 0, 0, -1
        while first < last and end < 0:
            s = queue[first]
            first += 1
            c = slots[s]
            for e in range(starts[c], starts[c + 1]):
                p = points[e]
                h = home[p]
                if origin[p] >= 0 or h == s or stuck[p] != 0:
                    continue
                origin[p] = s
                seen[met] = p
                met += 1
                if h < 0:
                    end = p
                    break
                if parent[h] == -2:
                    parent[h] = p
                    queue[last] = h
                    last += 1
        p = end
        while p >= 0:
            s = origin[p]
            home[p] = s
            p = parent[s]
            if p < 0:
                held[s] += 1
        for i in range(met):
            origin[seen[i]] = -1
        if end < 0:
            return lacking


@compiled
def _move(
    starts: IntArray,
    points: Int32Array,
    point_starts: IntArray,
    owners: Int32Array,
    place: IntArray,
    slots: IntArray,
    r: int,
    cover: IntArray,
    home: IntArray,
    held: IntArray,
    open_: ByteArray,
    state: IntArray,
    outliers: int,
    rng: np.random.Generator,
) -> tuple[int, int]:
    """Choose a slot to close and a centre to open, -1 for none."""
    m, n = len(slots), len(cover)
    chance = rng.random()
    some = -1
    if state[1] > 0:
        some = int(rng.random() * m)
        while slots[some] < 0:
            some = (some + 1) % m
    if chance < 0.05 and some >= 0:
        for _ in range(m):  # preferably one that lacks points
            if slots[some] >= 0 and held[some] < r:
                break
            some = (some + 1) % m
        while slots[some] < 0:
            some = (some + 1) % m
        return some, -1
    if some < 0 or (chance < 0.5 and state[0] > outliers):
        p = int(rng.random() * n)
        for _ in range(n):
            if cover[p] == 0:
                break
            p = (p + 1) % n
        width = point_starts[p + 1] - point_starts[p]
        if width == 0:
            return -1, -1
        opened = int(owners[point_starts[p] + int(rng.random() * width)])
    else:
        c = slots[some]
        width = starts[c + 1] - starts[c]
        near = points[starts[c] + int(rng.random() ** 2 * width)]
        opened = place[near]
        if opened < 0:
            return -1, -1
        if open_[opened] == 0 and chance < 0.9:
            return some, opened
    if open_[opened] != 0:
        return -1, -1
    if state[1] < m and rng.random() < 0.2:
        return -1, opened
    width = starts[opened + 1] - starts[opened]
    h = home[points[starts[opened] + int(rng.random() * width)]]
    if h >= 0:
        some = h
    return some, opened
