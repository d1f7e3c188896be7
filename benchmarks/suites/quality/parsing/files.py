"""The files of a checkout that Cruxe would parse, each with its language and its text."""

import os
import subprocess
from typing import NamedTuple

from benchmarks.harness.processes import clean_environment
from cruxe.model.source import DiscoveryRules
from cruxe.parse.language import Language
from cruxe.parse.languages import registry
from cruxe.workspace.classify import classify_content
from cruxe.workspace.decode import decode_text


class CorpusFile(NamedTuple):
    """A file in memory, so that no measurement waits for the disk."""

    path: str
    language: Language
    data: bytes  # UTF-8, as the parser takes it


def read_files(root: str, pathspecs: tuple[str, ...] = ()) -> list[CorpusFile]:
    """Read what git tracks, by path; binary, minified and huge files are left out."""
    files = (_read(root, path) for path in _tracked(root, pathspecs))
    return [file for file in files if file is not None]


def _tracked(root: str, pathspecs: tuple[str, ...]) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *pathspecs],
        cwd=root,
        env=clean_environment(),
        check=True,
        capture_output=True,
    ).stdout
    return sorted({path.decode("utf-8", "replace") for path in listed.split(b"\0") if path})


def _read(root: str, path: str) -> CorpusFile | None:
    full_path = os.path.join(root, path)
    if os.path.islink(full_path) or not os.path.isfile(full_path):
        return None
    with open(full_path, "rb") as file:
        data = file.read(DiscoveryRules().max_file_bytes + 1)
    if len(data) > DiscoveryRules().max_file_bytes:
        return None
    if classify_content(path, data, include_generated=True) is not None:
        return None
    text = decode_text(data).utf8
    return CorpusFile(path, registry().detect(path, text), text)
