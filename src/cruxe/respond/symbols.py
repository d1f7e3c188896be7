"""Located symbols and outlines as answers."""

from cruxe.model.hits import LocatedSymbol, LocateOutcome, OutlineNode, OutlineOutcome
from cruxe.model.identity import symbol_id_of
from cruxe.respond.metadata import Metadata


def located_answer(outcome: LocateOutcome, metadata: Metadata) -> dict[str, object]:
    """The answer of `locate_symbol`."""
    if len(outcome.located) < outcome.total:
        metadata = metadata.cut()
    answer: dict[str, object] = {
        "results": [_located(each) for each in outcome.located],
        "total_candidates": outcome.total,
    }
    if not outcome.located:
        answer["empty_reason"] = "filtered_out" if outcome.filtered_out else "no_match"
        if outcome.filtered_out:
            answer["filtered_out"] = outcome.filtered_out
    answer["metadata"] = metadata.to_mapping()
    return answer


def outline_answer(outcome: OutlineOutcome, metadata: Metadata) -> dict[str, object]:
    """The answer of `get_file_outline`."""
    answer: dict[str, object] = {
        "file_path": outcome.path,
        "language": outcome.language,
        "symbols": [_outlined(node) for node in outcome.roots],
    }
    if outcome.skip_reason is not None:
        answer["skip_reason"] = outcome.skip_reason
    answer["metadata"] = {**metadata.to_mapping(), "symbol_count": outcome.symbol_count}
    return answer


def _located(each: LocatedSymbol) -> dict[str, object]:
    symbol = each.symbol
    answer: dict[str, object] = {
        "path": symbol.path,
        "line_start": symbol.line_start,
        "line_end": symbol.line_end,
        "kind": symbol.kind,
        "name": symbol.name,
        "symbol_id": symbol_id_of(symbol.version_key, symbol.ordinal),
        "symbol_stable_id": symbol.stable_id,
        "qualified_name": symbol.qualified_name,
        "signature": symbol.signature,
        "language": symbol.language,
        "visibility": symbol.visibility,
        "match": each.tier.value,
    }
    return {key: value for key, value in answer.items() if value != ""}


def _outlined(root: OutlineNode) -> dict[str, object]:
    """One tree; built without recursion, since files nest as deep as they like."""
    answer: dict[str, object] = {}
    waiting: list[tuple[OutlineNode, dict[str, object]]] = [(root, answer)]
    while waiting:
        node, mapping = waiting.pop()
        fields = node.row._asdict()
        mapping.update({key: value for key, value in fields.items() if value not in ("", None)})
        if node.children:
            children: list[dict[str, object]] = [{} for _ in node.children]
            mapping["children"] = children
            waiting.extend(zip(node.children, children, strict=True))
    return answer
