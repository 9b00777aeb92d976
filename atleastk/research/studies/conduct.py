"""A study from its plan to its results."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, replace
from functools import lru_cache
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path
from typing import Final

from atleastk.instances.fields.errors import AtleastkError, InvalidResultError
from atleastk.instances.files import files
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.research.studies.driver import Driver, Progress
from atleastk.research.studies.results import CLOSED, StudyResults, expect_names
from atleastk.research.studies.run import ALGORITHM, METHOD, Record, Run
from atleastk.research.studies.spec import RunLimits, Study
from atleastk.research.studies.store import Planned, Store
from atleastk.runs.api import check
from atleastk.runs.own_algorithms import name_of
from atleastk.runs.pools import LOCAL, Here, pool_of
from atleastk.runs.registry import instance_from_dict
from atleastk.runs.versions import versions_installed

_CACHED: Final = 8
"""Texts of instances in the cache of the driver: runs on one follow each other."""


def conduct(
    study: Study,
    path: Path | None = None,
    *,
    executor: str | Executor = LOCAL,
    workers: int | None = None,
    again: bool = False,
    on_progress: Callable[[Progress], object] | None = None,
) -> StudyResults:
    """Perform the runs of a study that are not done yet, and return all results.

    A study may grow: what is asked now and was done stays, what is new runs, and what
    is not asked any more is set aside. With a longer time limit only what is not proved
    runs again.

    Parameters
    ----------
    path
        The file of the study; None for a study in memory.
    executor
        Where runs are performed: ``"processes"``, ``"dask://HOST:PORT"``, or any
        executor of `concurrent.futures`.
    workers
        How many runs are performed at once.
    again
        Whether failed runs are repeated.
    on_progress
        Called as the study goes on.

    Raises
    ------
    InvalidResultError
        If the file holds a study of another problem, or one that was begun with other
        versions.
    UnknownNameError
        If no instance has what they are to be grouped by.
    """
    pool = pool_of(executor, workers)
    if not isinstance(executor, Here):
        _expect_to_cross(study)
    if study.by:
        expect_names(study.by, study.drawn(), f"{study.place}: by".removeprefix(": "))
    with Store.writing(path) as store:
        told = _planned_in(store, study)
        if again:
            store.retry()
        named = {name_of(which): which for which in study.known}
        document = lru_cache(_CACHED)(store.document)
        limits_within = lru_cache(lambda s: replace(study.limits, time_limit=s))
        told += _kept_from_less(store, study)
        told += _taken_into(store, study)

        def run_of(planned: Planned) -> Run:
            which = planned.name if planned.kind == METHOD else named.get(planned.name)
            if which is None:
                raise InvalidResultError(
                    f"{store.place}: the study has no {planned.name}"
                )
            text = document(planned.instance)
            sha256, seed = planned.instance, planned.seed
            limits = limits_within(planned.time_limit)
            return Run(planned.kind, which, text, sha256, seed, limits, study.folder)

        Driver(store, run_of, on_progress or (lambda _progress: None)).drive(pool)
        known = {name_of(which): found for which, found in study.known.items()}
        return StudyResults.of(store, known, told)


def _planned_in(store: Store, study: Study) -> list[str]:
    """Plan the study if it is new or has grown; return lines on what became of it."""
    description = _description(study)
    if not store.empty:
        _expect_same(store, description)
        if store.description["spec_sha256"] == description["spec_sha256"]:
            store.describe(description)
            return []
    grown = store.plan(description, _planned(study))
    return [] if grown is None else [str(grown)]


def _kept_from_less(store: Store, study: Study) -> list[str]:
    """Keep what runs found that had less time, where more of it changes nothing.

    That is so of proofs, and of algorithms that gave an answer. Return a line on it.
    """
    origins, versions = dict(_entries(study)), versions_installed()
    kept = []
    for limit in store.limits_set_aside():
        within = _told(replace(study.limits, time_limit=limit))
        for run in store.waiting():
            if run.time_limit is not None and run.time_limit <= limit:
                continue
            place = run.kind, run.name
            key = _key(run.instance, place, origins[place], run.seed, within, versions)
            record = store.record(key)
            if record and (run.kind == ALGORITHM or record.status in CLOSED):
                kept.append((run.key, record, f"{limit:g} s"))
    store.end_all(kept)
    proofs = sum(record.status in CLOSED for _, record, _ in kept)
    return [f"{len(kept)} runs kept that had less time, {proofs} proofs"] * bool(kept)


def _taken_into(store: Store, study: Study) -> list[str]:
    """Take what other studies know of runs of exact methods that are still open.

    Every record is checked again. Return a line for each study that has any.
    """
    wanted = [run for run in store.waiting() if run.kind == METHOD]
    told = []
    for path in study.others:
        if not wanted:
            break
        try:
            with Store.reading(path) as other:
                known = {run: other.record(run.key) for run in wanted}
        except InvalidResultError as error:
            told.append(f"nothing taken from {error}")
            continue
        answered = {run: each for run, each in known.items() if each and each.result}
        found = {
            run.key: record
            for run, record in answered.items()
            if _holds(store.document(run.instance), run.instance, record)
        }
        store.end_all((key, record, path.name) for key, record in found.items())
        wanted = [run for run in wanted if run.key not in found]
        if answered:
            told.append(f"{len(found)} runs taken from {path}")
        if len(found) < len(answered):
            wrong = len(answered) - len(found)
            told.append(f"{wrong} runs of {path} do not hold, and run again")
    return told


def _holds(text: str, sha256: str, record: Record) -> bool:
    """Tell whether the record of an exact method is right, as far as is checked."""
    try:
        instance = instance_from_dict(files.parse(text, "instance", InvalidResultError))
        known = {"problem": instance.problem, "instance_sha256": sha256}
        document = files.parse(record.result or "", "result", InvalidResultError)
        result = Result.from_dict(document | known)
        verdict = check(instance, result)
    except AtleastkError:
        return False
    recorded = record.status, record.cost, record.bound
    claimed = str(result.status), result.cost, result.bound
    return not verdict.violations and recorded == claimed


def _description(study: Study) -> Mapping[str, str]:
    """Return the entries of the table ``study`` of the file."""
    return {
        "problem": study.problem,
        "title": study.title,
        "against": study.against,
        "by": "\n".join(study.by),
        "spec": study.canonical,
        "spec_sha256": study.sha256,
        "folder": str(study.folder),
        "versions": json.dumps(versions_installed()),
    }


def _planned(study: Study) -> Iterator[tuple[Instance, Sequence[Planned]]]:
    """Yield every instance with its runs: exact methods first."""
    versions = versions_installed()
    asked = list(product(_entries(study), study.seeds))
    for source, drawn in groupby(study.drawn_from(), itemgetter(0)):
        limits, targets = study.limits_of(source), {METHOD: study.target_of(source)}
        seconds, within = limits.time_limit, _told(limits)
        for _, instance in drawn:
            sha256 = instance.sha256
            yield (
                instance,
                [
                    Planned(
                        _key(sha256, place, origin, seed, within, versions),
                        *(sha256, *place, seed, seconds, targets.get(place[0])),
                    )
                    for (place, origin), seed in asked
                ],
            )


def _entries(study: Study) -> Iterator[tuple[tuple[str, str], str | None]]:
    """Yield what is run, by kind and name, with the source of algorithms."""
    for name in study.methods:
        yield (METHOD, name), None
    for name, origin in study.origins.items():
        yield (ALGORITHM, name), origin


def _key(
    sha256: str,
    place: tuple[str, str],
    origin: str | None,
    seed: int,
    within: Mapping[str, object],
    versions: Mapping[str, str],
) -> str:
    """Return the key of a run: a fingerprint of all that it depends on."""
    parts = [sha256, *place, origin, seed, within, versions]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _told(limits: RunLimits) -> Mapping[str, object]:
    """Return limits as they are in keys, where the seconds are no integer."""
    seconds = None if limits.time_limit is None else float(limits.time_limit)
    return asdict(limits) | {"time_limit": seconds}


def _expect_same(store: Store, description: Mapping[str, str]) -> None:
    """Refuse to go on with another problem, or with other versions."""
    held = store.description
    if held["problem"] != description["problem"]:
        raise InvalidResultError(
            f"{store.place}: holds a study of {held['problem']}, not of "
            f"{description['problem']}; give another file"
        )
    before = files.parse(
        held["versions"], f"{store.place}: versions", InvalidResultError
    )
    now = json.loads(description["versions"])
    changed = [
        f"{name} {before.get(name)} then, {now.get(name)} now"
        for name in {**before, **now}
        if before.get(name) != now.get(name)
    ]
    if changed:
        raise InvalidResultError(
            f"{store.place}: begun with other versions ({'; '.join(changed)}): "
            "give another file"
        )


def _expect_to_cross(study: Study) -> None:
    """Refuse functions that cannot be sent to another process."""
    for which in study.known:
        try:
            pickle.dumps(which)
        except Exception as error:  # pickling may raise anything
            raise AtleastkError(
                f"{name_of(which)}: cannot be sent to another process ({error}); "
                'define it in a file and name it "FILE.py:FUNCTION"'
            ) from error
