"""The reductions of [Chaytor06] put to the test, by its tables and its lemmas."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from atleastk.instances.reductions.checked import check_of
from atleastk.instances.reductions.suppression_rules import RULES, Rule
from atleastk.instances.reductions.suppression_web import reduction_of
from atleastk.instances.suppression import Suppression
from atleastk.instances.suppression_names import Variant
from atleastk.research.claims.chaytor06.drawn import TABLES, Table, small_table
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.trials import optimum_of


def broken_reduction(of: Callable[[Rule], bool]) -> Callable[[Random], str | None]:
    """Return a trial of the repaired reductions of a table of the text.

    Both sides are solved: yes with yes, or the same optimum.
    """
    rules = [rule for rule in RULES if of(rule)]

    def attempt(rng: Random) -> str | None:
        rule, table = rng.choice(rules), small_table(rng)
        instance = drawn_instance(rule.source, table, rng.choice([2, 3]), rng)
        found, wanted = (
            optimum_of(made)
            for made in (reduction_of(rule).forward(instance), instance)
        )
        if found == wanted or (rule.kind == "many-one" and None not in {found, wanted}):
            return None
        return f"{rule.name}: {instance.to_dict()} has {wanted}, its image {found}"

    return attempt


def drawn_instance(variant: Variant, table: Table, k: int, rng: Random) -> Suppression:
    """Draw the order and the limits that a problem has on a table."""
    most, orders = most_of(Suppression(table, k)), {}
    if variant.order:
        side = most[variant.order]
        members, cut = rng.sample(range(side), side), rng.randint(1, side - 1)
        orders[f"{variant.order[:-1]}_order"] = [members[:cut], members[cut:]]
    limits = {quantity: rng.randint(0, most[quantity]) for quantity in variant.limits}
    return Suppression.named(str(variant), table, k, limits, **orders)


def most_of(instance: Suppression) -> dict[str, int]:
    """Return the most of each quantity that a table can have."""
    n, m = instance.n, instance.m
    return {"rows": n, "columns": m, "entries": n * m, "per_row": m, "per_column": n}


def _of_table(number: str) -> Callable[[Rule], bool]:
    """Tell which reductions are those of a table of the text."""
    chapter, _, kind = number.partition(".")
    many_one = chapter == "4"
    return lambda r: r.type == int(kind) and (r.kind == "many-one") == many_one


def in_table(number: str) -> Trial:
    """Return the trial of the reductions of a table of the text, as repaired."""
    return Trial(
        f"its reductions on {TABLES}, limits and orders at random",
        broken_reduction(_of_table(number)),
    )


def fared_in_table(number: str) -> str:
    """Tell how the reductions of a table fared on all small tables."""
    edges = [reduction_of(rule) for rule in RULES if _of_table(number)(rule)]
    printed = [check for edge in edges if (check := check_of(edge, repaired=False))]
    last = [check for edge in edges if (check := check_of(edge))]
    defined = [check for check in printed if check.instances]
    refuted = sum(check.refuting > 0 for check in defined)
    compared = sum(check.instances for check in last)
    assert len(printed) == len(last) == len(edges)
    assert not any(check.refuting for check in last)
    return (
        f"By scripts/reductions/check_reduction_web.py, on all tables of up to six "
        f"cells and on random ones: {len(edges)} reductions, of which as printed "
        f"{len(defined) - refuted} hold, refuted: {refuted}, not well-defined: "
        f"{len(edges) - len(defined)}. As repaired, if need be, all hold on "
        f"{compared:,} instances."
    )


def template(kind: int, many_one: bool) -> Trial:
    """Return the trial of the template reduction of a type."""

    def of(rule: Rule) -> bool:
        ours = rule.type == kind and not rule.printed
        return ours and (rule.kind == "many-one") == many_one

    return Trial(f"{TABLES}, limits and orders at random", broken_reduction(of))


def ends(many_one: bool) -> tuple[list[str], list[str]]:
    """Return the problems that no reduction leads to, and those that none leaves."""
    edges = [
        (str(rule.source), str(rule.target))
        for rule in RULES
        if (rule.kind == "many-one") == many_one
    ]
    sources, targets = ({edge[end] for edge in edges} for end in (0, 1))
    return sorted(sources - targets), sorted(targets - sources)
