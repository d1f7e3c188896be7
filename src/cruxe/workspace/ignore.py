"""Match paths against ignore files in .gitignore syntax, and name the rule that decides.

Matches as git does on a case-sensitive file system, except that `?` matches a character, not a
byte. All rules of a file become one regular expression without catastrophic backtracking. The
`pathspec` package is not used: importing it takes longer than listing a repository of 7,000 files.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from cruxe.model.source import ListedFile, SkipReason

GIT_IGNORE: Final = ".gitignore"
MAX_IGNORE_FILE_BYTES: Final = 262_144

_POSIX_CLASSES: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_NEVER: Final = "(?!)"
# Compiled at first use: most repositories have no `.cruxeignore`.
_PATTERN_PART: Final = (
    r"(?s)\\(?P<escaped>.)"
    r"|(?P<stars>\*+)"
    r"|(?P<any>\?)"
    r"|\[(?P<negated>[!^]?)(?P<members>\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]"
    r"|(?P<broken>\\$|\[)"
    r"|(?P<literal>.)"
)
_CLASS_MEMBER: Final = (
    r"(?s)\[:(?P<posix>[a-z]+):\]"
    r"|(?P<low>\\.|[^\\])-(?P<high>\\.|[^\\])"
    r"|(?P<single>\\.|[^\\])"
)


class IgnoreRule(NamedTuple):
    """One line of an ignore file."""

    source: str  # the path of the ignore file, relative to the workspace
    line: int
    pattern: str
    is_negated: bool

    def __str__(self) -> str:
        """Return the rule in the format of `git check-ignore --verbose`."""
        return f"{self.source}:{self.line}:{self.pattern}"


class IgnoreFile:
    """The rules of one ignore file, matched against paths relative to its folder."""

    def __init__(self, lines: Iterable[str], source: str) -> None:
        """Parse the rules; invalid lines are skipped, as in git."""
        self._rules: list[IgnoreRule] = []
        file_patterns: list[str] = []
        folder_patterns: list[str] = []
        for number, line in enumerate(lines, start=1):
            parsed = _parse_line(line)
            if parsed is None:
                continue
            self._rules.append(
                IgnoreRule(
                    source=source, line=number, pattern=line.strip(), is_negated=parsed.is_negated
                )
            )
            folder_patterns.append(f"({parsed.regex})")
            file_patterns.append(f"({_NEVER if parsed.is_folder_only else parsed.regex})")
        # The last matching rule decides, so the alternatives are in reverse order.
        self._rules.reverse()
        self._files = re.compile("|".join(reversed(file_patterns)) or _NEVER, re.DOTALL)
        self._folders = re.compile("|".join(reversed(folder_patterns)) or _NEVER, re.DOTALL)

    def match(self, relative_path: str, *, is_folder: bool) -> IgnoreRule | None:
        """Return the rule that decides for a path itself, without its parents, or None."""
        expression = self._folders if is_folder else self._files
        found = expression.fullmatch(relative_path)
        return None if found is None else self._rules[(found.lastindex or 1) - 1]


class IgnoreTree:
    """The ignore files of a tree; a deeper one overrides a higher one.

    A file in an ignored folder cannot be re-included by a rule for the file.
    """

    def __init__(self) -> None:
        """Create a tree without rules."""
        self._ignore_files: dict[str, IgnoreFile] = {}
        self._folder_rules: dict[str, IgnoreRule | None] = {}

    def add(self, folder: str, ignore_file: IgnoreFile) -> None:
        """Add the ignore file of a folder (`""` is the root), before paths below it are matched."""
        self._ignore_files[folder] = ignore_file

    def ignores(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether a path is ignored."""
        rule = self.deciding_rule(path, is_folder=is_folder)
        return rule is not None and not rule.is_negated

    def deciding_rule(self, path: str, *, is_folder: bool = False) -> IgnoreRule | None:
        """Return the rule that ignores or re-includes a path, or None, as for most paths."""
        parent = path.rpartition("/")[0]
        if parent:
            rule = self._rule_of_folder(parent)
            if rule is not None and not rule.is_negated:
                return rule
        return self._own_rule(path, is_folder=is_folder)

    def _rule_of_folder(self, folder: str) -> IgnoreRule | None:
        if folder not in self._folder_rules:
            self._folder_rules[folder] = self.deciding_rule(folder, is_folder=True)
        return self._folder_rules[folder]

    def _own_rule(self, path: str, *, is_folder: bool) -> IgnoreRule | None:
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            ignore_file = self._ignore_files.get(folder)
            if ignore_file is not None:
                relative = path[len(folder) + 1 :] if folder else path
                rule = ignore_file.match(relative, is_folder=is_folder)
                if rule is not None:
                    return rule
        return None


def parse_ignore_file(data: bytes, source: str) -> IgnoreFile:
    """Parse the content of an ignore file: UTF-8, with or without a byte order mark."""
    return IgnoreFile(data.decode("utf-8-sig", "replace").split("\n"), source)


def skip_ignored(files: list[ListedFile], ignore: IgnoreTree | None) -> list[ListedFile]:
    """Return the files with ignored ones marked `ignored`, in place of any other skip reason."""
    if ignore is None:
        return files
    return [
        file._replace(skip=SkipReason.IGNORED) if ignore.ignores(file.path) else file
        for file in files
    ]


class _ParsedLine(NamedTuple):
    regex: str
    is_negated: bool
    is_folder_only: bool


def _parse_line(line: str) -> _ParsedLine | None:
    pattern = line.removesuffix("\r")
    while pattern.endswith(" ") and not pattern.endswith("\\ "):
        pattern = pattern[:-1]
    if not pattern or pattern.startswith("#"):
        return None
    is_negated = pattern.startswith("!")
    pattern = pattern[is_negated:]
    is_folder_only = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    if "/" not in pattern:
        pattern = f"**/{pattern}"
    pattern = pattern.removeprefix("/")
    components = _split_components(pattern)
    if components is None or not components[-1]:
        return None
    return _ParsedLine(_path_regex(components), is_negated, is_folder_only)


def _split_components(pattern: str) -> list[list[re.Match[str]]] | None:
    """Split at the slashes; return None if a bracket or an escape is incomplete."""
    components: list[list[re.Match[str]]] = [[]]
    for token in re.finditer(_PATTERN_PART, pattern):
        if token["broken"]:
            return None
        if token["literal"] == "/":
            components.append([])
        else:
            components[-1].append(token)
    return components


def _path_regex(components: list[list[re.Match[str]]]) -> str:
    """Join the runs of components between `**`, which matches any number of folders.

    If any match of a run lets the rest match, the leftmost one does, so the runs are atomic.
    """
    runs: list[list[str]] = [[]]
    for component in components:
        if len(component) == 1 and component[0]["stars"] == "**":
            runs.append([])
        else:
            runs[-1].append(_component_regex(component))
    if len(runs) == 1:
        return "/".join(runs[0])
    start = "".join(f"{component}/" for component in runs[0])
    middle = "".join(f"(?>(?:[^/]+/)*?{'/'.join(run)}/)" for run in runs[1:-1] if run)
    end = "(?:.*/)?" + "/".join(runs[-1]) if runs[-1] else ".+"
    return start + middle + end


def _component_regex(tokens: list[re.Match[str]]) -> str:
    """Translate a pattern without slashes, atomic between its stars for the same reason."""
    pieces = [""]
    for token in tokens:
        if token["stars"]:
            pieces.append("")
        else:
            pieces[-1] += _character_regex(token)
    if len(pieces) == 1:
        return pieces[0]
    middle = "".join(f"(?>[^/]*?{piece})" for piece in pieces[1:-1])
    return f"{pieces[0]}{middle}[^/]*{pieces[-1]}"


def _character_regex(token: re.Match[str]) -> str:
    if token["any"]:
        return "[^/]"
    if token["members"] is not None:
        return _class_regex(token["members"], is_negated=bool(token["negated"]))
    return re.escape(token["escaped"] or token["literal"])


def _class_regex(members: str, *, is_negated: bool) -> str:
    parts: list[str] = []
    for member in re.finditer(_CLASS_MEMBER, members):
        if member["posix"]:
            parts.append(_POSIX_CLASSES.get(member["posix"], ""))
        elif member["single"]:
            parts.append(re.escape(member["single"][-1]))
        else:
            # For a reversed range, git takes the first end.
            low, high = member["low"][-1], member["high"][-1]
            parts.append(f"{re.escape(low)}-{re.escape(max(low, high))}")
    body = "".join(parts)
    if not body:
        return "[^/]" if is_negated else _NEVER
    return f"(?!/)[{'^' if is_negated else ''}{body}]"
