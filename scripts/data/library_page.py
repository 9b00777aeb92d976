"""Write docs/library.md: what the library holds, and how it is used.

python -m scripts.data.library_page [--out FILE]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import atleastk
from atleastk.models.results.status import Status
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import DIFFICULTIES, OPEN, STATUSES, Record

OURS = "CC BY 4.0"
"""The licence of what is drawn here."""

EXAMPLES = ("employees", "figure", "patients", "people")
"""How families of the papers' examples begin."""

OUT = Path(__file__).parents[2] / "docs/library.md"

# ruff: noqa: E501 - lines of the page are what commands print
PAGE = """\
# The library

{total} instances of all problems come with the package, each with the best solution
known and, where it is proven to be optimal, with the proof:

```python
import atleastk

record = atleastk.library["bin-covering-worst-k8-n7"]
print(record.status, record.known.cost, record.size)
print(atleastk.check(record.instance, record.result).verified[1])
print(len(atleastk.library.filter(problem="bin-covering", family="worst")))
```

```text
certified 12 n=7 k=8 total=33
bound 12, so optimal: proved by its certificate of kind weights
{worst_bins}
```

## What is known

{by_status}

The status says how the optimum can be verified: by re-checking a certificate without
any solver (`certified`), by repeating two unrelated proofs (`agreed`) or one (`proved`); or
not yet, since cost and bound differ (`open`). {infeasible} of the instances have no
solution, which is proved like an optimum.

{by_difficulty}

Difficulty is by the clock, as it was measured on two busy cores, on one of them: `toy`
instances were closed in less than 1 s, `easy` ones in 60 s, `medium` ones in 600 s.
`hard` are all others, those among them that no run has closed so far, however short it
was.

![Best solutions of eight instances](library.png)

*Bins, intervals, a table whose dark cells are suppressed, r-gather and cellular
clustering of places, the counties of Mississippi in parts, and two tilings (`python -m
scripts.data.library_pictures`).*

## What was known before

{data} instances are of data of others: names of the census, samples of tables, counties,
tracts and places. We have found no published optimum of any of them, so {data_closed}
have been closed here for the first time as far as we know, {data_certified} of them with
a certificate; {data_open} are open. {tight} are tight families of the papers, whose
optimum follows from the proof of tightness, and {examples} examples of a few items. The
remaining {drawn} are drawn here from seeds, are images of other problems, or were found
as the worst of an algorithm ([{worst} of them](studies.md)), so that no one else can
have published them; {drawn_open} are open. We searched a part of the web and of public
repositories in November 2026, and may have missed something: please tell us.

What comes nearest solves other problems on such data. Bayardo and Agrawal 2005
(https://doi.org/10.1109/ICDE.2005.42) find optimal generalisations of whole columns of
census data, by other measures; Bredereck, Nichterlein and Niedermeier 2013
(https://doi.org/10.3390/a6040678) suppress cells of tables exactly, by patterns that are
given; Aloise, Hansen, Rocha and Santi 2014
(https://doi.org/10.1007/s10898-014-0149-3) have bounds for microaggregation, with centres
that are means. Garfinkel and Nemhauser 1970 (https://doi.org/10.1287/mnsc.16.8.B495) form
districts of counties with limits of weight and of compactness; Carter and others 2019
(https://arxiv.org/abs/1908.11801) cluster the counties of North Carolina as its courts
demand; "Political districting to minimize county splits" (optimization-online.org,
February 2023) counts splits; "Integer programming approaches to balanced connected
k-partition" (https://arxiv.org/abs/1911.05723) fixes the number of parts and not their
weight. BPPLIB and the OR-Library have sizes for packing, which `convert` reads; the
optimum of covering is another one, and we know of no library of it.

## From the command line

```console
$ atleastk library check --family worst
{worst} of {worst} hold: {worst} certified
$ atleastk library export bin-covering-worst-k8-n7 --to json
{{"problem": "bin-covering", "sizes": [7, 7, 6, 6, 3, 2, 2], "k": 8, "name": "bin-covering-worst-k8-n7", "source": "library: bin-covering-worst-k8-n7; found by a search for large ratios of spread-decreasing and others"}}
$ atleastk library export bin-covering-worst-k8-n7 --to opb -o model.opb
$ head -n 3 model.opb
* #variable= 37 #constraint= 24
* bin-covering, sha256 5ea59a1762759491a1f66eb39dde78c14acf6271213ffdbe72baca5a2fa0ce20; the cost is the objective + 9
min: +1 x33 +2 x34 +4 x35 +8 x36 +9 x37 ;
```

Each action has its own `--help`.

- `list` and `show` print records; `--problem`, `--family`, `--status` and
  `--difficulty` choose.
- `check` re-checks fingerprints, costs and certificates. No solver runs. In a clone
  `python -m scripts.data.check_library` has [two checkers](certificates.md) do it.
- `solve NAME` solves an instance and compares. `--solver SCIP_PY` (or `GUROBI`,
  `CPLEX_PY`, `COPT`, whatever PuLP finds) has another solver minimise the exported
  model.
- `export NAME --to mps` (`lp`, `opb`, `cp-sat`, `wcnf`, `cnf`, `json`) writes the
  compact model of an instance for any other solver. A `cnf` asks whether a solution
  costs at most `--at-most`, by default what is known. Instances that are too large for
  a model of pairs, and straight cuts, are written as `json` only.
- `improve` works on what is not certified, from the best solution known, and writes
  the gains to a *submission* with `-o`: results, as `solve -o` writes them.
- `submit FILE --folder DIR` takes results over into a library of one's own. Costs are
  recomputed and certificates re-checked, and no record ever knows less than before. A
  bound without a certificate is taken only with `--take-claims`, and never in the
  place of a certificate, unless it closes the instance.
- `add FILE --folder DIR` adds the instances of a file, and `--folder DIR` after any of
  the others means that library.

`atleastk cite RESULT` prints a sentence and a BibTeX entry for a proven optimum, with
the fingerprints of instance and certificate.

## The files

`atleastk/instances/library/` has a file per problem, `PROBLEM.jsonl.gz`, with a record a
line:

| field | what it is |
| --- | --- |
| `name`, `problem`, `family`, `size` | what the instance is called, and what it is |
| `source`, `licence` | where it comes from, and under which licence |
| `instance_sha256` | the [fingerprint](files.md) of what defines the instance |
| `document` or `recipe` | the instance; or the family, seed and parameters that make it |
| `history` | an entry for every gain: `date`, `status`, `trust`, `cost`, `bound`, `method`, `seconds`, `versions`, and the kind of the `certificate` or null |
| `witness` | the fields of a [result](files.md) that hold the best solution known |
| `certificate` | the [certificate](certificates.md) of the last bound |

The instances are the examples and tight families of the papers, instances on which
algorithms do worst, random and structured ones, images of other hard problems under the
[reductions](reductions.md), and data: names of the census, samples of Adult, Census
Income, Letter and Nursery, counties and tracts of the United States, and places of
GeoNames. {open} of them are open, among them

{open_ones}
"""


def page(library: Library) -> str:
    """Return the page."""
    records = list(library.values())
    still = [record for record in records if record.status == OPEN]
    data = [record for record in records if record.licence != OURS]
    tight = [record for record in records if record.family.startswith("tight-")]
    worst = [record for record in records if record.family == "worst"]
    examples = [record for record in records if record.family.startswith(EXAMPLES)]
    data_open = sum(record.status == OPEN for record in data)
    return PAGE.format(
        total=len(records),
        by_status=_table(records, "status", STATUSES),
        by_difficulty=_table(records, "difficulty", DIFFICULTIES),
        infeasible=sum(
            record.known is not None and record.known.status is Status.INFEASIBLE
            for record in records
        ),
        data=len(data),
        data_closed=len(data) - data_open,
        data_certified=sum(record.status == STATUSES[0] for record in data),
        data_open=data_open,
        tight=len(tight),
        worst=len(worst),
        worst_bins=sum(record.problem == "bin-covering" for record in worst),
        examples=len(examples),
        drawn=len(records) - len(data) - len(tight) - len(examples),
        drawn_open=len(still) - data_open,
        open=len(still),
        open_ones="\n".join(
            f"- `{record.name}`: {record.size}"
            for problem in atleastk.problems()
            for record in [r for r in still if r.problem == problem.name][:2]
        ),
    )


def _table(records: Iterable[Record], what: str, words: Sequence[str]) -> str:
    """Return how many records of each problem have each of these words."""
    counts = Counter((record.problem, getattr(record, what)) for record in records)
    names = [problem.name for problem in atleastk.problems()]
    rows = [["problem", *words, "all"], ["---", *("--:" for _ in words), "--:"]]
    for name in names:
        found = [counts[name, word] for word in words]
        rows.append([f"`{name}`", *map(str, found), str(sum(found))])
    sums = [sum(counts[name, word] for name in names) for word in words]
    rows.append(["all", *map(str, sums), str(sum(sums))])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    chosen.out.write_text(page(atleastk.library), encoding="utf-8")


if __name__ == "__main__":
    main()
