"""What Cruxe extracts from each language, derived from its queries and rules instead of a table.

Loads no grammar: the capture names of the query file tell what is found. For a language that
reads its text itself, the capture names in its Python code do.
"""

import os.path
import re
from typing import Final, NamedTuple

from cruxe.model.symbols import SiteKind
from cruxe.parse.language import Language, Rules
from cruxe.parse.languages import folder_of, query_text, registry

_DEFINITION: Final = "definition."
_INHERITANCE: Final = frozenset({SiteKind.EXTENDS.value, SiteKind.IMPLEMENTS.value})
# Comments and strings may contain text that looks like a capture.
_NO_CAPTURE: Final = re.compile(r';[^\n]*|"(?:[^"\\]|\\.)*"')
_CAPTURE: Final = re.compile(r"@([\w.]+)")
_WRITTEN: Final = re.compile(
    r"\"(definition\.|call\"|reference\"|extends\"|implements\"|import\"|comment\")"
    r"|\b(qualifier)="
)
# The same for languages that return an `Outline`.
_OUTLINED: Final = re.compile(r"\bSiteKind\.([A-Z]+)|\b(Import)\(|\.(comment)s\b")


class Capabilities(NamedTuple):
    """What Cruxe finds in the files of one language."""

    language: str
    symbols: bool
    docs: bool  # doc comments or doc strings of symbols
    visibility: bool  # by the language's rules; otherwise every symbol is public
    calls: bool
    references: bool
    receivers: bool  # what a call or reference is made on, as written
    imports: bool
    inheritance: bool


def list_capabilities() -> list[Capabilities]:
    """Return the capabilities of every language, sorted by language name."""
    return [capabilities_of(language) for language in registry().languages]


def capabilities_of(language: Language) -> Capabilities:
    """Return what one language's queries and rules extract."""
    captures, is_outlined = _captures(language), _overrides(language.rules, "outline")
    has_symbols = is_outlined or any(name.startswith(_DEFINITION) for name in captures)
    has_docs = "comment" in captures or _overrides(language.rules, "doc")
    return Capabilities(
        language=language.name,
        symbols=has_symbols,
        docs=has_symbols and has_docs,
        visibility=has_symbols and _overrides(language.rules, "visibility", "visibility_of"),
        calls=SiteKind.CALL.value in captures,
        references=SiteKind.REFERENCE.value in captures,
        receivers="qualifier" in captures,
        imports="import" in captures and (is_outlined or _overrides(language.rules, "imports")),
        inheritance=not _INHERITANCE.isdisjoint(captures),
    )


def _captures(language: Language) -> set[str]:
    found: set[str] = set()
    if language.grammar:
        found.update(_CAPTURE.findall(_NO_CAPTURE.sub("", query_text(language))))
    if _overrides(language.rules, "read"):
        for captured, qualifier in _WRITTEN.findall(_code_of(language)):
            found.add(qualifier or captured.rstrip('"'))
    if _overrides(language.rules, "outline"):
        for told in _OUTLINED.findall(_code_of(language)):
            found.add("".join(told).lower())
    return found


def _code_of(language: Language) -> str:
    folder = folder_of(language)
    texts: list[str] = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts.append(file.read())
    return "\n".join(texts)


def _overrides(rules: Rules, *methods: str) -> bool:
    return any(getattr(type(rules), method) is not getattr(Rules, method) for method in methods)
