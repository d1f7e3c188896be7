"""Processes many files: the plan that follows from the settings, and runs of worker processes."""

import os
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from typing import Final

from cruxe.embed.models import EmbeddingModel
from cruxe.ingest.processing import FileOutcome, ProcessingPlan, Stretch
from cruxe.model.deadlines import stop_if_cancelled
from cruxe.model.source import FileTask
from cruxe.safety.redaction import redaction_of
from cruxe.workspace.context import RepositoryContext

# Each holds a model of perhaps a gigabyte, or calls a provider with a rate limit.
_SLOW_WORKERS: Final = 2
_SLOW_TIMEOUT_MS: Final = 1_800_000  # of one file


def processing_plan(
    context: RepositoryContext, known_keys: bytes, model: EmbeddingModel | None = None
) -> ProcessingPlan:
    """Return the processing plan that follows from the settings; `model` makes the vectors."""
    index = context.settings.index
    return ProcessingPlan(
        workspace=context.workspace,
        max_file_bytes=index.max_file_size,
        max_nodes=index.max_nodes,
        include_generated=index.include_generated,
        languages=index.languages,
        redaction=redaction_of(context.settings.security),
        extraction_digest=context.extraction_digest,
        known_keys=known_keys,
        model=model,
    )


def process_in_pool(
    context: RepositoryContext, plan: ProcessingPlan, tasks: list[FileTask]
) -> Iterator[FileOutcome]:
    """Process files in worker processes; yield the outcomes in any order."""
    from cruxe.ingest.worker_pool import WorkerPool

    index = context.settings.index
    is_slow = plan.model is not None and not plan.model.is_quick
    most = _SLOW_WORKERS if is_slow else available_cores()
    size = min(index.parallelism or most, len(tasks))
    timeout_ms = _SLOW_TIMEOUT_MS if is_slow else index.parse_timeout_ms
    # Sorted by extension, so that few languages reach several workers: compiling a language's
    # queries takes up to 0.3 s per worker.
    ordered = sorted(tasks, key=_ending)
    with closing(WorkerPool(plan, size, timeout_ms, list(_stretches(ordered)))) as pool:
        for outcome in pool.run(ordered):
            stop_if_cancelled()
            yield outcome


def _stretches(ordered: list[FileTask]) -> Iterator[Stretch]:
    """Yield the range of tasks that each extension takes in the order."""
    start = 0
    for ending, group in groupby(ordered, _ending):
        end = start + len(list(group))
        if "/" not in ending:  # a file without an extension has its path here
            yield Stretch(ordered[start].path, start, end)
        start = end


def _ending(task: FileTask) -> str:
    return task.path.rpartition(".")[2]


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
