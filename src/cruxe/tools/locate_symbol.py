"""The tool `locate_symbol`: find definitions, verify them, shape the answer.

The common case reads no file: if the stamps equal the indexed ones, the definitions are valid.
Files are read only to show context, or because they may have changed.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.model.hits import LocateOutcome, MatchTier, SearchHit
from cruxe.model.identity import VersionKey
from cruxe.model.specs import LocateSpec, ResponseSpec
from cruxe.model.symbols import split_name
from cruxe.query.retrieve.definitions_by_name import locate
from cruxe.respond.locate_answer import Located, located_answer
from cruxe.respond.size_limits import cut_located, is_over, narrower_requests, next_page
from cruxe.tools.checked_requests import LocateRequest
from cruxe.tools.ref_session import RefSession
from cruxe.workspace.context import Target

if TYPE_CHECKING:
    from cruxe.contract.result_parts import SuggestedAction
    from cruxe.contract.results import LocateSymbolResult
    from cruxe.model.outcomes import Absence

# Suggested actions omit a longer name: the caller has it already.
_REPEATED_CHARACTERS: Final = 200
_SIMILAR: Final = frozenset({MatchTier.SUB_WORD, MatchTier.FUZZY})


class _Pages(NamedTuple):
    """The pages of one list. The cursor code is imported only if there is more than one page."""

    generation: int
    identity: str

    def turned_to(self, request: LocateRequest) -> LocateSpec:
        """Return the spec with the offset of the requested page."""
        if request.cursor is None:
            return request.spec
        from cruxe.tools.checked_requests import read_cursor

        cursor = read_cursor(request.cursor, self.identity, self.generation)
        return request.spec._replace(offset=cursor.offset)

    def cursor_at(self, offset: int) -> str:
        """Return the cursor of the page that begins at this offset."""
        from cruxe.tools.checked_requests import Cursor, write_cursor

        return write_cursor(Cursor(self.generation, offset), self.identity)


class _Checked(NamedTuple):
    located: list[Located]
    dropped: int = 0
    is_changed: bool = False


def locate_symbol(session: RefSession, request: LocateRequest) -> "LocateSymbolResult":
    """Find the definitions of a name in an opened ref and return the answer."""
    pages = _Pages(session.snapshot.generation, _identity(request, session.target))
    outcome = locate(pages.turned_to(request), session.opened)
    is_fresh = session.is_fresh(request.policy)
    checked = _check(outcome.hits, session, request.response)
    is_fresh = is_fresh and not checked.is_changed
    metadata = session.metadata(is_fresh=is_fresh)
    answer = located_answer(outcome, checked.located, metadata, request.response)
    _tell_what_is_gone(answer, checked)
    if not checked.located:
        _tell_why_empty(answer, session, request, is_fresh=is_fresh)
    else:
        _tell_what_is_unknown(answer, session, request, is_fresh=is_fresh)
    if outcome.next_offset is not None:
        answer["next_cursor"] = pages.cursor_at(outcome.next_offset)
    if is_over(answer, request.response.max_bytes):
        _cut(answer, request, outcome, checked.located, pages)
    return answer


def _check(hits: list[SearchHit], session: RefSession, response: ResponseSpec) -> _Checked:
    """Verify the hits by stamps, or by reading the files if stamps are not enough."""
    session.opened.check_shown(hit.version_key for hit in hits)
    has_context = response.has_context
    if not has_context and session.are_as_indexed(hit.path for hit in hits):
        return _Checked([Located(hit) for hit in hits])
    from cruxe.query.select.verify import verify_hits
    from cruxe.respond.search_answer import context_of
    from cruxe.tools.texts import show

    with session.texts() as texts:
        verified = verify_hits(hits, texts)
        shown = show(verified.hits, session.snapshot, response)
    located = [Located(each.hit, context_of(each) if has_context else None) for each in shown]
    return _Checked(located, verified.dropped, verified.is_changed)


def _cut(
    answer: "LocateSymbolResult",
    request: LocateRequest,
    outcome: LocateOutcome,
    located: list[Located],
    pages: _Pages,
) -> None:
    """Cut an answer to the size limit; the next page begins at the first dropped definition."""
    end = pages.turned_to(request).offset + len(outcome.hits)
    # Reserve space for the longest possible cursor. The exact one replaces it after the cut.
    longest = answer["next_cursor"] = pages.cursor_at(end)
    actions = _narrower(request, request.spec.limit, longest)
    kept = cut_located(answer, actions, request.response.max_bytes)
    if kept < len(located):
        left = len(outcome.hits) - list(map(_key, outcome.hits)).index(_key(located[kept].hit))
        answer["next_cursor"] = pages.cursor_at(end - left)
    elif outcome.next_offset is None:
        del answer["next_cursor"]
    answer["suggested_next_actions"] = _narrower(request, kept, answer.get("next_cursor"))


def _key(hit: SearchHit) -> tuple[VersionKey, int]:
    """Return the identity of a definition, independent of its lines."""
    assert hit.symbol is not None
    return hit.version_key, hit.symbol.ordinal


def _tell_what_is_gone(answer: "LocateSymbolResult", checked: _Checked) -> None:
    if checked.dropped:
        answer["metadata"]["dropped_stale"] = checked.dropped


def _tell_why_empty(
    answer: "LocateSymbolResult", session: RefSession, request: LocateRequest, *, is_fresh: bool
) -> None:
    """Say whether the name occurs at all, and suggest a next action that does not lead back here.

    If the index is stale, a name that occurs may be defined in a changed file.
    """
    from cruxe.model.outcomes import CaseRule, EmptyReason

    name = request.spec.name
    if answer.get("empty_reason") is EmptyReason.FILTERED_OUT:
        answer["suggested_next_actions"] = [_again(request)]
        return
    absence = _absence_of(session, name, is_fresh=is_fresh)
    answer["suggested_next_actions"] = _elsewhere(name, is_absent=absence is not None)
    if absence is not None:
        from cruxe.respond.empty_answer import searched_block

        answer["empty_reason"] = EmptyReason.CONFIRMED_ABSENT
        answer["case"] = CaseRule.INSENSITIVE
        answer["searched"] = searched_block(absence.searched)
    elif not is_fresh:
        answer["empty_reason"] = EmptyReason.STALE
        answer["suggested_next_actions"] = [{"tool": "sync_repo"}]


def _elsewhere(name: str, *, is_absent: bool) -> "list[SuggestedAction]":
    """Suggest where to look for what has no definition: words in a search, a name in the text.

    A search for a name that occurs nowhere would only find others.
    """
    from cruxe.respond.empty_answer import search_code_action, search_text_action

    if len(name.split()) > 1:
        return [search_code_action(name)]
    parts = split_name(name)
    return [] if is_absent or not parts else [search_text_action(parts[-1])]


def _tell_what_is_unknown(
    answer: "LocateSymbolResult", session: RefSession, request: LocateRequest, *, is_fresh: bool
) -> None:
    """Mark definitions of similar names, if the name itself occurs nowhere."""
    if _SIMILAR.isdisjoint(answer["matches"]):
        return
    if _absence_of(session, request.spec.name, is_fresh=is_fresh):
        answer["metadata"]["unknown_terms"] = [request.spec.name]
        answer["metadata"]["low_confidence"] = True


def _absence_of(session: RefSession, name: str, *, is_fresh: bool) -> "Absence | None":
    """Prove that a part of a name is in no file, changed ones included; None if it is not so."""
    from cruxe.model.outcomes import AbsenceVerdict
    from cruxe.tools.search_text import prove_absence

    for part in split_name(name):
        absence = prove_absence(session, part, is_fresh=is_fresh)
        if absence.verdict is AbsenceVerdict.CONFIRMED_ABSENT:
            return absence
    return None


def _identity(request: LocateRequest, target: Target) -> str:
    """Return what all pages of one list share: everything that decides hits and their order."""
    return repr((target.ref.name, request.spec._replace(limit=0, offset=0)))


def _narrower(request: LocateRequest, fitting: int, cursor: str | None) -> "list[SuggestedAction]":
    """Suggest the next page and requests with a smaller answer, for an answer that was cut."""
    again = _again(request)
    following = [] if cursor is None else [next_page(again, cursor)]
    return [*following, *narrower_requests(again, fitting, request.response)]


def _again(request: LocateRequest) -> "SuggestedAction":
    """Suggest the name alone, without filters and levels."""
    again: SuggestedAction = {"tool": "locate_symbol"}
    if len(request.spec.name) <= _REPEATED_CHARACTERS:
        again["name"] = request.spec.name
    return again
