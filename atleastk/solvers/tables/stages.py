"""Tables: the automatic choice of methods; `STAGES`, at the end, lists it.

k-anonymity is a declaration of it with prices of 1, generalisation on entries with
levels as columns; diversity and suppression begin with it and go on with what keeps
their conditions and limits. What a problem declares is a
:class:`~atleastk.solvers.tables.table_search.TableSearch`.

Bounds and groups of near rows come first; then patterns are listed. If all of them are,
rounds of growing effort anneal, raise the bound, rearrange sub-tables, and close the
gap once it is small; if not, a small table is minimised by the leader model, and a
large one is rearranged by moves of near rows.

Rounds are as long whatever the limit (:func:`~atleastk.solvers.engine.stages.lengths`):
so what is quick comes soon, and every stage has its turn. Without a time limit there is
one, whose stages end by themselves.

Same seed, one worker and no time limit: same answer. With a time limit, the clock
decides how long tables are annealed, so solutions that are not proved optimal may vary.
"""

from __future__ import annotations

from math import inf
from typing import Final

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import (
    GROWTH,
    SideBySide,
    Stage,
    Stages,
    always,
    lengths,
    run_stages,
)
from atleastk.solvers.tables.steps import LISTING, Run


def solve_table(table: Run) -> None:
    """Run the stages on a table whose search has a solution."""
    run_stages(table.search, STAGES, table)


def run_briefly(table: Run, _: Budget) -> None:
    """Improve both ends for a moment each, and close: few pairs need no more."""
    run_stages(table.search, BRIEFLY, table)


def run_rounds(table: Run, _: Budget) -> None:
    """Run rounds until the search is done; a single one without a time limit."""
    pairs = table.k == 2 and table.asked is None
    search, steps = table.search, ROUND_OF_PAIRS if pairs else ROUND
    # With a condition all that is left is one round: Adult ends 1.6 % lower.
    growth = GROWTH if table.asked is None else inf
    rounds = lengths(lambda: search.budget.remaining, growth)
    for number, seconds in enumerate(rounds):
        if search.done:
            return
        table.number, table.seconds = number, seconds
        run_stages(search, steps, table, budget=search.budget.slice(seconds))
        if search.budget.endless:
            return


def _round(annealing: float, ascent: float) -> Stages[Run]:
    """Return the stages of a round, by the shares of it that two of them have.

    A stage has a share of what is left. Side by side both have as long as the longer
    one, and annealing more where time is short for the rows. What an ascent leaves that
    is over is for annealing if pairs are few: 500 rows end 0.3 % lower. On all of Adult
    sub-tables gain as much in a tenth of the time.
    """

    def both(table: Run) -> float:
        return max(annealing, ascent, table.short)

    return (
        SideBySide(
            lambda t: t.ascending and not t.one_worker,
            (
                Stage("annealing", always, both, Run.anneal),
                Stage("ascent", always, both, Run.ascend),
            ),
        ),
        Stage("ascent", lambda t: t.one_worker and t.ascending, ascent, Run.ascend),
        Stage(
            "annealing",
            lambda t: t.one_worker or not t.ascending,
            lambda t: max(
                annealing / (1.0 - ascent if t.has_few_pairs else 1.0), t.short
            ),
            Run.anneal,
        ),
        Stage(
            "sub-tables",
            lambda t: t.rearrangeable,
            None,
            Run.rearrange_sub_tables,
        ),
        Stage("closing", lambda t: t.promising, None, Run.close),
    )


ROUND: Final = _round(annealing=0.7, ascent=0.2)
ROUND_OF_PAIRS: Final = _round(annealing=0.15, ascent=0.45)
"""A round for k > 2, and one for k = 2. Shares that follow what improved last, and
later rounds that begin less hot, end with higher costs on all of Adult and Letter."""

BRIEFLY: Final[Stages[Run]] = (
    Stage("annealing", always, None, Run.anneal_briefly),
    Stage("ascent", always, None, Run.ascend_briefly),
    Stage("sub-tables", lambda t: t.rearrangeable, 0.05, Run.rearrange_sub_tables),
    Stage("closing", lambda t: t.promising, None, Run.close),
)
"""What is done for a table of few pairs, before its rounds."""

STAGES: Final[Stages[Run]] = (
    Stage("at once", always, None, Run.bound_at_once),
    Stage("small model", lambda t: t.fits_small_model, 0.2, Run.minimise_at_once),
    Stage("greedy groups", always, None, Run.build_groups),
    Stage("near rows", lambda t: t.priced, 0.1, Run.move_near_rows),
    Stage("listing", lambda t: t.unlisted and t.one_worker, LISTING, Run.list_patterns),
    SideBySide(
        lambda t: t.unlisted and not t.one_worker,
        (
            Stage("listing", always, LISTING, Run.list_patterns),
            Stage("near rows", always, LISTING, Run.move_near_rows),
        ),
        while_first_runs=True,
    ),
    Stage("opt-lb", lambda t: t.complete, None, Run.raise_opt_lb),
    Stage("few pairs", lambda t: t.has_few_pairs, None, run_briefly),
    Stage("rounds", lambda t: t.complete, None, run_rounds),
    Stage("bounds", lambda t: t.is_led, 0.3, Run.bound_without_list),
    Stage("near rows", lambda t: t.is_led, 0.05, Run.move_near_rows),
    Stage("leaders", lambda t: t.is_led, None, Run.minimise_leaders),
    Stage("bounds", lambda t: t.no_model and t.one_worker, 0.3, Run.bound_without_list),
    SideBySide(
        lambda t: t.no_model and not t.one_worker,
        (
            Stage("bounds", always, None, Run.bound_without_list),
            Stage("near rows", always, None, Run.move_near_rows),
        ),
    ),
    Stage("near rows", lambda t: t.no_model or not t.endless, None, Run.move_near_rows),
)
"""What is done for a table: with all patterns listed, or without. Shares are not
tuned."""
