"""C++: namespaces, classes with access specifiers, out-of-line members, templates."""

import re
from typing import Final

from cruxe.parse.language import Language
from cruxe.parse.languages.cpp.rules import CppRules

# Text that no C header has at the start of a line. `extern "C"` and `__cplusplus` do not count: C
# headers use them to be included from C++.
_SIGNS: Final = re.compile(
    rb"^[ \t]*+(?:"
    rb"(?:inline[ \t]+)?namespace(?:[ \t]+[\w:]+)?\s*\{"
    rb"|template[ \t]*<"
    rb"|(?:class|struct)[ \t]+(?:[A-Z_0-9]+[ \t]+)?\w+(?:[ \t]+final)?\s*:[ \t]*\w"
    rb"|class[ \t]+(?:[A-Z_0-9]+[ \t]+)?\w+(?:[ \t]+final)?(?:[ \t]*;|\s*\{)"
    rb"|(?:public|private|protected)[ \t]*:"
    rb"|using[ \t]+(?:namespace\b|\w+[ \t]*=|\w+::)"
    rb"|(?:virtual|explicit)[ \t]+[\w:~<>*& \t]+\("
    rb"|constexpr[ \t]+\w"
    rb"|\#[ \t]*include[ \t]*<(?:\w+|[\w/]+\.(?:hpp|hh|hxx))>"
    rb")",
    re.MULTILINE,
)
_COMMENT: Final = re.compile(rb"/\*.*?\*/", re.DOTALL)
_HEAD_BYTES: Final = 65_536


def looks_like_cpp(data: bytes) -> bool:
    """Return whether a header is C++ rather than C, judged by its first part."""
    head = _COMMENT.sub(b"", data[:_HEAD_BYTES])
    return b"std::" in head or _SIGNS.search(head) is not None


LANGUAGE = Language(
    name="cpp",
    aliases=("c++",),
    extensions=(
        ".cpp",
        ".cc",
        ".cxx",
        ".c++",
        ".hpp",
        ".hh",
        ".hxx",
        ".h++",
        ".ipp",
        ".inl",
        ".tpp",
        ".cu",
        ".cuh",
        ".h",
    ),
    grammar="tree_sitter_cpp:language",
    separator="::",
    wrappers=frozenset({"friend_declaration", "linkage_specification", "template_declaration"}),
    rules=CppRules(),
    recognises=looks_like_cpp,
)
