"""What each word of a query looks like: a plain word, a name in code, a path, an address.

Every start of the command pays for what is made here: string methods come before expressions, a
literal type before an enumeration.
"""

import re
from typing import Final, Literal, NamedTuple

# A slashed word is a short path, or two words such as `client/server`.
WordKind = Literal["plain", "name", "path", "slashed", "url", "other"]


class QueryWord(NamedTuple):
    """A word of a query, without the punctuation around it."""

    text: str
    kind: WordKind


def word_set(words: str) -> frozenset[str]:
    """A set of words, written in one string."""
    return frozenset(words.split())


_AROUND: Final = "\"'`()[]{}<>,;:!?¿。？"  # noqa: RUF001 - so it is written in Chinese and Japanese
_NAME: Final = (
    r"[a-z][A-Z]|_|::|->|[^\W\d][.#][^\W\d]|[A-Za-z]\d|\d[A-Za-z]|\w[(\[<]"
    r"|[A-Z]{3,}[a-z]{2}|^[@$#%~-]+\w|\w-\w+-|^[A-Z]\w*-[A-Z]|^\w+/\d$"
)
# Longer words are data; looking at each of their characters would tell no more.
_MAX_CHARACTERS: Final = 200


def read_word(word: str, path_extensions: tuple[str, ...]) -> QueryWord:
    """Tell what a word looks like; `path_extensions` come with their dots, in lower case."""
    word = word[:_MAX_CHARACTERS]
    if word.isascii() and word.isalpha() and word.islower():  # most are
        return QueryWord(word, "path" if word in _FILE_NAMES else "plain")
    text = word.strip(_AROUND) or word
    return QueryWord(text, _kind(text, word, path_extensions))


def _kind(text: str, word: str, path_extensions: tuple[str, ...]) -> WordKind:
    if _is_url(text):
        return "url"
    if _is_path(text, path_extensions):
        return "path"
    if _is_name(word):
        return "name"
    if text.rstrip(".").replace("-", "").replace("'", "").isalpha():
        return "plain"
    return "slashed" if _slashes(text) else "other"


def _is_name(word: str) -> bool:
    return "_" in word or re.search(_NAME, word) is not None


_SCHEMES: Final = ("www.", "mailto:", "data:", "git@")
# Others, such as `io`, are as often the last part of a package's name.
_DOMAINS: Final = frozenset(("com", "org", "net", "edu", "gov"))


def _is_url(text: str) -> bool:
    if text.startswith(_SCHEMES) or text.find("://") > 0:
        return True
    host = text.partition("/")[0].partition(":")[0].partition("?")[0]
    name, _, domain = host.rpartition(".")
    return domain in _DOMAINS and name.replace("-", "").replace(".", "").isalnum()


_LINE_SUFFIX: Final = "0123456789:,L-#("  # `:12`, `#L3-L5`, `(3,5`
_ROOTS: Final = ("./", "../", "~/", ".\\", "..\\", "file:", "path:")
_AFTER_ROOT: Final = ("{", ":", ".")
_FOLDERS: Final = word_set(
    "src lib app test tests doc docs cmd pkg internal bin config include crates packages"
)
_GLOBS: Final = ("*.", "*/", "/*")
_MIN_SLASHES: Final = 2
# Beside the configured ones, which name the languages that are parsed.
_OTHER_EXTENSIONS: Final = word_set(
    ".md .rst .txt .toml .yaml .yml .json .xml .html .css .scss .less .svg .csv .ini .cfg"
    " .conf .sh .sql .proto .gradle .vue .svelte .kt .kts .cs .csproj .php .scala .lua .hpp"
    " .cc .cxx .hs .ex .exs .erl .clj .dart .zig .mod .so .exe .dll .erb .tf .ipynb .png .mjs"
)
_FILE_NAMES: Final = word_set(
    "makefile dockerfile gemfile podfile rakefile procfile jenkinsfile vagrantfile license"
    " cargo.lock yarn.lock go.sum"
)


def _is_path(text: str, path_extensions: tuple[str, ...]) -> bool:
    path = text.rstrip(_LINE_SUFFIX)
    dot = path.rfind(".")
    extension = path[dot:].lower() if dot > 0 else ""
    if extension in path_extensions or extension in _OTHER_EXTENSIONS:
        return "(" not in path
    return (
        path.lower() in _FILE_NAMES
        or any(glob in path for glob in _GLOBS)
        or _is_rooted(path)
        or _is_hidden_file(path)
        or _slashes(path) >= _MIN_SLASHES
    )


def _is_rooted(path: str) -> bool:
    if path.startswith(_ROOTS) or path[1:3] == ":\\":
        return True
    if path.startswith("/"):
        return path[1:2].isalnum() or path[1:2] in _AFTER_ROOT
    return "/" in path and path.partition("/")[0] in _FOLDERS


def _is_hidden_file(path: str) -> bool:
    return path.startswith(".") and path[1:2].islower() and path.replace(".", "").isalnum()


_NOT_IN_PATHS: Final = "<>()=;|\"'$"


def _slashes(path: str) -> int:
    """How many there are in what could be a path; a namespace's backslashes are none."""
    return 0 if any(mark in path for mark in _NOT_IN_PATHS) else path.count("/")
