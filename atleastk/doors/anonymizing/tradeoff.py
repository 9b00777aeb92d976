"""What a k costs: a table or an instance solved for several k, which help each other.

Of a table there may be several rules of hierarchies and several allowances of
suppressed rows, and what each column costs: the optimum with it less that without it.

*No price is below 0.* Let the cost be a sum over columns. What is published with all
columns is k-anonymous without one of them, since rows that equal still do: classes are
unions of classes, which keep sensitive values apart (:mod:`atleastk.instances.
diversity`). So the optimum without is at most the rest of the cost. Losses that count
classes are no sums: leaving a column out makes them larger.

The figures of what a table keeps are counted in the table that would be published, as
the report of `atleastk.anonymize` counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from atleastk.doors.anonymizing.averaged import means_of
from atleastk.doors.anonymizing.publish import (
    expect_no_marker,
    published,
    without_dropped,
)
from atleastk.doors.anonymizing.report.cost import Generality
from atleastk.doors.anonymizing.report.page import (
    asked_of,
    in_words,
    most_of,
    sources_of,
    unit_of,
)
from atleastk.doors.anonymizing.report.use import emptied, emptied_warnings
from atleastk.doors.anonymizing.request import Request, Wishes
from atleastk.doors.anonymizing.selected import Selected, columns_of
from atleastk.doors.calls import passing_on
from atleastk.doors.clustering.cluster import Points, clustered, points_of
from atleastk.frames.frame import Frame, Name, codes_of
from atleastk.frames.open_frame import framed, read_frame
from atleastk.instances.fields.allowance import Allowance, allowed_rows
from atleastk.instances.fields.errors import InvalidInstanceError, placed, within_memory
from atleastk.instances.fields.spelling import respelled
from atleastk.instances.fields.wish_names import called
from atleastk.instances.generalization import LINEAR, Generalization
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Event, Result
from atleastk.models.results.solution import Solution
from atleastk.models.results.tradeoff import Case, ColumnPrice, Kept, TradeoffPoint
from atleastk.models.tables.anonymity import strict
from atleastk.models.tables.risk import Risk
from atleastk.models.wording import Warned
from atleastk.runs.ask import AUTO, Ask, SearchLimits
from atleastk.runs.earlier import Lines
from atleastk.runs.neighbours import Watching
from atleastk.runs.registry import problem_of
from atleastk.runs.tradeoff import (
    Traded,
    Tradeoff,
    ks_in_words,
    sizes,
    traded,
    traded_cases,
)

Rules = Mapping[str, Any]
"""Hierarchies as `anonymize` takes them, by what they are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What a trade-off is about, besides the wishes."""

    ks: Sequence[int]
    """The k, ascending."""
    rules: Rules = field(default_factory=dict)
    """Rules of hierarchies; without any, those of the request."""
    allowances: Sequence[Allowance] = ()
    """How many rows may be suppressed altogether; without any, as the request says."""
    prices: Sequence[int] = ()
    """The k for which every column has its price."""


@respelled
@passing_on(Wishes)
def tradeoff(
    of: Any,
    ks: Iterable[int],
    time_limit: float | None = None,
    *,
    columns: Iterable[Name] | None = None,
    rules: Rules | None = None,
    allowances: Iterable[Allowance] = (),
    prices: Iterable[int] = (),
    output: str | PathLike[str] | None = None,
    workers: int | None = None,
    seed: int = 0,
    method: str = AUTO,
    memory_limit: float | None = None,
    on_event: Callable[[int, Event], object] | None = None,
    **wishes: Any,
) -> Tradeoff:
    """Solve a table or an instance for several k; each helps its neighbours.

    A solution for k + 1 is one for k, and a bound for k is one for k + 1, wherever that
    is proved; and a solution with less suppressed rows is one where more are allowed.
    SIGINT ends it gently: what is known until then is returned.

    Parameters
    ----------
    of
        An instance of any problem with a `k` (or `r`), whatever its own is; or a table,
        as `atleastk.anonymize` takes it.
    ks
        The least sizes of groups.
    time_limit
        Seconds for all searches together, or None for as long as they take.
    columns
        The columns to look at, of a table.
    rules
        Hierarchies of a table by what they are called, each as `anonymize` takes it:
        there is a curve for every one.
    allowances
        How many of its rows may be suppressed altogether, each a number or a share:
        there is a curve for every one.
    prices
        The k for which it is asked what the cost falls by if a column is left out.
    output
        A file of lines for the results (``.jsonl``). What an earlier run has left there
        is checked and taken over; results of something else are an error.
    workers, seed, method, memory_limit
        As of :func:`atleastk.solve`.
    on_event
        Called with the k that is searched whenever its cost or bound improves.
    wishes
        Of a table: all other wishes of `atleastk.anonymize`.

    Raises
    ------
    NotApplicableError
        If the problem has no k.
    InvalidInstanceError
        If a wish makes no sense.
    WrongAnswerError
        If solvers contradict each other or the checker.

    Examples
    --------
    >>> table = atleastk.KAnonymity(table=[[0, 0], [0, 1], [1, 1], [1, 1]], k=2)
    >>> [point.cost for point in atleastk.tradeoff(table, [1, 2, 3])]
    [0, 2, 8]
    >>> rows = [[31, "f"], [34, "f"], [46, "m"], [42, "m"]]
    >>> made = atleastk.tradeoff(rows, [2, 4], rules={"tens": {0: "bands:10"}})
    >>> [point.kept.mean_risk for point in made]
    [0.5, 0.25]
    """

    def watching(ask: Ask, case: Case) -> AbstractContextManager[Ask]:
        if on_event is not None:
            ask = replace(ask, on_event=lambda event: on_event(case.k, event))
        return nullcontext(ask)

    limits = SearchLimits(
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        method=method,
        memory_limit=memory_limit,
    )
    lines = Lines.of(output)
    questions = Questions(
        ks=sizes(ks),
        rules=rules or {},
        allowances=tuple(allowances),
        prices=tuple(prices),
    )
    if isinstance(of, Instance):
        given = {**wishes, "columns": columns, "rules": rules}
        given |= {"allowances": questions.allowances, "prices": questions.prices}
        for name, wish in given.items():
            if wish not in (None, (), False):
                raise InvalidInstanceError(f"{name}: an instance says all but k")
        return traded(of, questions.ks, limits, watching, lines).made
    frame = read_frame(Path(of)) if isinstance(of, str | PathLike) else framed(of)
    request = Request.of(Wishes(None, columns, **wishes))
    return traded_table(frame, request, questions, limits, watching, lines).made


@within_memory("trading off")
def traded_table(
    frame: Frame,
    request: Request,
    questions: Questions,
    limits: SearchLimits,
    watching: Watching,
    lines: Lines | None = None,
) -> Traded:
    """Return the trade-off of a table, with what it keeps and what columns cost."""
    if request.maximises_k:
        raise InvalidInstanceError(
            "a maximised k has no trade-off; minimise something else"
        )
    for name in ("k_map", "shuffle"):
        if getattr(request, name) not in (None, False):
            raise InvalidInstanceError(f"{name}: says nothing of a trade-off")
    kind = _Means if request.average else _Table
    table = kind(frame, request, questions)
    cases = list(table.cases())
    found = traded_cases(
        [*cases, *table.priced()], table.asking, limits, watching, lines
    )
    points = _with_kept(table, [p for p in found.made if p.case.without is None])
    known = {point.case: point for point in (*found.made.points, *points)}
    prices = tuple(
        _price(table.names, known[case._replace(without=None)], known[case])
        for case in table.priced()
    )
    points = [point for point in points if point.case in {*cases}]
    made = replace(
        found.made,
        points=tuple(points),
        prices=prices,
        asked=tuple(table.asked()),
        unit=table.unit,
        warned=tuple(_warned(points)),
    )
    return found._replace(made=made)


def _expect_one_search(request: Request) -> None:
    """Refuse wishes whose k is not that of one search."""
    if request.by_larger_k:
        raise InvalidInstanceError(
            "thresholds of risk: for levels of whole columns only, and beside rows off "
            "the mean risk alone; leave them out, the risk of every k is told"
        )
    if request.household is not None and request.counts_values:
        raise InvalidInstanceError(
            f"{called('household')}: k counts households or rows, and not beside "
            "sensitive values; leave one out"
        )


@dataclass(slots=True)
class _Table:
    """The cases of a table, and their instances."""

    frame: Frame
    request: Request
    questions: Questions
    _known: dict[tuple[str | None, str | None], tuple[Selected, Any]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        rules = self.questions.rules
        if not isinstance(rules, Mapping):
            raise InvalidInstanceError(
                f"rules: expected hierarchies by their names, got {rules!r}; those of "
                "all curves are hierarchies"
            )
        if rules and self.request.hierarchies:
            raise InvalidInstanceError(
                "rules and hierarchies both say how cells are generalised; leave one "
                "out"
            )
        if self.questions.allowances and self.request.suppress_rows is not None:
            raise InvalidInstanceError(
                "allowances and suppress_rows both say how many rows may be suppressed "
                "altogether; leave one out"
            )
        _expect_one_search(self.request)
        if self.questions.prices:
            self._expect_sums()

    def _expect_sums(self) -> None:
        """Refuse prices of columns where the cost is no sum over columns."""
        request = self.request
        cost = request.minimise or "entries"
        if request.loss not in (None, *LINEAR) or request.problem or cost != "entries":
            raise InvalidInstanceError(
                "prices: what is minimised is no sum over columns; take the loss "
                "height or precision, or suppressed cells"
            )
        names = {*map(str, self.names)}
        if len(names) < max(2, len(self.names)):
            raise InvalidInstanceError("prices: of two columns or more of other names")

    @property
    def names(self) -> tuple[Name, ...]:
        return columns_of(self.frame, self.request.columns, self.request.apart)

    @property
    def allowances(self) -> list[int]:
        given = self.questions.allowances
        return sorted({allowed_rows(wish, self.frame.n) for wish in given})

    def cases(self) -> Iterator[Case]:
        for rule in self.questions.rules or (None,):
            for allowed in self.allowances or (None,):
                for k in self.questions.ks:
                    yield Case(k, allowed, rule)

    def priced(self) -> Iterator[Case]:
        wanted = {*self.questions.prices}
        for k in wanted - {*self.questions.ks}:
            raise InvalidInstanceError(f"prices: k = {k} is not among the k")
        for case in self.cases():
            for name in self.names if case.k in wanted else ():
                yield case._replace(without=str(name))

    def asking(self, case: Case) -> Instance | None:
        rules, names = self.questions.rules or (None,), map(str, self.names)
        asked = case.rule in rules and case.without in (None, *names)
        if not asked or (case.allowed is None) == bool(self.questions.allowances):
            return None
        _, base = self._of(case)
        changed: dict[str, Any] = {"k": case.k}
        if self.request.household is not None:
            changed["l"] = case.k
        if case.allowed is not None:
            changed["suppress_rows"] = case.allowed
        made: Instance = replace(base, **changed)
        return made

    def _of(self, case: Case) -> tuple[Selected, Any]:
        """Return the table as it is asked about, and an instance of some k."""
        if case.curve not in self._known:
            request = replace(self.request, k=case.k)
            if case.rule is not None:
                request = replace(request, hierarchies=self.questions.rules[case.rule])
            if self.questions.allowances:
                # Without a row off it is still a question of levels, not of cells.
                most, on = max(self.allowances), request.on or "attributes"
                request = replace(request, suppress_rows=most, on=on)
            if case.without is not None:
                request = _without(request, self.names, case.without)
            _expect_one_search(request)
            with placed(case.rule) if case.rule else nullcontext():
                selected = Selected.of(self.frame, request)
            expect_no_marker(selected)
            self._known[case.curve] = selected, selected.instance()
        return self._known[case.curve]

    def asked(self) -> Iterator[tuple[str, str]]:
        request, questions = self.request, self.questions
        cases = list(self.cases())
        chosen = {case.rule: self._of(case)[0] for case in cases}
        if request.generalises and not questions.rules:
            request = replace(request, hierarchies=chosen[None].request.hierarchies)
        yield from asked_of(ks_in_words(cases), [*map(str, self.names)], request)
        for rule in questions.rules:
            sources = sources_of(chosen[rule].hierarchies)
            yield f"rule {rule}", in_words(sources)
        if questions.allowances:
            yield "suppress rows, a curve each", in_words(self.allowances)
        if questions.prices:
            yield "prices of columns, for k", in_words(questions.prices)

    @property
    def unit(self) -> str:
        selected, instance = self._of(next(self.cases()))
        return unit_of(instance, selected.request)

    def kept(self, case: Case, instance: Any, result: Result) -> Kept:
        solution = result.solution
        assert solution is not None
        dropped = len(solution.ungrouped)
        selected, instance, solution = without_dropped(
            self._of(case)[0].asking(case.k), instance, solution
        )
        made = published(selected, instance, solution)
        assert made.recount is not None  # there is a solution
        assert made.hidden is not None
        risk = Risk.of(made.recount.alike)
        rows = dropped + int(made.hidden.all(axis=1).sum())
        if made.levels is None:
            shares = made.hidden.mean(axis=0).tolist()
            lost, of, heights = float(made.hidden.mean()), shares, {}
        else:
            general = Generality.of(selected, instance, made, None)
            assert general.precision is not None  # there is a table
            lost = 1 - general.precision
            of = [general.level(name) for name in selected.table.texts]
            heights = dict(general.heights)
            if general.on == "attributes":
                rows = general.suppressed_rows
        return Kept(
            lost=lost,
            levels=dict(zip(selected.table.texts, of, strict=True)),
            suppressed_rows=rows,
            mean_risk=risk.mean,
            highest_risk=risk.highest,
            heights=heights,
            emptied=emptied(selected.original, made),
        )

    def most(self, instance: Any) -> int | None:
        return most_of(instance)


@dataclass(slots=True)
class _Means(_Table):
    """The cases of means of near rows."""

    _points: list[Points] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("rules", "allowances", "prices"):
            if getattr(self.questions, name):
                raise InvalidInstanceError(f"{name}: means of near rows have none")

    def asking(self, case: Case) -> Instance | None:
        if case != Case(case.k):
            return None
        if not self._points:
            how = means_of(self.frame, replace(self.request, k=case.k))
            self._points.append(points_of(self.frame, how))
        base: Any = self._points[0].instance
        made: Instance = replace(base, k=case.k)
        return made

    def asked(self) -> Iterator[tuple[str, str]]:
        names = columns_of(self.frame, self.request.columns, ())
        ks = ks_in_words(self.cases())
        yield from asked_of(ks, [*map(str, names)], self.request)

    @property
    def unit(self) -> str:
        return "squares of distances to means, in steps of the coordinates"

    def kept(self, case: Case, instance: Any, result: Result) -> Kept:
        del case
        made = clustered(self.frame, self._points[0], instance, result)
        rows = made.in_rows()
        assert rows is not None  # there is a solution
        assert made.losses is not None
        found = strict(codes_of([rows.column(name) for name in made.where.names])).risk
        return Kept(
            lost=made.losses.information or 0.0,
            levels={},
            suppressed_rows=0,
            mean_risk=found.mean,
            highest_risk=found.highest,
        )

    def most(self, instance: Any) -> int | None:
        everybody = Solution((tuple(range(instance.n)),))
        return problem_of(instance).check(instance, everybody).cost or None


def _with_kept(table: _Table, points: Sequence[TradeoffPoint]) -> list[TradeoffPoint]:
    """Return the points with what would be kept; neighbours often share a solution."""
    known: dict[tuple[Any, int], Kept] = {}
    made: dict[Case, TradeoffPoint] = {}
    for point in sorted(points, key=lambda p: -p.k):
        result, instance, kept = point.result, point.result.instance, None
        assert instance is not None  # it is of this run
        if result.solution is not None:
            at = point.case.curve, id(result.solution)
            if at not in known:
                known[at] = table.kept(point.case, replace(instance), result)
            kept = known[at]
        most = table.most(instance)
        made[point.case] = replace(point, kept=kept, most=most)
    return [made[point.case] for point in points]


def _warned(points: Sequence[TradeoffPoint]) -> Iterator[Warned]:
    """Yield of which columns nothing is left, for all k of a curve at once."""
    found: dict[tuple[Case, tuple[str, ...]], list[TradeoffPoint]] = {}
    for point in points:
        if point.kept is not None:
            curve = point.case._replace(k=0)
            found.setdefault((curve, point.kept.emptied), []).append(point)
    for (curve, names), those in found.items():
        kept, least = those[0].kept, min(point.k for point in those)
        assert kept is not None  # it has emptied columns
        ks = ks_in_words([point.case for point in those])
        which = curve.in_words().replace("k = 0", f"k = {ks}")
        for one in emptied_warnings(names, least, kept.heights or None):
            yield one._replace(what=f"{which}: {one.what}")


def _without(request: Request, names: Sequence[Name], gone: str) -> Request:
    """Return the wishes without those of a column."""
    changed: dict[str, Any] = {"columns": [n for n in names if str(n) != gone]}
    for wish in ("hierarchies", "weights", "levels", "recode"):
        given = getattr(request, wish)
        if isinstance(given, Mapping):
            changed[wish] = {n: of for n, of in given.items() if str(n) != gone} or None
    if request.intact is not None:
        kept = [n for n in request.intact_names if str(n) != gone]
        changed["intact"] = kept or None
    if request.column_order is not None:
        order = [[n for n in of if str(n) != gone] for of in request.column_order]
        changed["column_order"] = [of for of in order if of]
    if request.generalises:
        changed["on"] = request.on or "attributes"
    return replace(request, **changed)


def _price(
    names: Sequence[Name], whole: TradeoffPoint, less: TradeoffPoint
) -> ColumnPrice:
    assert less.case.without is not None
    at = [*map(str, names)].index(less.case.without)
    known = [whole.cost, whole.bound, less.cost, less.bound]
    least, most, share = None, None, None
    if None not in known:
        of = _of_one(whole.result.instance, less.result.instance, at)
        least, most = (
            max(0.0, float((mine or 0) - of * (other or 0)))
            for mine, other in ((whole.bound, less.cost), (whole.cost, less.bound))
        )
        share = most / whole.most if whole.most else None
    return ColumnPrice(
        case=whole.case, column=less.case.without, least=least, most=most, share=share
    )


def _of_one(whole: Any, less: Any, gone: int) -> Fraction:
    """Return what one of the cost without a column is with all of them.

    By precision costs are multiples of what heights have in common.
    """
    if not isinstance(whole, Generalization):
        return Fraction(1)
    left = [*whole.weights[:gone], *whole.weights[gone + 1 :]]
    pairs = zip(left, less.weights, less.heights, strict=True)
    return next((Fraction(a, b) for a, b, height in pairs if height), Fraction(1))
