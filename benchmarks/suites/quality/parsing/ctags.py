"""Definitions as universal-ctags sees them. It is found on PATH and asked for one language."""

import shutil
import subprocess
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from benchmarks.harness.processes import clean_environment

_PROGRAM: Final = "ctags"
ABSENCE: Final = (
    "No recall: there is no universal-ctags with JSON output on PATH"
    " (packages call it universal-ctags)."
)


class Tag(NamedTuple):
    """One definition."""

    path: str
    name: str
    line: int
    kind: str
    scope: str  # names around it, empty at top level
    scope_kind: str


class _Line(msgspec.Struct, rename={"record_type": "_type", "scope_kind": "scopeKind"}):
    record_type: str
    name: str = ""
    path: str = ""
    line: int = 0
    kind: str = ""
    scope: str = ""
    scope_kind: str = ""


def find_ctags() -> str | None:
    """The version of the program, if it is there and can write what we read."""
    if shutil.which(_PROGRAM) is None:
        return None
    said = _ctags(["--version"], b"").decode("utf-8", "replace")
    is_able = said.startswith("Universal Ctags") and "+json" in said
    return said.partition(",")[0] if is_able else None


def read_tags(root: str, paths: Iterable[str], language: str) -> list[Tag]:
    """The definitions in files below a root, all taken for the language that ctags names so."""
    options = [
        "--options=NONE",
        "--quiet=yes",
        "--output-format=json",
        "--fields=NFKnzsZ",
        "--sort=no",
        f"--language-force={language}",
    ]
    listing = "\n".join(paths).encode()
    output = _ctags([*options, "-L", "-", "-f", "-"], listing, root)
    return [tag for line in output.splitlines() if (tag := _tag(line)) is not None]


def _tag(line: bytes) -> Tag | None:
    # Names are cut from sources in any encoding.
    text = line.decode("utf-8", "replace").encode()
    found = msgspec.json.decode(text, type=_Line)
    if found.record_type != "tag":
        return None
    return Tag(found.path, found.name, found.line, found.kind, found.scope, found.scope_kind)


def _ctags(arguments: list[str], listing: bytes, root: str = ".") -> bytes:
    return subprocess.run(
        [_PROGRAM, *arguments],
        cwd=root,
        env=clean_environment(),
        input=listing,
        check=True,
        capture_output=True,
    ).stdout
