"""Answering `locate_symbol`: find, verify, shape.

The usual answer needs no text: where a file's stamps are those that were indexed, so are its
definitions. Files are read only to tell what stands in them, or because they may have changed.
"""

import os
from typing import Final

from cruxe.discover.read import bytes_path
from cruxe.discover.stamps import stamps_of
from cruxe.engine.context import RepositoryContext
from cruxe.engine.freshness import FreshnessCheck, require_fresh
from cruxe.engine.requests import LocateRequest
from cruxe.engine.targets import Target
from cruxe.model.hits import SearchHit
from cruxe.model.named import NamedTuple
from cruxe.query.locate import locate
from cruxe.query.opened import OpenedRef
from cruxe.respond.limits import cut_to_limit, is_over
from cruxe.respond.located import Answer, Located, located_answer
from cruxe.respond.metadata import Metadata
from cruxe.respond.signatures import safe_hit
from cruxe.respond.spec import ResponseSpec

_SEARCHED_INSTEAD: Final = 5


class _Checked(NamedTuple):
    located: list[Located]
    dropped: int = 0
    is_changed: bool = False


def locate_symbol(
    context: RepositoryContext,
    target: Target,
    opened: OpenedRef,
    check: FreshnessCheck,
    request: LocateRequest,
) -> Answer:
    """Find the definitions of a name in an opened ref and write the answer."""
    outcome = locate(request.spec, opened)
    is_fresh = require_fresh(check, opened.snapshot, request.policy)
    checked = _check(outcome.hits, context, target, opened, request.response)
    is_fresh = is_fresh and not checked.is_changed
    metadata = Metadata.ready(target.shown, is_fresh=is_fresh, basis=check.basis)
    answer = located_answer(outcome, checked.located, metadata, request.response)
    _tell_what_is_gone(answer, checked)
    if not checked.located:
        _tell_why_empty(answer, request, is_fresh=is_fresh)
    if is_over(answer, request.response.max_bytes):
        cut_to_limit(answer, _narrower(request), request.response.max_bytes)
    return answer


def _check(
    hits: list[SearchHit],
    context: RepositoryContext,
    target: Target,
    opened: OpenedRef,
    response: ResponseSpec,
) -> _Checked:
    """Look at the files behind the definitions, and into them where it is needed."""
    has_context, security = response.has_context, context.settings.security
    if not has_context and all(is_as_indexed(hit.path, context, target, opened) for hit in hits):
        return _Checked([Located(safe_hit(hit, security)) for hit in hits])
    from cruxe.engine.shown import show
    from cruxe.engine.texts import TextReader
    from cruxe.engine.verify import verify_hits
    from cruxe.respond.results import context_of

    with TextReader(context, target, opened) as texts:
        verified = verify_hits(hits, texts)
        shown = [show(each, opened.snapshot, response, security) for each in verified.hits]
    located = [
        Located(safe_hit(each.hit, security), context_of(each) if has_context else None)
        for each in shown
    ]
    return _Checked(located, verified.dropped, verified.is_changed)


def is_as_indexed(path: str, context: RepositoryContext, target: Target, opened: OpenedRef) -> bool:
    """Whether a file certainly holds what was indexed, by its stamps alone.

    Stamps that could not be trusted when they were taken are equal to none.
    """
    if not target.is_worktree:
        return True
    known = opened.snapshot.file_stat(opened.ref_id, path)
    try:
        found = os.lstat(bytes_path(context.workspace.root, path))
    except OSError:
        return False
    return stamps_of(found) == known


def _tell_what_is_gone(answer: Answer, checked: _Checked) -> None:
    metadata = answer["metadata"]
    assert isinstance(metadata, dict)
    if checked.dropped:
        metadata["dropped_stale"] = checked.dropped


def _tell_why_empty(answer: Answer, request: LocateRequest, *, is_fresh: bool) -> None:
    """Say what to do; a name that an outdated index does not know may stand in a changed file."""
    if not is_fresh and answer.get("empty_reason") != "filtered_out":
        answer["empty_reason"] = "stale"
        answer["suggested_next_actions"] = [{"tool": "sync_repo"}]
    else:
        answer["suggested_next_actions"] = [{"tool": "search_code", "query": request.spec.name}]


def _narrower(request: LocateRequest) -> list[Answer]:
    """What to do about an answer that was cut."""
    name, fewer = request.spec.name, max(1, request.spec.limit // 2)
    return [
        {"tool": "locate_symbol", "name": name, "limit": fewer},
        {"tool": "search_code", "query": name, "limit": _SEARCHED_INSTEAD},
    ]
