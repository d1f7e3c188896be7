"""Outlines as answers."""

from collections.abc import Callable

from cruxe.model.hits import OutlineNode, OutlineOutcome
from cruxe.respond.metadata import Metadata


def outline_answer(
    outcome: OutlineOutcome, metadata: Metadata, redacted: Callable[[str], str]
) -> dict[str, object]:
    """The answer of `get_file_outline`; `redacted` takes secrets out of a signature."""
    answer: dict[str, object] = {
        "file_path": outcome.path,
        "language": outcome.language,
        "symbols": [_outlined(node, redacted) for node in outcome.roots],
    }
    if outcome.skip_reason is not None:
        answer["skip_reason"] = outcome.skip_reason
    answer["metadata"] = {**metadata.to_mapping(), "symbol_count": outcome.symbol_count}
    return answer


def _outlined(root: OutlineNode, redacted: Callable[[str], str]) -> dict[str, object]:
    """One tree; built without recursion, since files nest as deep as they like."""
    answer: dict[str, object] = {}
    waiting: list[tuple[OutlineNode, dict[str, object]]] = [(root, answer)]
    while waiting:
        node, mapping = waiting.pop()
        row = node.row
        fields = row._replace(signature=redacted(row.signature))._asdict()
        mapping.update({key: value for key, value in fields.items() if value not in ("", None)})
        if node.children:
            children: list[dict[str, object]] = [{} for _ in node.children]
            mapping["children"] = children
            waiting.extend(zip(node.children, children, strict=True))
    return answer
