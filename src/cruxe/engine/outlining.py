"""Answering `get_file_outline`: as the index has it, or as the file is where it changed since."""

from cruxe.engine.context import RepositoryContext
from cruxe.engine.freshness import FreshnessCheck
from cruxe.engine.locating import is_as_indexed
from cruxe.engine.targets import Target
from cruxe.model.errors import FileNotFoundInRefError
from cruxe.model.hits import OutlineOutcome
from cruxe.model.named import NamedTuple
from cruxe.model.specs import OutlineSpec
from cruxe.query.opened import OpenedRef
from cruxe.query.outline import outline
from cruxe.respond.metadata import Metadata
from cruxe.respond.signatures import redacted_signature
from cruxe.respond.symbols import outline_answer

Answer = dict[str, object]


class OutlineRequest(NamedTuple):
    """What a caller of `get_file_outline` wants."""

    spec: OutlineSpec
    max_bytes: int | None  # of the whole answer; absent: as the settings have it


def get_file_outline(
    context: RepositoryContext,
    target: Target,
    opened: OpenedRef,
    check: FreshnessCheck,
    request: OutlineRequest,
) -> Answer:
    """Outline a file of an opened ref and write the answer."""
    spec, max_bytes = request
    outcome = outline(spec, opened.snapshot, opened.ref_id)
    is_fresh = check.is_fresh(opened.snapshot)
    is_sure = is_as_indexed(spec.path, context, target, opened)
    changed = None if is_sure else _changed_outline(context, target, opened, spec)
    is_fresh = is_fresh and changed is None
    metadata = Metadata.ready(target.shown, is_fresh=is_fresh, basis=check.basis)
    security, search = context.settings.security, context.settings.search
    return outline_answer(
        changed or outcome,
        metadata,
        lambda signature: redacted_signature(signature, security),
        search.max_response_bytes if max_bytes is None else max_bytes,
    )


def _changed_outline(
    context: RepositoryContext, target: Target, opened: OpenedRef, spec: OutlineSpec
) -> OutlineOutcome | None:
    """The outline of a file that is not what was indexed; nothing for one that is."""
    file = opened.snapshot.find_file(opened.ref_id, spec.path)
    if file is None or file.version_key is None or file.line_count is None:
        return None  # without a version of its own nothing is said of its lines
    if file.skip_reason is not None:
        return None
    from cruxe.engine.present import present_outline, present_symbols
    from cruxe.engine.texts import TextReader
    from cruxe.query.pick import symbols_of

    with TextReader(context, target, opened) as texts:
        text = texts.read(file.version_key, file.path)
    if text is None:
        raise FileNotFoundInRefError(f"{file.path} can no longer be read", data={"path": file.path})
    if text.changed is None:
        return None
    is_wanted = spec.language in (None, text.changed.language)
    stored = symbols_of(file.version_key, opened.snapshot) if is_wanted else []
    symbols = present_symbols(file.version_key, file.path, text.changed, stored)
    shown = present_outline(symbols, top_only=spec.top_only) if is_wanted else []
    count = len(shown) if spec.top_only or not is_wanted else len(symbols)
    return OutlineOutcome(file.path, text.changed.language, None, shown, count)
