"""Answers about a working tree that has no index yet, from the files that a scan picks.

The files that look most like answers are indexed on their own, in a folder that is thrown away,
and the tools answer from there as they always do. So the shapes, the lines and the handles are the
real ones; only what the scan passed by is missing, and the answer says so.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

from cruxe.freshness.server_check import TakenAsFresh
from cruxe.hosting.provisional_scan import PathTest, interest_of
from cruxe.ingest.processing import FileProcessor, FileTask
from cruxe.ingest.sync_ref import processing_plan
from cruxe.model.deadlines import Deadline
from cruxe.model.emptiness import EmptyReason
from cruxe.model.errors import (
    AmbiguousSymbolError,
    FileNotFoundInRefError,
    IndexStaleError,
    ResultNotFoundError,
    SymbolNotFoundError,
)
from cruxe.model.jobs import JobMode
from cruxe.model.levels import FreshnessPolicy
from cruxe.model.source import ListedFile
from cruxe.query.retrieve.opened_ref import OpenedRef
from cruxe.respond.metadata import mark_provisional
from cruxe.respond.result_fields import omit_field, replace_field
from cruxe.store.open import open_store
from cruxe.tools.checked_requests import LocateRequest, SearchRequest
from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.listing import list_working_tree
from cruxe.workspace.targets import Target

if TYPE_CHECKING:
    from cruxe.contract.result_parts import ScannedFiles
    from cruxe.contract.results import QuestionResult
    from cruxe.model.refs import RefFile
    from cruxe.repository import Tool

_Request = TypeVar("_Request")
_Result = TypeVar("_Result", bound="QuestionResult")
# What a scan did not find may well be there.
_NOT_SEEN: Final = (
    AmbiguousSymbolError,
    FileNotFoundInRefError,
    ResultNotFoundError,
    SymbolNotFoundError,
)
# A larger file may keep a parser busy for longer than the answer has time.
_PARSED_BYTES: Final = 200_000
# What the metadata of an answer grows by when it says how it came about.
_REMARK_BYTES: Final = 200


class ColdQuestion(NamedTuple):
    """Where a question is asked, and until when it may be looked for an answer."""

    context: RepositoryContext
    target: Target
    deadline: Deadline


def answer_cold(
    question: ColdQuestion, tool: "Tool[_Request, _Result]", request: _Request
) -> _Result | None:
    """Let a tool answer from the files that a scan picks; nothing where that cannot be told."""
    from tempfile import TemporaryDirectory

    _refuse_strict(request, question.target)
    scan = _Scan(question)
    picked = scan.pick(request)
    with TemporaryDirectory(prefix="cruxe-", ignore_cleanup_errors=True) as folder:
        context = question.context
        inner = context._replace(location=context.location._replace(data_dir=folder))
        _index(inner, question, picked)
        try:
            answer = _ask(inner, question.target, tool, _smaller(request))
        except _NOT_SEEN:
            return None
    return _marked(answer, question.target, scan)


def _refuse_strict(request: object, target: Target) -> None:
    is_strict = (
        isinstance(request, SearchRequest | LocateRequest)
        and request.policy is FreshnessPolicy.STRICT
    )
    if is_strict:
        head = target.ref.commit_id
        raise IndexStaleError(
            "the first index of this working tree is still being written",
            data={} if head is None else {"current_head": head},
        )


class _Scan:
    """Looks through the files of a working tree for those that a request is about."""

    def __init__(self, question: ColdQuestion) -> None:
        context = question.context
        listed = list_working_tree(context.workspace, context.rules)
        self._root = context.workspace.root
        self._deadline = question.deadline
        self._files = {file.path: file for file in listed if file.skip is None}
        self.total = len(self._files)
        self.looked_at = 0

    def pick(self, request: object) -> list[ListedFile]:
        """The files that promise most, best first."""
        interest = interest_of(request, self._deadline)
        named = [self._files[path] for path in interest.paths if path in self._files]
        if named:
            self.looked_at = self.total
            return named
        found = [
            (-promise, file.path)
            for file in self._wanted(interest.is_wanted_path)
            if (promise := interest.measure(file.path, self._read(file))) > 0
        ]
        found.sort()
        return [self._files[path] for _, path in found[: interest.most]]

    def _wanted(self, is_wanted: PathTest) -> Iterator[ListedFile]:
        for file in self._files.values():
            if self._deadline.has_passed:
                return
            self.looked_at += 1
            if is_wanted(file.path) and _size_of(file) <= _PARSED_BYTES:
                yield file

    def _read(self, file: ListedFile) -> bytes:
        try:
            with open(os.path.join(self._root, file.path), "rb") as content:
                return content.read()
        except OSError:
            return b""


def _index(context: RepositoryContext, question: ColdQuestion, files: list[ListedFile]) -> None:
    """Index some files into the context's own store, as far as there is time."""
    ref = question.target.ref._replace(settings=context.settings_digest)
    placed: dict[str, RefFile] = {}
    with (
        closing(open_store(context.location).open_writer()) as writer,
        closing(FileProcessor(processing_plan(context, b""))) as processor,
    ):
        writer.start_job(question.target.shown, JobMode.FULL, len(files))
        for file in files:
            outcome = processor.process(FileTask(file.path, None, file.stat))
            if outcome.record is not None:
                writer.add(outcome.record)
            placed[outcome.path] = outcome.file
            if question.deadline.has_passed:
                break
        writer.publish(ref, placed)


def _ask(
    context: RepositoryContext, target: Target, tool: "Tool[_Request, _Result]", request: _Request
) -> _Result:
    with open_store(context.location).snapshot() as snapshot:
        row = snapshot.find_ref(target.ref.name)
        assert row is not None
        opened = OpenedRef(snapshot, row.ref_id)
        return tool(context, target, opened, TakenAsFresh(context, target), request)


def _smaller(request: _Request) -> _Request:
    """Leave room for what the answer says of itself."""
    if isinstance(request, SearchRequest | LocateRequest):
        response = request.response
        left = response._replace(max_bytes=response.max_bytes - _REMARK_BYTES)
        return cast("_Request", request._replace(response=left))
    return request


def _marked(answer: _Result, target: Target, scan: _Scan) -> _Result:
    """Say that only some files were scanned; there is no next page, and no proof of absence."""
    scanned: ScannedFiles = {"files": scan.looked_at, "total_files": scan.total}
    mark_provisional(answer["metadata"], target.shown, scanned)
    if "empty_reason" in answer:
        answer = replace_field(answer, "empty_reason", EmptyReason.INDEXING)
    return omit_field(answer, "next_cursor")


def _size_of(file: ListedFile) -> int:
    return 0 if file.stat is None else file.stat.size
