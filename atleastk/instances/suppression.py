"""The utility-preserving suppression family of [Chaytor06]: the instance.

Definition
----------
Given a table of n rows and m columns and k >= 1, replace cells by ``*``, a value of its
own, such that every row - fully suppressed rows too - equals at least k - 1 others.
With z_ij = 1 where cell (i, j) is suppressed, five quantities measure the loss:

- *entries*: the sum of all z_ij,
- *per_row*, *per_column*: the most suppressed cells of one row, of one column,
- *rows*, *columns*: the size of the *region*. Suppressed cells lie in at most r rows,
  in at most c columns, or, if both are named (as a limit or as the cost), in the union
  of r rows and c columns.

Each can be limited, and one can be minimised; or k is maximised. Beyond that

- *deletion* suppresses the whole region and nothing else,
- an *importance order* is an ordered partition of the rows (or columns) in which no
  member of a class has more suppressed cells than any member of the next class,
- *intact* columns have no suppressed cell,
- *weights* of columns and rows say what an entry costs: their product. Limits count
  cells, whatever they cost. Since weights are 1 at least, a bound of the entries is one
  of the cost.

Complexity
----------
All decision problems of Appendix A but r-DEL are in NP and claimed NP-complete
[Chaytor06, Theorem 4.2.1]; r-DEL is polynomial [Lemma 4.3.1, corrected].

References
----------
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", Memorial University of
Newfoundland, 2006: Appendix A, Figures 3.4 and 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Final, Self

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import (
    COUNTS,
    FLAG,
    LISTS,
    WHOLE,
    WHOLES,
    Given,
    Parts,
)
from atleastk.instances.fields.shapes import JsonSchema, OneOf, shown
from atleastk.instances.fields.spelling import respelled
from atleastk.instances.fields.wish_names import called
from atleastk.instances.instance import shaped
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression_names import (
    QUANTITIES,
    UNITS,
    Variant,
    variant_named,
)

COSTS: Final = (*QUANTITIES, "none", "k")
"""The values of `minimise`: a quantity or none; with k, k is maximised."""


MOST_OF_TABLE: Final = 10**15
"""The most that all entries may cost: sums fit into 64 bits."""


@dataclass(frozen=True, slots=True)
class Limits(Given):
    """The most that is allowed of each quantity; None where there is no limit.

    As a mapping it holds the limits that are set.
    """

    rows: int | None = field(default=None, metadata=WHOLE)
    columns: int | None = field(default=None, metadata=WHOLE)
    entries: int | None = field(default=None, metadata=WHOLE)
    per_row: int | None = field(default=None, metadata=WHOLE)
    per_column: int | None = field(default=None, metadata=WHOLE)

    def __getitem__(self, quantity: str) -> int:
        limit: int | None = getattr(self, quantity) if quantity in QUANTITIES else None
        if limit is None:
            raise KeyError(quantity)
        return limit

    def __iter__(self) -> Iterator[str]:
        return (q for q in QUANTITIES if getattr(self, q) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@respelled
@dataclass(frozen=True)
class Suppression(KAnonymity):
    """Suppress cells within limits so that every row equals k - 1 others.

    Attributes
    ----------
    table, k, columns
        As in k-anonymity. If k is maximised it is the least that is accepted.
    minimise
        ``"entries"``, ``"rows"``, ``"columns"``, ``"per_row"``, ``"per_column"``;
        ``"none"`` for any solution; ``"k"`` to maximise k, the cost being -k.
    limits
        The most that is allowed of rows, columns, entries, per_row, per_column.
    deletion
        Whether the whole region is suppressed, and nothing else.
    row_order, column_order
        Importance orders: ordered partitions, the most important class first.
    intact
        Columns without a suppressed cell.
    column_weights, row_weights
        What an entry of each column, and of each row, costs; 1 by default.
    """

    problem: ClassVar[str] = "suppression"

    minimise: str = field(default="entries", metadata=shaped(OneOf(COSTS)))
    limits: Limits | Mapping[str, int] = field(
        default=Limits(), metadata=shaped(Parts(Limits))
    )
    deletion: bool = field(default=False, metadata=FLAG)
    row_order: Sequence[Sequence[int]] | None = field(default=None, metadata=LISTS)
    column_order: Sequence[Sequence[int]] | None = field(default=None, metadata=LISTS)
    intact: Sequence[int] = field(default=(), metadata=WHOLES)
    column_weights: Sequence[int] | None = field(default=None, metadata=COUNTS)
    row_weights: Sequence[int] | None = field(default=None, metadata=COUNTS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.copies is not None:
            raise InvalidInstanceError(
                "copies: suppression has none; write the rows out"
            )
        self._check_weights()
        _expect_partition(self.row_order, self.n, "row_order", "rows")
        _expect_partition(self.column_order, self.m, "column_order", "columns")
        for i, column in enumerate(self.intact):
            if column >= self.m:
                raise InvalidInstanceError(
                    f"intact[{i}]: expected a column below {self.m}, got {column}"
                )
        if self.deletion and not self.region:
            raise InvalidInstanceError(
                "deletion: rows or columns must be limited or minimised"
            )
        if self.deletion and (self.row_order or self.column_order):
            raise InvalidInstanceError(
                "deletion: what is deleted as a whole has no importance order"
            )

    def _check_weights(self) -> None:
        self.expect_for_each(self.m, "columns", "column_weights")
        self.expect_for_each(self.n, "rows", "row_weights")
        if self.is_weighted and (self.minimise != "entries" or self.deletion):
            raise InvalidInstanceError(
                f"{called('weights')}: they are what entries cost, and nothing else is "
                "minimised then, nor deleted as a whole; leave one out"
            )
        most = sum(self.row_worth) * sum(self.column_worth)
        if most > MOST_OF_TABLE:
            raise InvalidInstanceError(
                f"{called('weights')}: all entries together cost {shown(most)}, above "
                f"{MOST_OF_TABLE}; take smaller weights, or round them"
            )

    @property
    def is_weighted(self) -> bool:
        """Whether some entries may cost more than others."""
        return self.column_weights is not None or self.row_weights is not None

    @property
    def column_worth(self) -> Sequence[int]:
        """What an entry of each column costs, in a row of weight 1."""
        return [1] * self.m if self.column_weights is None else self.column_weights

    @property
    def row_worth(self) -> Sequence[int]:
        """How many times as much the entries of each row cost."""
        return [1] * self.n if self.row_weights is None else self.row_weights

    @property
    def unweighted(self) -> Self:
        """The same, every entry costing 1."""
        return replace(self, column_weights=None, row_weights=None)

    @classmethod
    def named(
        cls,
        variant: str,
        table: Sequence[Sequence[str | int]],
        k: int,
        limits: Mapping[str, int] | None = None,
        **more: Any,
    ) -> Self:
        """Return an instance of the problem of this name, such as ``r-MIN-c-DEL``.

        Raises
        ------
        UnknownNameError
            If there is no such problem.
        InvalidInstanceError
            If other limits or orders are given than those of the name.
        """
        expand = _expansion(variant_named(variant), limits or {}, more)
        return cls(table, k, **{**more, **expand})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build an instance; a field ``variant`` may name the problem of the family."""
        if "variant" not in data:
            return super().from_dict(data)
        rest = {key: value for key, value in data.items() if key != "variant"}
        name = data["variant"]
        if not isinstance(name, str):
            raise InvalidInstanceError(f"variant: expected a name, got {name!r}")
        limits = rest.get("limits", {})
        given = limits if isinstance(limits, Mapping) else {}
        return super().from_dict(
            {**rest, **_expansion(variant_named(name), given, rest)}
        )

    @classmethod
    def json_schema(cls) -> JsonSchema:
        schema = super().json_schema()
        schema["properties"]["variant"] = {"type": "string"}
        return schema

    @property
    def most(self) -> Limits:
        """The limits, with their type."""
        assert isinstance(self.limits, Limits)
        return self.limits

    @cached_property
    def binding(self) -> Limits:
        """The limits, cut to the size of the table: an equivalent problem."""
        whole = self._whole
        return Limits(**{q: min(most, whole[q]) for q, most in self.most.items()})

    @property
    def is_limited(self) -> bool:
        """Whether a limit is below what the whole table comes to."""
        return any(most < self._whole[q] for q, most in self.most.items())

    @property
    def _whole(self) -> dict[str, int]:
        """The quantities if all cells are suppressed."""
        n, m = self.n, self.m
        return {
            "rows": n,
            "columns": m,
            "entries": n * m,
            "per_row": m,
            "per_column": n,
        }

    @property
    def region(self) -> tuple[str, ...]:
        """Those of rows and columns that are limited or minimised."""
        return tuple(
            q for q in ("rows", "columns") if q in self.limits or q == self.minimise
        )

    @property
    def nested(self) -> bool:
        return self.minimise != "k"

    @property
    def least_cost(self) -> int:
        """Only k, which is maximised, costs below 0."""
        return -max(self.n, self.k) if self.minimise == "k" else 0

    def meaning(self, cost: int, equals: str = "=") -> str:
        if self.minimise == "none":
            return "(nothing is minimised)"
        if self.minimise == "k":
            return f"(k {equals} {-cost})"
        return f"({UNITS[self.minimise]})"

    @cached_property
    def variant(self) -> Variant | None:
        """The problem of the family that this is an instance of; None if of none."""
        ordered = [o for o in ("row", "column") if getattr(self, f"{o}_order")]
        kind = "DEL" if self.deletion else "PART" if ordered else "SUP"
        variant = Variant(tuple(self.limits), self.minimise, kind)
        try:
            known = variant_named(str(variant))
        except LookupError:
            return None
        expected = [] if known.order is None else [known.order.removesuffix("s")]
        plain = not self.intact and not self.is_weighted
        return known if ordered == expected and plain else None

    def _describe(self) -> Iterator[str]:
        yield from super()._describe()
        if self.variant is not None:
            yield str(self.variant)


def _expansion(
    variant: Variant, limits: Mapping[str, int], more: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields that a name implies; the given ones must fit it."""
    for quantity in variant.limits:
        if limits.get(quantity) is None:
            raise InvalidInstanceError(
                f"limits: {variant} needs a limit of {quantity}; give one"
            )
    for quantity in limits:
        if quantity not in variant.limits:
            raise InvalidInstanceError(
                f"limits: {variant} takes no limit of {quantity}; leave it out"
            )
    for order in ("row", "column"):
        wants = variant.order == f"{order}s"
        if wants != (more.get(f"{order}_order") is not None):
            needs = "needs an" if wants else "takes no"
            raise InvalidInstanceError(
                f"{order}_order: {variant} {needs} importance order of {order}s"
            )
    return {
        "minimise": variant.minimise,
        "deletion": variant.type == "DEL",
        "limits": {q: limits[q] for q in variant.limits},
    }


def _expect_partition(
    classes: Sequence[Sequence[int]] | None, count: int, path: str, what: str
) -> None:
    if classes is None:
        return
    if len(classes) < 2 or not all(classes):
        raise InvalidInstanceError(
            f"{path}: expected two classes or more, none of them empty"
        )
    members = sorted(chain.from_iterable(classes))
    if members != list(range(count)):
        raise InvalidInstanceError(
            f"{path}: expected each of the {what} 0..{count - 1} in one class"
        )
