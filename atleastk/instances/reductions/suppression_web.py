"""The reductions of the suppression family to itself, made of the table of rules.

Every rule of :mod:`.suppression_rules` becomes a `Reduction` by `reduction_of`, in each
of its readings; `REDUCTIONS` has the repaired ones. Instances map forward as formulas
say. Suppressed cells map back by taking away the new column or rows; and if the source
deletes (Type 4), all of the region that they are in is suppressed [Chaytor06, Lemmas
3.3.11 and 3.3.12]: rows that look the same are touched in the same columns, so they
are deleted, or left as they are, together.

Which columns and rows make up the region is read from the cells. It is unique but for
unions of rows and columns; there it is a vertex cover of the bipartite graph of
suppressed cells within the limits, which a bounded search finds in O(2^(r + c)) steps.

The optimum is that of the image throughout, so all L-reductions have alpha = beta = 1.

References
----------
[Chaytor06] sections 4.1.1, 4.1.2, 5.1.1 and 5.1.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count, product
from typing import Any, Final

from atleastk.instances.fields.errors import InvalidInstanceError, NotApplicableError
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.suppression_rules import (
    FORMULAS,
    NEW_COLUMN,
    NEW_ROWS,
    RULES,
    Reading,
    Rule,
)
from atleastk.instances.suppression import Suppression
from atleastk.packages import nx

Cell = tuple[int, int]

ROOTS: Final = frozenset(
    f"{version}{root}"
    for version in ("", "MIN-")
    for root in ("e-SUP", "c-DEL", "r'-SUP", "c'-SUP")
)
"""The problems that known hard ones are reduced to [Chaytor06, sections 4.1.3, 5.1.3].

r-DEL has no reduction into it either, but is polynomial.
"""

_CLAIM: Final = "OPT_A = OPT_B, alpha = beta = 1"


def reduction_of(rule: Rule, reading: Reading = "repaired") -> Reduction:
    """Return the reduction of a rule, in one of its readings.

    Raise `NotApplicableError` if the reading defines no instance.
    """
    if reading == "printed" and rule.flaw:
        raise NotApplicableError(
            f"{rule.name} is not well-defined as printed: {rule.flaw}"
        )
    hypotheses = tuple(_hypotheses(rule, reading))
    fields = rule.fields(reading)
    is_l = rule.kind == "L"
    return Reduction(
        source=str(rule.source),
        target=str(rule.target),
        kind=rule.kind,
        reference=rule.reference,
        forward=lambda instance: _forward(rule, fields, instance),
        back=lambda instance, cells: _back(rule, fields, instance, cells),
        claim=_CLAIM if is_l else "",
        cost=(lambda _instance, optimum: optimum) if is_l else None,
        hypotheses=" and ".join(words for words, _ in hypotheses),
        applies=lambda instance: all(holds(instance) for _, holds in hypotheses),
        repaired=reading != "printed" and rule.repaired,
    )


def proofs_lost(
    edges: Iterable[tuple[str, str]],
    refuted: Collection[tuple[str, str]],
    hard: Collection[str] = ROOTS,
) -> tuple[str, ...]:
    """Return the problems that hardness reaches only by way of refuted edges."""
    printed = list(edges)
    rest = [edge for edge in printed if edge not in refuted]
    return tuple(sorted(_reached(printed, hard) - _reached(rest, hard)))


def _reached(edges: Iterable[tuple[str, str]], hard: Collection[str]) -> set[str]:
    web: nx.DiGraph[str] = nx.DiGraph()
    web.add_nodes_from(hard)
    web.add_edges_from(edges)
    return {problem for layer in nx.bfs_layers(web, hard) for problem in layer}


def _hypotheses(
    rule: Rule, reading: Reading
) -> Iterator[tuple[str, Callable[[Suppression], bool]]]:
    """Yield the hypotheses on the source's instance, in words and as functions."""
    letters, table = rule.letters(reading), rule.fields(reading)["table"]
    if table == NEW_COLUMN:
        yield "m >= 1", lambda a: a.m >= 1
    elif table == NEW_ROWS and reading == "repaired":
        yield "n >= 1", lambda a: a.n >= 1
    elif table == NEW_ROWS:
        yield "n >= k", lambda a: a.n >= a.k
    if "V" in letters and rule.minimise == "none":
        yield (
            "c <= m or r <= n",
            lambda a: a.most["columns"] <= a.m or a.most["rows"] <= a.n,
        )


def _forward(
    rule: Rule, fields: Mapping[str, str], instance: Suppression
) -> Suppression:
    _expect(instance, rule)
    given = _given(rule, instance)
    number = {f: FORMULAS[x](given) for f, x in fields.items() if x in FORMULAS}
    rows, columns = _added(fields, instance)
    new = _unused("", {cell for row in instance.table for cell in row})
    old = [[*[new] * columns, *row] for row in instance.table]
    names = instance.columns
    if columns and names is not None:
        names = [_unused("new", names), *names]
    return Suppression.named(
        str(rule.target),
        [*[[new] * instance.m] * rows, *old],
        number["k"],
        {quantity: number[quantity] for quantity in rule.target.limits},
        columns=names,
        **_order(rule, instance, rows + columns),
        source=f"reduced from {rule.source} by {rule.reference}",
    )


def _added(fields: Mapping[str, str], instance: Suppression) -> tuple[int, int]:
    """Return how many rows and columns the image has before those of the source."""
    table = fields["table"]
    return instance.k if table == NEW_ROWS else 0, int(table == NEW_COLUMN)


def _expect(instance: Suppression, rule: Rule) -> None:
    variant = getattr(instance, "variant", None)
    if variant != rule.source:
        given = f"one of {variant}" if variant else "an instance of another problem"
        raise NotApplicableError(
            f"{rule.name}: expected an instance of {rule.source}, got {given}"
        )


def _given(rule: Rule, instance: Suppression) -> dict[str, int]:
    """Return the numbers of an instance; the minimised quantity at its maximum."""
    given = {"n": instance.n, "m": instance.m, "k": instance.k, **instance.most}
    most = {"rows": instance.n, "columns": instance.m}
    if rule.minimise in most:
        given[rule.minimise] = most[rule.minimise]
    return given


def _unused(start: str, used: Collection[object]) -> str:
    return next(s for i in count(1) if (s := start + "+" * i) not in used)


def _order(rule: Rule, instance: Suppression, added: int) -> dict[str, Any]:
    """Return the importance order of the image: the source's, or new before old."""
    if rule.target.order is None:
        return {}
    rows = rule.target.order == "rows"
    field = "row_order" if rows else "column_order"
    if not added:
        return {field: getattr(instance, field)}
    old = instance.n if rows else instance.m
    if not old:
        raise InvalidInstanceError(
            f"{rule.name}: the table is empty, so it makes no class of its own"
        )
    return {field: [range(added), range(added, added + old)]}


def _back(
    rule: Rule, fields: Mapping[str, str], instance: Suppression, cells: Iterable[Cell]
) -> frozenset[Cell]:
    """Map the suppressed cells of the image back to the source."""
    rows, columns = _added(fields, instance)
    inner = frozenset(
        (i - rows, j - columns) for i, j in cells if i >= rows and j >= columns
    )
    if rule.source.type != "DEL" or rule.target.type == "DEL":
        return inner
    rows_of_region, columns_of_region = _region(rule, instance, inner)
    return frozenset(
        (i, j)
        for i in range(instance.n)
        for j in range(instance.m)
        if i in rows_of_region or j in columns_of_region
    )


def _region(
    rule: Rule, instance: Suppression, cells: frozenset[Cell]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return rows and columns that cover the cells, within the limits, at least cost.

    The rows are those touched outside the columns, no others.
    """
    touched_rows = frozenset(i for i, _ in cells)
    touched_columns = frozenset(j for _, j in cells)
    if rule.source.named == ("rows",):
        return touched_rows, frozenset()
    if rule.source.named == ("columns",):
        return frozenset(), touched_columns
    most = instance.most
    most_rows = min(most.get("rows", instance.n), len(touched_rows))
    most_columns = min(most.get("columns", instance.m), len(touched_columns))
    fewest_rows = 0 if rule.minimise == "rows" else most_rows
    fewest_columns = 0 if rule.minimise == "columns" else most_columns
    for limits in product(
        range(fewest_rows, most_rows + 1), range(fewest_columns, most_columns + 1)
    ):
        found = _cover(cells, *limits)
        if found is not None:
            columns = found[1]
            return frozenset(i for i, j in cells if j not in columns), columns
    letters = " and ".join(f"{most[q]} {q}" for q in most)
    raise NotApplicableError(
        f"{rule.name}: the suppressed cells do not lie in {letters}"
    )


def _cover(
    cells: frozenset[Cell], most_rows: int, most_columns: int
) -> tuple[frozenset[int], frozenset[int]] | None:
    """Return few enough rows and columns that cover the cells, or None."""
    if not cells:
        return frozenset(), frozenset()
    row, in_row = Counter(i for i, _ in cells).most_common(1)[0]
    _, in_column = Counter(j for _, j in cells).most_common(1)[0]
    if len(cells) > most_rows * in_row + most_columns * in_column:
        return None
    if most_rows:
        rest = frozenset(cell for cell in cells if cell[0] != row)
        found = _cover(rest, most_rows - 1, most_columns)
        if found is not None:
            return found[0] | {row}, found[1]
    columns = frozenset(j for i, j in cells if i == row)
    if len(columns) > most_columns:
        return None
    rest = frozenset(cell for cell in cells if cell[1] not in columns)
    found = _cover(rest, most_rows, most_columns - len(columns))
    return None if found is None else (found[0], found[1] | columns)


REDUCTIONS: Final = tuple(map(reduction_of, RULES))
"""The 50 many-one reductions and the 73 L-reductions, repaired where they need it."""
