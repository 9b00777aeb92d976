"""What both checks of reductions found: rows for the package, tables and pictures.

The rows, one for each reading, are those of `atleastk.instances.reductions.checked`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from atleastk.instances.reductions.checked import COLUMNS, FILE
from atleastk.instances.reductions.suppression_rules import LETTER_OF
from atleastk.instances.reductions.suppression_web import proofs_lost
from atleastk.instances.suppression_names import DECISIONS, MINIMISATIONS
from atleastk.plots.drawing import save
from atleastk.plots.reduction_web import EdgeCheck, draw_web
from atleastk.research.reducing import REDUCTIONS, web_of
from atleastk.research.tables.markdown import markdown_table

DATA = Path(__file__).parents[2] / "atleastk/instances/reductions" / FILE
Document = Mapping[str, Any]
Pair = tuple[str, str]
STATUSES = ("checked", "refuted", "undefined")
APX = "loses that of APX-hardness, by Lemma 5.1.3"
LOST = "loses its printed proof of hardness"
WEBS = {
    "web_many_one.png": (
        "many-one",
        "Many-one reductions of the suppression family ([Chaytor06] Figure 4.2)",
    ),
    "web_l.png": (
        "metric",
        "L-reductions of the suppression family, and the metric ones that lead there "
        "([Chaytor06] Figure 5.1)",
    ),
}
"""The pictures: what hardness they are about, and their titles."""

KINDS = {
    "many-one": ("X3C", ("many-one",), DECISIONS),
    "metric": ("MAX 3SP-B", ("metric",), MINIMISATIONS),
    "L": ("MAX 3SP-B", ("L",), MINIMISATIONS),
}
"""What hardness begins with, reductions that pass it on, and the problems.

All L-reductions of the family are metric ones too.
"""


class Row(NamedTuple):
    """One reading of a reduction, as in `COLUMNS`.

    If it is not well-defined `instances` is 0, and `refuting` tells how many refute it
    as it is meant.
    """

    source: str
    target: str
    kind: str
    repaired: bool
    instances: int
    refuting: int

    @property
    def pair(self) -> Pair:
        return self.source, self.target

    @property
    def failed(self) -> bool:
        """Whether it is refuted, or defines nothing."""
        return self.refuting > 0 or not self.instances


def rows_of_web(edges: Iterable[Document]) -> Iterator[Row]:
    for edge in edges:
        names = edge["source"], edge["target"], edge["kind"]
        first, last = edge["readings"][0], edge["readings"][-1]
        if edge["flaw"]:
            meant = first["refuted"] if first["reading"] == "meant" else 0
            yield Row(*names, False, 0, meant)
        else:
            yield Row(*names, False, first["instances"], first["refuted"])
        if last is not first or edge["flaw"]:
            yield Row(*names, True, last["instances"], last["refuted"])


def rows_of_sources(claims: Iterable[Document]) -> Iterator[Row]:
    for d in claims:
        names = d["source"], d["target"], d["kind"]
        yield Row(*names, d["repaired"], d["checked"], d["failed"])


def write_rows(rows: Sequence[Row], path: Path) -> None:
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    columns = json.dumps(COLUMNS)
    text = f'{{\n "columns": {columns},\n "rows": [\n{lines}\n ]\n}}\n'
    path.write_text(text)


def hardness_lost(
    rows: Collection[Row], root: str, problems: Collection[str]
) -> dict[str, list[str]]:
    """Return which problems the hardness of a root does not reach, by what failed.

    Keys
    ----
    never
        Not even as printed.
    outside, refuted, refuted or undefined
        Not without the printed ones from outside of `problems` that are refuted; nor
        without any that are; nor without those that are not well-defined.
    repaired
        Not by what holds as printed, and repaired.
    """
    printed = [row for row in rows if not row.repaired]
    outside = {r.pair for r in printed if r.refuting and r.source not in problems}
    refuted = {r.pair for r in printed if r.refuting}
    failed = {r.pair for r in printed if r.failed}
    drawn = {r.pair for r in printed}
    holding = {r.pair for r in rows if not r.failed}

    def lost(removed: set[Pair]) -> list[str]:
        return list(proofs_lost(drawn, removed, {root}))

    return {
        "never": sorted(set(problems).difference(lost(drawn))),
        "outside": lost(outside),
        "refuted": lost(refuted),
        "refuted or undefined": lost(failed),
        "repaired": sorted(
            set(problems).difference(proofs_lost(holding, holding, {root}))
        ),
    }


def consequences(rows: Sequence[Row]) -> dict[str, dict[str, list[str]]]:
    """Return, for each kind, what hardness reaches only by way of what failed."""
    return {
        kind: hardness_lost(
            [r for r in rows if r.kind in kinds or r.source in problems],
            root,
            problems.keys(),
        )
        for kind, (root, kinds, problems) in KINDS.items()
    }


def markdown(found: Mapping[str, Any]) -> str:
    edges = found["edges"]
    parts = [
        "# The reduction web of the suppression family, checked",
        found["described"],
        _table(_COUNTED, (_counts(edges, kind) for kind in ("many-one", "L"))),
        "L-reductions are metric reductions too: that the optima are equal is part of "
        "the claim that was checked, with alpha = beta = 1.",
        "## Refuted, and the smallest counter-example",
        "*Holds for* is what the source's instance has to fulfil; whatever does was "
        "not refuted. *With natural limits*: no limit is above what the table can "
        "have. Where this is 0, a limit beyond the table, such as r = n + k, is "
        "needed. [Chaytor06, Theorem 4.3.5] takes k <= n for granted, under which "
        "only V is refuted.",
        _table(_REFUTED, _refuted(edges)),
        "## Not well-defined as printed",
        _table(("reduction", "printed", "why", "repaired"), _undefined(edges)),
        "L-reductions are printed without letters and are read with those of their "
        "decision problems. Repaired, a minimised c (or r) in a formula is m (or n).",
        "## What depends on it",
        *(_consequences(lost, kind) for kind, lost in found["proofs_lost"].items()),
        "The refuted reductions of the family can "
        "stay in these proofs if they begin with the tables made of X3C and MAX 3SP-B: "
        "those have n >= k = 3 rows and limits within the table, and the reductions "
        "preserve that. RPT -> c'-SUP can stay for the graphs that X3C -> RPT makes. "
        "The metric equations and the alpha of Lemma 5.1.3 cannot stay.",
    ]
    return "\n\n".join(parts) + "\n"


_COUNTED = (
    *("reductions", "in the tables>", "hold as printed>", "refuted as printed>"),
    *("undefined as printed>", "instances compared>", "solutions mapped back>"),
    "refuted as repaired>",
)


def _counts(edges: Sequence[Mapping[str, Any]], kind: str) -> tuple[object, ...]:
    mine = [d for d in edges if d["kind"] == kind]
    return (
        kind,
        len(mine),
        *(sum(d["status"] == s for d in mine) for s in STATUSES),
        f"{sum(r['instances'] for d in mine for r in d['readings']):,}",
        f"{sum(r['solutions'] for d in mine for r in d['readings']):,}",
        sum(d["readings"][-1]["beyond"] > 0 for d in mine),
    )


_REFUTED = (
    *("reduction", "letters", "as", "refuted on>", "with natural limits>"),
    *("holds for", "smallest counter-example"),
)


def _refuted(edges: Sequence[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    for d in edges:
        for r in d["readings"]:
            if r["refuted"]:
                yield (
                    f"{d['source']} -> {d['target']}",
                    ", ".join(d[r["reading"]]),
                    r["reading"],
                    f"{r['refuted']:,} of {r['instances']:,}",
                    f"{r['natural']:,}",
                    r["hypotheses"],
                    _told(r["example"]),
                )


def _undefined(edges: Sequence[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    for d in edges:
        if d["flaw"]:
            yield (
                f"{d['source']} -> {d['target']}",
                ", ".join(d["printed"]) or "template",
                d["flaw"],
                ", ".join(d["repaired"]) or "template",
            )


_WORDS = {
    "many-one": ("NP-hardness", "many-one reductions"),
    "metric": (
        "OptP[O(log n)]-hardness of minimising",
        "metric reductions; [Chaytor06] Theorem 5.2.1",
    ),
    "L": ("APX-hardness of minimising", "L-reductions; [Chaytor06] Theorem 5.2.4"),
}


def _consequences(lost: Mapping[str, Sequence[str]], kind: str) -> str:
    title, by = _WORDS[kind]
    same = lost["repaired"] == lost["never"]
    outside, refuted, failed = (
        lost[name] for name in ("outside", "refuted", "refuted or undefined")
    )
    more = [name for name in refuted if name not in outside]
    still_more = [name for name in failed if name not in refuted]
    never = {
        "many-one": "; it is polynomial",
        "metric": "; they minimise r, and only MIN-r-DEL, which is polynomial, leads "
        "to them",
        "L": "; it is claimed only for what MIN-c-DEL leads to",
    }[kind]
    unreached = "all others" if kind == "L" else _listed(lost["never"])
    return (
        f"**{title}** ({by}), from {KINDS[kind][0]}:\n\n"
        f"- Never reached, even as printed: {unreached}{never}.\n"
        "- Not without the refuted reductions from outside of the family: "
        f"{_listed(outside)}.\n"
        "- Nor, without those within the family that are refuted: "
        f"{_listed(more)}.\n"
        f"- Nor, without the undefined ones: {_listed(still_more)}.\n"
        "- By the repaired reductions "
        + (
            "all but those never reached are."
            if same
            else f"not reached: {_listed(lost['repaired'])}."
        )
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "\n".join(markdown_table(columns, rows))


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} ({', '.join(names)})" if names else "none"


def _told(example: Mapping[str, Any]) -> str:
    instance = example["instance"]
    rows = " / ".join("".join(row) for row in instance["table"])
    limits = (f"{LETTER_OF[q]} = {v}" for q, v in instance.get("limits", {}).items())
    given = ", ".join([f"table {rows}", f"k = {instance['k']}", *limits])
    return f"{given}: {example['what']}"


def draw_webs(
    rows: Sequence[Row], lost: Mapping[str, Mapping[str, Sequence[str]]], folder: Path
) -> None:
    """Draw both webs, the problems that lead into the family included."""
    for name, (kind, title) in WEBS.items():
        problems = KINDS[kind][2]
        reaching = {r.source for r in rows if r.target in problems}
        kinds = ("many-one",) if kind == "many-one" else ("L", "metric")
        shown = [
            r for r in rows if r.kind in kinds and r.target in {*problems, *reaching}
        ]
        by_pair: dict[tuple[str, str], list[Row]] = {}
        for row in shown:
            by_pair.setdefault(row.pair, []).append(row)
        marked = {LOST: lost[kind]["refuted"]}
        if kind == "metric":
            rest = set(lost["L"]["refuted"]).difference(lost[kind]["refuted"])
            marked[APX] = sorted(rest)
        checks = {pair: status_of(mine) for pair, mine in by_pair.items()}
        web = web_of(r for r in REDUCTIONS if (r.source, r.target) in checks)
        save(draw_web(web, checks, marked, title), folder / name)


def status_of(rows: Sequence[Row]) -> EdgeCheck:
    printed = [r for r in rows if not r.repaired]
    repaired = [r for r in rows if r.repaired]
    least = min(r.instances for r in repaired or printed)
    if not printed:
        return EdgeCheck("added", least)
    if not all(r.instances for r in printed):
        return EdgeCheck("undefined", least)
    if any(r.refuting for r in printed):
        return EdgeCheck("refuted" if repaired else "wrong", least)
    return EdgeCheck("checked", least)
