"""The lines of results about the code: one line a result, then what it shows of the file.

What follows from the rest of a line is left out: the language from the path, the name from the
qualified name, a signature that only repeats it. Scores and handles are shown with an explanation.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from cruxe.respond.text_form.notation import (
    block,
    detail,
    flat,
    heading,
    line_range,
    one_line,
    pairs,
    place,
    qualified,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cruxe.contract.ranking_parts import ExplainedRegion, RankingReason, SignalContribution
    from cruxe.contract.result_parts import (
        LocateResultItem,
        OutlineSymbol,
        SearchResultItem,
        SymbolLocation,
        TextMatch,
    )
    from cruxe.contract.results import (
        ExplainRankingResult,
        GetFileOutlineResult,
        LocateSymbolResult,
        ReadSymbolResult,
        SearchCodeResult,
        SearchTextResult,
    )

    Item = SearchResultItem | LocateResultItem

_INDENT: Final = "  "
# What the line of a result says already, or the closing line.
_HANDLES: Final = ("score", "result_id", "symbol_id", "symbol_stable_id")
_NOT_FACTORS: Final = ("result_index", "contributions")
_TOLD_APART: Final = frozenset(
    {"query", "result", "scoring", "beaten_by", "metadata", "suggested_next_actions", "skip_reason"}
)
_ACCOUNTING: Final = "signal_accounting"
_AS_ASKED: Final = ("exact", "qualified")


def search_lines(answer: "SearchCodeResult") -> Iterator[str]:
    """Yield the results of `search_code`, then the groups and statistics that were asked for."""
    reasons = answer["metadata"].get("ranking_reasons", [])
    for number, item in enumerate(answer["results"]):
        yield _head(item)
        yield from _shown_text(item)
        if item.get("provenance") == "semantic":
            yield detail("provenance", "semantic")
        if "also_at" in item:
            yield detail("also_at", " ".join(map(word, item["also_at"])))
        yield from _details(item)
        yield from _reason(item, reasons[number : number + 1])
    for group in answer["bundles"]["groups"] if "bundles" in answer else []:
        numbers = ",".join(str(hit["index"]) for hit in group["hits"])
        yield detail("bundle", f"{word(group['file'] or group['bundleId'])} {numbers}")
    for name, part in answer["stats"].items() if "stats" in answer else ():
        yield detail(name, flat(part))


def located_lines(answer: "LocateSymbolResult") -> Iterator[str]:
    """Yield the results of `locate_symbol`."""
    reasons = answer["metadata"].get("ranking_reasons", [])
    for number, item in enumerate(answer["results"]):
        yield _head(item)
        yield from _shown_text(item)
        if item.get("match", "exact") not in _AS_ASKED:
            yield detail("match", item.get("match", ""))
        yield from _details(item)
        yield from _reason(item, reasons[number : number + 1])


def source_lines(answer: "ReadSymbolResult") -> Iterator[str]:
    """Yield a line for the region, then its source as it stands in the file.

    Where the end is left out, the lines are `12-40/90`: those shown, and the last of the region.
    A doc comment outside the region comes after its source.
    """
    first, last = answer["line_start"], answer["line_end"]
    shown = last - answer.get("omitted_lines", 0)
    region = place(answer["path"], first, shown) + (f"/{last}" if shown < last else "")
    name = answer.get("qualified_name", "")
    named = qualified(name, answer["path"]) if name else ""
    yield " ".join(filter(None, (region, answer.get("kind", ""), named)))
    yield answer["source"]
    doc = answer.get("doc", "").strip().split("\n")
    if doc[0].strip() not in answer["source"]:
        yield f"{_INDENT}doc:"
        yield from block(doc)


def outline_lines(answer: "GetFileOutlineResult") -> Iterator[str]:
    """Yield the file, then a line for each symbol, indented below the one it is in.

    A signature that holds the name stands for it.
    """
    module = f"module {word(answer['module'])}" if "module" in answer else ""
    yield " ".join(filter(None, (word(answer["file_path"]), answer["language"], module)))
    waiting = [(symbol, "") for symbol in reversed(answer["symbols"])]
    while waiting:
        symbol, indent = waiting.pop()
        yield indent + _outlined(symbol)
        inside = indent + _INDENT
        if "flags" in symbol:
            yield f"{inside}flags: {' '.join(symbol['flags'])}"
        if "omitted" in symbol:
            yield f"{inside}omitted: {symbol['omitted']}"
        waiting.extend((child, inside) for child in reversed(symbol.get("children", [])))


def match_lines(answer: "SearchTextResult") -> Iterator[str]:
    """Yield each file with its lines below it: `12:` before a match, `13-` before one around it."""
    path, told = None, 0
    results = answer["results"]
    own = {(each["path"], each["line"]) for each in results}
    for each in results:
        if each["path"] != path:
            path, told = each["path"], 0
            yield heading(path)
        for number, mark, text in _around(each):
            if number <= told:
                continue
            if mark != ":" and (path, number) in own:
                break  # the next match tells this line and those after it
            told = number
            yield f"{number}{mark}{text}"
        if "flags" in each:
            yield detail("flags", " ".join(each["flags"]))


def explained_lines(answer: "ExplainRankingResult") -> Iterator[str]:
    """Yield the region with its rank, the parts of its score, and what beat it."""
    yield _region(answer["result"])
    for name, value in answer.items():
        if name not in _TOLD_APART:
            yield detail(name, flat(value))
    if "scoring" in answer:
        factors = {name: value for name, value in answer["scoring"].items() if name != _ACCOUNTING}
        yield detail("scoring", pairs(factors))
        yield from map(_signal, answer["scoring"]["signal_accounting"])
    for rival in answer.get("beaten_by", []):
        yield _region(rival)
        signals = {each["signal"]: each["difference"] for each in rival["signals"]}
        ahead = {"rank": rival["rank"], "score": rival["score"], "ahead_by": rival["ahead_by"]}
        yield detail("why", pairs({**ahead, **signals}))


def _head(item: "Item") -> str:
    region = place(item["path"], item["line_start"], item["line_end"])
    if "kind" not in item or "name" not in item:
        return region
    name = item.get("qualified_name", item["name"])
    signature = one_line(item.get("signature", ""))
    shown = "" if signature in (name, item["name"]) else signature
    is_shortened = "qualified_name" in item and "symbol_id" not in item  # of a compact result
    named = word(name) if is_shortened else qualified(name, item["path"])
    return " ".join(filter(None, (region, item["kind"], named, shown)))


def _shown_text(item: "Item") -> Iterator[str]:
    """Yield the text of a result: its preview, then the lines of the snippet that are not in it."""
    snippet = item.get("snippet")
    shown = item["body_preview"].split("\n") if "body_preview" in item else []
    further = snippet.split("\n") if isinstance(snippet, str) else []
    return block([*shown, *(line for line in further if line not in shown)])


def _details(item: "Item") -> Iterator[str]:
    if "parent" in item:
        yield detail("parent", _located(item["parent"], item["path"]))
    if "related_symbols" in item:
        around = [_located(each, item["path"]) for each in item["related_symbols"]]
        yield detail("related", ", ".join(around))
    if "flags" in item:
        yield detail("flags", " ".join(item["flags"]))


def _located(symbol: "SymbolLocation", path: str) -> str:
    """Return a symbol that is only named; the path only if it is another."""
    file = "" if symbol["path"] == path else word(symbol["path"])
    return f"{file}:{symbol['line']} {symbol['kind']} {word(symbol['name'])}"


def _reason(item: "Item", reasons: "Sequence[RankingReason]") -> Iterator[str]:
    """Yield score, handles and the parts of the score of an explained result."""
    for reason in reasons:
        fields: Mapping[str, object] = {**item}
        yield detail("id", pairs({name: fields[name] for name in _HANDLES if name in fields}))
        parts = {name: part for name, part in reason.items() if name not in _NOT_FACTORS and part}
        yield detail("why", pairs(parts))
        yield from map(_signal, reason.get("contributions", []))


def _signal(contribution: "SignalContribution") -> str:
    numbers = {name: part for name, part in contribution.items() if name != "signal"}
    return detail("signal", f"{contribution['signal']} {pairs(numbers)}")


def _outlined(symbol: "OutlineSymbol") -> str:
    name, signature = symbol["name"], one_line(symbol.get("signature", ""))
    shown = signature if name in signature else f"{word(name)} {signature}".rstrip()
    visibility = symbol.get("visibility", "")
    lines = line_range(symbol["line_start"], symbol["line_end"])
    return " ".join(filter(None, (lines, visibility, symbol["kind"], shown)))


def _around(match: "TextMatch") -> Iterator[tuple[int, str, str]]:
    """Yield the line of a match and those around it, each with its number and mark."""
    before, line = match.get("before", []), match["line"]
    for number, text in enumerate(before, line - len(before)):
        yield number, "-", text
    yield line, ":", match["text"]
    for number, text in enumerate(match.get("after", []), line + 1):
        yield number, "-", text


def _region(region: "ExplainedRegion") -> str:
    first = region["line_start"]
    lines = place(region["path"], first, region.get("line_end", first))
    name = region.get("qualified_name", "")
    named = qualified(name, region["path"]) if name else ""
    return " ".join(filter(None, (lines, region.get("kind", ""), named)))
