"""The request for an anonymised table: every wish, declared once.

A field of :class:`Wishes` is a keyword of :func:`atleastk.anonymize`, a parameter of
:class:`atleastk.KAnonymizer`, and the options of ``atleastk anonymize`` that stand
beside it; the command line reads their texts by the type of the field. What a wish
means is explained in the docstring of `anonymize`, which a test compares with the
fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from os import PathLike
from typing import Any, Final, Self

from atleastk.doors.anonymizing.row_columns import RowOrder
from atleastk.frames.frame import Name
from atleastk.instances.diversity import MODELLED, READINGS
from atleastk.instances.fields.allowance import Allowance, share_of
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.wish_names import called
from atleastk.instances.generalization import LINEAR, LOSSES
from atleastk.instances.suppression import COSTS
from atleastk.solvers.budget import checked_seed

MARKER: Final = "*"

LIMITS: Final = "limits"
HIERARCHIES: Final = "hierarchies"
WEIGHTS: Final = "weights"
SENSITIVE: Final = "sensitive values"
RISK: Final = "risk"
"""Groups of wishes: the command line has a heading for each."""

Hierarchies = Mapping[Name, Any] | str | PathLike[str]

LevelLimits = int | Sequence[int]
"""The only level of a column, or its least and its greatest one."""

_BY_NODE: Final = ("mean_risk", "at_risk", "k_map")
"""Wishes about all classes at once."""


def wish(
    group: str | None,
    *options: str,
    default: Any = None,
    choices: Sequence[str] | None = None,
) -> Any:
    """Declare a wish: the field of a data class that knows its options.

    The help lists these below the heading `group`; each is a flag, what stands for its
    value, and a line of help, as in ``"--intact NAMES: columns of which nothing is
    suppressed"``. `choices` are the words that it takes, if only a few.
    """
    lines = dict(option.split(": ", 1) for option in options)
    known = {"options": lines, "group": group, "choices": choices}
    return field(default=default, metadata=known)


@dataclass(eq=False)
class Wishes:
    """Wishes for an anonymised table; :func:`atleastk.anonymize` explains each of them.

    The command line has other options for those without options here. The class is not
    frozen, since parameters of the estimator derived from it can be set.
    """

    k: int | None = None
    columns: Iterable[Name] | None = None
    _: KW_ONLY
    limits: Mapping[str, int] | None = wish(
        LIMITS,
        "--max-rows N: rows with a suppressed cell",
        "--max-columns N: columns with a suppressed cell; with --max-rows, outside "
        "those rows",
        "--max-entries N: suppressed cells in all",
        "--max-per-row N: suppressed cells in a row",
        "--max-per-column N: suppressed cells in a column",
    )
    intact: Iterable[Name] | None = wish(
        LIMITS, "--intact NAMES: columns of which nothing is suppressed"
    )
    column_order: Sequence[Sequence[Name]] | None = wish(
        LIMITS,
        "--column-order CLASSES: importance of columns, as in 'age > zip,sex': no "
        "column has more suppressed cells than one of the next class",
    )
    row_order: RowOrder | None = wish(
        LIMITS,
        "--row-order NAME: importance of rows: a column of numbers, 1 the most "
        "important; or 'NAME: high > low'",
    )
    minimise: str | None = wish(
        LIMITS,
        f"--minimise WHAT: {', '.join(COSTS).replace('_', '-')} (default: entries); k "
        "is maximised",
    )
    deletion: bool = wish(
        LIMITS,
        "--deletion: suppress the limited (or minimised) rows and columns as a whole, "
        "and nothing else",
        default=False,
    )
    problem: str | None = wish(
        LIMITS,
        "--problem NAME: a problem of [Chaytor06] such as r-MIN-c-DEL, in place of "
        "--minimise and --deletion",
    )
    hierarchies: Hierarchies | None = wish(
        HIERARCHIES,
        "--hierarchies WHAT: of a column NAME=FILE, of lines like 34;30-39;*, or "
        "NAME=RULE, as age=bands:5,10; of all columns a rule, as auto, or a folder "
        "that has NAME.csv (or *_NAME.csv) of some; may be repeated: names go first",
    )
    on: str | None = wish(
        HIERARCHIES,
        "--on: one level per column (default), or per cell",
        choices=("attributes", "entries"),
    )
    loss: str | None = wish(
        HIERARCHIES, "--loss: what to minimise (default: height)", choices=LOSSES
    )
    suppress_rows: Allowance | None = wish(
        HIERARCHIES,
        "--suppress-rows N: hide at most N rows altogether, or a share, as 5%%, so "
        "that others lose less; on entries leave them out",
    )
    levels: Mapping[Name, LevelLimits] | None = wish(
        HIERARCHIES,
        "--level NAME=A..B: the least and the greatest level of a column, as in "
        "zip=1..2, or the only one, as in age=1",
    )
    weights: Mapping[Name, int] | None = wish(
        WEIGHTS,
        "--weight NAME=W: what a suppressed cell of a column costs, or one level of it "
        "(default: 1)",
    )
    row_weights: Name | None = wish(
        WEIGHTS,
        "--row-weight COLUMN: how many persons a row stands for: its cells count as "
        "many times (k still counts rows)",
    )
    ambiguous: bool = wish(
        None,
        "--ambiguous: let suppressed cells match anything: rows have to match, not to "
        "be equal",
        default=False,
    )
    sensitive: Name | Iterable[Name] | None = wish(
        SENSITIVE,
        "--sensitive NAMES: columns to protect, which are published unchanged",
    )
    l: int | None = wish(  # noqa: E741 - as in the papers
        SENSITIVE, "--l L: how diverse the values of every class are"
    )
    diversity: str | None = wish(
        SENSITIVE,
        "--diversity: at least L different values (default), no more than 1/L of one "
        "value, an entropy of log L, or the recursive reading with --c",
        choices=READINGS,
    )
    t: Any = wish(
        SENSITIVE, "--t T: how far a class may be from the whole table, as in 0.2"
    )
    c: int | None = wish(
        SENSITIVE,
        "--c C: of --diversity recursive: the most frequent value has less than C "
        "times the rows of the L-th and all rarer ones",
    )
    ordered: bool = wish(
        SENSITIVE,
        "--ordered: with --t: sensitive values are numbers, and near ones are less far "
        "apart",
        default=False,
    )
    household: Name | None = wish(
        RISK,
        "--household COLUMN: k counts the different values of this column, as "
        "households or patients, not rows",
    )
    mean_risk: Any = wish(
        RISK,
        "--mean-risk P: a guess about a person is right with this probability at most "
        "on average, as in 0.05",
    )
    small: int | None = wish(
        RISK, "--small N: rows in classes of fewer than N are at risk; with --at-risk"
    )
    at_risk: Any = wish(
        RISK, "--at-risk P: the share of the rows that may be, as in 0.01"
    )
    k_map: int | None = wish(
        RISK,
        "--k-map K: how many persons of the --population a row may be, at least; "
        "without -k that is enough",
    )
    recode: Mapping[Name, Any] | None = wish(
        None,
        "--recode NAME=WHAT: before all else, publish a column at level 1 of a rule or "
        "a file, as in age=bands:10, or at another level, as in zip=2:prefix",
    )
    average: bool = wish(
        None,
        "--average: the chosen columns hold numbers: publish means of groups of at "
        "least k near rows (microaggregation)",
        default=False,
    )
    shuffle: bool | int = wish(
        None,
        "--shuffle SEED: publish the rows in random order, which a SEED repeats, for "
        "whoever knows it",
        default=False,
    )
    marker: str = MARKER


_INSTEAD: Final = {
    "intact": ", or anonymise the rows of each of its values apart",
    "limits": ", or let weights say which columns to spare",
    "column_order": ", or let weights say which columns to spare",
}
"""Advice for wishes that exclude sensitive columns."""


@dataclass
class Request(Wishes):
    """Wishes without contradictions: those are refused."""

    @classmethod
    def of(cls, wishes: Wishes) -> Self:
        return cls(**{one.name: getattr(wishes, one.name) for one in fields(Wishes)})

    def __post_init__(self) -> None:
        for one in fields(self):
            if isinstance(given := getattr(self, one.name), Iterator):
                setattr(self, one.name, tuple(given))  # it is read more than once
        if not isinstance(self.shuffle, bool):
            try:
                checked_seed(self.shuffle, "shuffle: ")
            except ValueError as error:
                raise InvalidInstanceError(f"{error}; or True for any order") from error
        wishes = [one.name for one in fields(self) if one.metadata]
        given = [n for n in wishes if getattr(self, n) not in (None, False)]
        others = [name for name in given if name not in ("average", "shuffle")]
        why = "means of k near rows or more are published as they are"
        _exclude(["average"] if self.average else [], others, why)
        self._expect_protection()
        limits, generalising = self._limiting, self._given(HIERARCHIES)
        weighing = self._asked(WEIGHTS)
        if limits and generalising:
            raise InvalidInstanceError(
                f"{called(limits[0])} is for suppressing cells, "
                f"{called(generalising[0])} for generalising them, and limits count no "
                f"levels; leave one out, or make columns coarser before "
                f"({called('recode')})"
            )
        self._expect_thresholds()
        costs = [n for n in ("problem", "minimise", "deletion") if n in limits]
        if self.minimise in (None, "entries") and not (self.problem or self.deletion):
            costs = []
        why = "weights are what suppressed cells cost, and that is minimised then"
        _exclude(costs, weighing, why)
        why = "of cells that match anything only the number is minimised"
        _exclude(self._matching, [*limits, *generalising, *weighing], why)

    def _expect_thresholds(self) -> None:
        """Refuse thresholds that are not whole, or that no larger k could keep."""
        if (self.small is None) != (self.at_risk is None):
            raise InvalidInstanceError(
                f"{called('small')} and {called('at_risk')} go together: at most a "
                "share of the rows is in classes of fewer than so many; give both"
            )
        asked = [name for name in _BY_NODE if getattr(self, name) is not None]
        why = "a larger k keeps it, which is maximised as it is"
        _exclude(asked, ["minimise"] * self.maximises_k, why)
        _exclude(asked, self._matching, "rows that only match are no classes")

    def _expect_protection(self) -> None:
        """Refuse conditions without sensitive columns, and wishes that exclude them."""
        asked, others = self._asked(SENSITIVE), [*self._limiting, *self._matching]
        whose = ["household"] * (self.household is not None)
        if not self.by_columns or self.suppress_rows:
            both = [name for name in ("l", "t") if getattr(self, name) is not None]
            why = "only columns in levels, without suppressed rows, keep both"
            _exclude(whose, both, why)
        _exclude(whose, others, "that counts rows")
        if asked and self.sensitive is None:
            raise InvalidInstanceError(
                f"{called(asked[0])}: of which values? give {called('sensitive')}, too"
            )
        why = "suppression within limits looks at no sensitive values"
        if others[:1] == ["ambiguous"]:
            why = "rows that only match are no class whose values could be kept apart"
        instead = _INSTEAD.get(next(iter(others), ""), "")
        _exclude(["sensitive"] * bool(asked), others, why, instead)
        modelled = self.diversity in (None, *MODELLED)
        if not self.by_columns and (self.ordered or not modelled):
            reading = f"{called('diversity')} {self.diversity}"
            raise InvalidInstanceError(
                f"{called('ordered') if modelled else reading}: is judged by the "
                f"classes of whole columns in levels; give {called('hierarchies')}, or "
                f"{called('on')} attributes"
            )
        if self.diversity is not None and self.l is None:
            raise InvalidInstanceError(
                f"{called('diversity')}: says how l is read; give {called('l')}, too"
            )

    @property
    def _matching(self) -> list[str]:
        return ["ambiguous"] if self.ambiguous else []

    @property
    def protects(self) -> bool:
        """Whether there are conditions on the values of a column in every class."""
        return self.counts_values or self.household is not None

    @property
    def counts_values(self) -> bool:
        """Whether classes have to keep sensitive values apart."""
        return self.l is not None or self.t is not None

    @property
    def sensitive_names(self) -> tuple[Name, ...]:
        return tuple(name for wish, name in self.apart if wish == "sensitive")

    @property
    def intact_names(self) -> tuple[Name, ...]:
        if isinstance(self.intact, str):
            return (self.intact,)
        return tuple(self.intact or ())

    @property
    def apart(self) -> tuple[tuple[str, Name], ...]:
        """The columns that are only read, each with the wish that names it."""
        return set_apart(self.sensitive, self.row_weights, self.household)

    @property
    def needed(self) -> dict[str, str]:
        """The columns that are only read, with their purpose in words."""
        return {str(name): wish.replace("_", " ") for wish, name in self.apart}

    @property
    def maximises_k(self) -> bool:
        """Whether k is to be as large as possible, and at least the given one."""
        named = self.problem is not None and "MAX-" in self.problem
        return named or self.minimise == "k"

    @property
    def generalises(self) -> bool:
        return bool(self._given(HIERARCHIES))

    @property
    def by_columns(self) -> bool:
        """Whether all cells of a column have one level."""
        return self.generalises and self.on != "entries"

    @property
    def by_larger_k(self) -> bool:
        """Whether a larger k keeps thresholds of risk, since no search knows them.

        Where rows may be suppressed, searches know the mean risk alone, of sums of
        levels.
        """
        asked = {name for name in _BY_NODE if getattr(self, name) is not None}
        if not self.suppress_rows or not asked:
            return bool(asked) and not self.by_columns
        known = asked == {"mean_risk"} and self.loss in (None, *LINEAR)
        return not (self.by_columns and known and not self.protects)

    @property
    def conditions(self) -> dict[str, Any]:
        """The conditions on all classes at once, but for the population of k-map."""
        found: dict[str, Any] = {"small": self.small, "k_map": self.k_map}
        for name in ("mean_risk", "at_risk"):
            share = getattr(self, name)
            found[name] = None if share is None else share_of(share, called(name))
        return {name: wish for name, wish in found.items() if wish is not None}

    @property
    def _limiting(self) -> list[str]:
        """The limits; where cells are generalised, intact columns are at level 0."""
        fits = ["intact"] if self.generalises else []
        return [name for name in self._given(LIMITS) if name not in fits]

    @property
    def weighs(self) -> bool:
        return bool(self._asked(WEIGHTS))

    @property
    def limits_loss(self) -> bool:
        """Whether loss is limited, or something else than cells is minimised."""
        return self._limiting not in ([], ["minimise"]) or (
            self.minimise not in (None, "entries")
        )

    def _given(self, group: str) -> list[str]:
        """Return the wishes of a group that are neither empty nor False."""
        return [name for name in self._asked(group) if getattr(self, name)]

    def _asked(self, group: str) -> list[str]:
        """Return the wishes of a group that are neither None nor False."""
        names = [one.name for one in fields(self) if one.metadata.get("group") == group]
        wishes = [(name, getattr(self, name)) for name in names]
        return [name for name, wish in wishes if wish is not None and wish is not False]


def _exclude(
    some: Sequence[str], others: Sequence[str], why: str, instead: str = ""
) -> None:
    """Refuse the first of some wishes beside the first of others."""
    if some and others:
        raise InvalidInstanceError(
            f"{called(some[0])} and {called(others[0])} cannot both be had, since "
            f"{why}; leave one out{instead}"
        )


def set_apart(
    sensitive: Name | Iterable[Name] | None,
    row_weights: Name | None,
    household: Name | None = None,
) -> tuple[tuple[str, Name], ...]:
    """Return the columns that are only read, each with the wish that names it."""
    named: Any = () if sensitive is None else sensitive
    names = (named,) if isinstance(named, str | int) else tuple(named)
    others = (("row_weights", row_weights), ("household", household))
    found = tuple(("sensitive", name) for name in names)
    return (*found, *((wish, name) for wish, name in others if name is not None))
