"""The tool `get_file_outline`: from the index, or from the file if it changed since."""

from typing import TYPE_CHECKING, NamedTuple

from cruxe.model.errors import FileNotFoundInRefError
from cruxe.model.hits import OutlineOutcome
from cruxe.model.levels import AnswerFormat
from cruxe.model.specs import OutlineSpec
from cruxe.query.retrieve.file_outline import outline
from cruxe.query.retrieve.opened_ref import passes
from cruxe.respond.outline_answer import FileCost, OutlineLimits, outline_answer
from cruxe.tools.ref_session import RefSession

if TYPE_CHECKING:
    from cruxe.contract.result_parts import OutlineRemarks
    from cruxe.contract.results import GetFileOutlineResult


class OutlineRequest(NamedTuple):
    """The checked arguments of `get_file_outline`."""

    spec: OutlineSpec
    max_bytes: int | None  # of the whole answer; None: as in the settings
    form: AnswerFormat | None  # the form that may not cost more than the file; None: either may


def get_file_outline(session: RefSession, request: OutlineRequest) -> "GetFileOutlineResult":
    """Outline a file of an opened ref and return the answer."""
    spec = request.spec
    file = session.snapshot.find_file(session.opened.ref_id, spec.path)
    if file is not None and file.version_key is not None:
        session.opened.check_shown([file.version_key])
    stored = outline(spec, session.snapshot, session.opened.ref_id)
    is_fresh = session.is_fresh()
    is_sure = session.are_as_indexed([spec.path])
    changed = None if is_sure else _changed_outline(session, spec)
    metadata = session.metadata(is_fresh=is_fresh and changed is None)
    found = changed or stored
    is_wanted = passes(spec.filters, found)
    answer = outline_answer(
        found if is_wanted else found._replace(roots=[], symbol_count=0),
        metadata,
        _limits(session, request),
    )
    if not answer["symbols"]:
        return _explained_if_empty(answer, found)
    return answer


def _limits(session: RefSession, request: OutlineRequest) -> OutlineLimits:
    usual = session.settings.search.max_response_bytes
    max_bytes = usual if request.max_bytes is None else request.max_bytes
    text = None if request.form is None else _source(session, request.spec.path)
    if text is None or request.form is None:
        return OutlineLimits(max_bytes)
    written = _as_text if request.form is AnswerFormat.TEXT else _as_json
    return OutlineLimits(max_bytes, FileCost(text, written), request.form)


def _source(session: RefSession, path: str) -> str | None:
    """Return the text of a file, or None if there is none to read."""
    file = session.snapshot.find_file(session.opened.ref_id, path)
    if file is None or file.version_key is None or file.skip_reason is not None:
        return None
    with session.texts() as texts:
        text = texts.read(file.version_key, path)
    return None if text is None else text.whole


def _as_json(answer: "GetFileOutlineResult") -> str:
    from json import dumps

    return dumps(answer, ensure_ascii=False, separators=(",", ":"))


def _as_text(answer: "GetFileOutlineResult") -> str:
    from cruxe.respond.text_form import text_form
    from cruxe.respond.text_form.wording import Wording

    return text_form("get_file_outline", {**answer}, Wording())


def _changed_outline(session: RefSession, spec: OutlineSpec) -> OutlineOutcome | None:
    """Return the outline of a file that changed since it was indexed, or None if it did not."""
    file = session.snapshot.find_file(session.opened.ref_id, spec.path)
    if file is None or file.version_key is None or file.line_count is None:
        return None  # there is no indexed text to compare with
    if file.skip_reason is not None:
        return None
    from cruxe.query.select.reparsed import present_outline, present_symbols
    from cruxe.query.select.resolve_symbol import symbols_of

    with session.texts() as texts:
        text = texts.read(file.version_key, file.path)
    if text is None:
        raise FileNotFoundInRefError(f"{file.path} can no longer be read", data={"path": file.path})
    if text.changed is None:
        return None
    stored = symbols_of(file.version_key, session.snapshot)
    symbols = present_symbols(file.version_key, file.path, text.changed, stored)
    shown = present_outline(symbols, top_only=spec.top_only)
    count = len(shown) if spec.top_only else len(symbols)
    return OutlineOutcome(
        path=file.path,
        language=text.changed.language,
        skip_reason=None,
        roots=shown,
        symbol_count=count,
    )


def _explained_if_empty(
    answer: "GetFileOutlineResult", found: OutlineOutcome
) -> "GetFileOutlineResult":
    """Add the reason why there are no symbols; `found` is the outline before filters."""
    from cruxe.model.outcomes import Emptiness, EmptyReason
    from cruxe.query.select.empty_reason import has_symbols
    from cruxe.respond.empty_answer import emptiness_answer

    language = found.language or ""
    remarks: OutlineRemarks = {}
    if found.skip_reason is not None:
        remarks["skip_reason"] = found.skip_reason
        reason = Emptiness(EmptyReason.NOT_INDEXED)
    elif found.symbol_count:
        reason = Emptiness(
            reason=EmptyReason.FILTERED_OUT, filtered_out={"language": found.symbol_count}
        )
    elif not has_symbols(language):
        reason = Emptiness(EmptyReason.LANGUAGE_NOT_PARSED, languages=(language,))
    else:
        reason = Emptiness(EmptyReason.NO_MATCH)
    return {
        "file_path": answer["file_path"],
        "language": answer["language"],
        "symbols": answer["symbols"],
        **remarks,
        **emptiness_answer(reason),
        "metadata": answer["metadata"],
    }
