"""Answering `get_file_outline`."""

from cruxe.engine.context import RepositoryContext
from cruxe.engine.freshness import FreshnessCheck
from cruxe.engine.targets import Target
from cruxe.model.specs import OutlineSpec
from cruxe.query.opened import OpenedRef
from cruxe.query.outline import outline
from cruxe.respond.metadata import Metadata
from cruxe.respond.signatures import redacted_signature
from cruxe.respond.symbols import outline_answer

Answer = dict[str, object]


def get_file_outline(
    context: RepositoryContext,
    target: Target,
    opened: OpenedRef,
    check: FreshnessCheck,
    spec: OutlineSpec,
) -> Answer:
    """Outline a file of an opened ref and write the answer."""
    outcome = outline(spec, opened.snapshot, opened.ref_id)
    is_fresh = check.is_fresh(opened.snapshot)
    metadata = Metadata.ready(target.shown, is_fresh=is_fresh, basis=check.basis)
    security = context.settings.security
    return outline_answer(
        outcome, metadata, lambda signature: redacted_signature(signature, security)
    )
