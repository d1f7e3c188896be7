"""Names to archives on disk: wheels from PyPI, tarballs from npm, packages and sources from Debian.

Each registry's own client downloads, as it is configured. Nothing is installed and no code of a
package is run: wheels only, `npm pack` without scripts, Debian archives unopened.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from training.exclusion import is_excluded_package

_SOURCES: Final = os.path.join(os.path.dirname(__file__), "sources")
_BATCH: Final = 20
_MEGABYTE: Final = 1_000_000


class Family(NamedTuple):
    """Debian binary packages that hold source text, by how their names start and end."""

    prefix: str
    suffix: str
    most: int  # packages taken, the largest first: they hold the documented libraries
    largest_bytes: int


FAMILIES: Final = (
    Family("golang-", "-dev", 900, 3 * _MEGABYTE),
    Family("librust-", "-dev", 800, 2 * _MEGABYTE),
    Family("ruby-", "", 600, _MEGABYTE),
    Family("php-", "", 350, 2 * _MEGABYTE),
    Family("lua-", "", 120, _MEGABYTE),
    Family("node-", "", 250, _MEGABYTE),
    Family("python3-", "", 500, _MEGABYTE),
)
# Sections of the source index that are one language each: Java, Haskell, C#.
SECTIONS: Final = (("java", 220), ("haskell", 260), ("cli-mono", 30))
_SMALLEST_BINARY: Final = 5_000
_LARGEST_SOURCE: Final = 4 * _MEGABYTE
_LARGEST_NAMED_SOURCE: Final = 120 * _MEGABYTE
_NO_TEXT: Final = re.compile(r"\+|-(dbg|doc|dbgsym|locale|l10n|all-dev|all)$")


def fetch_pypi(folder: str) -> None:
    """Download the newest wheel of each listed package."""
    command = ("pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", ".")
    _fetch_batches(command, listed("pypi.txt"), folder)


def fetch_npm(folder: str) -> None:
    """Download the newest tarball of each listed package."""
    command = ("npm", "pack", "--silent", "--ignore-scripts")
    _fetch_batches(command, listed("npm.txt"), folder)


def fetch_debian(folder: str) -> None:
    """Download the chosen binary packages."""
    _fetch_batches(("apt-get", "download", "-qq"), choose_binaries(_index("Packages")), folder)


def fetch_debian_sources(folder: str) -> None:
    """Download the chosen source packages: upstream's tarball and Debian's, with the copyright."""
    command = ("apt-get", "source", "--download-only", "-qq")
    _fetch_batches(command, choose_sources(_index("Sources")), folder)


def listed(name: str) -> list[str]:
    """The names in a list of `sources/`, without those that must stay out."""
    with open(os.path.join(_SOURCES, name), encoding="utf-8") as file:
        words = [word for line in file if not line.startswith("#") for word in line.split()]
    return [word for word in dict.fromkeys(words) if not is_excluded_package(word)]


def choose_binaries(index: str) -> list[str]:
    """Names from the index of binary packages: the largest of each family, within its bounds."""
    sizes = {each["Package"]: int(each["Size"]) for each in _paragraphs(index)}
    return [
        name
        for family in FAMILIES
        for name in sorted(
            (name for name in sizes if _belongs(name, sizes[name], family)),
            key=lambda name: (-sizes[name], name),
        )[: family.most]
    ]


def choose_sources(index: str) -> list[str]:
    """Names from the index of source packages: those listed, and the largest of two sections."""
    rows = {each["Package"]: each for each in _paragraphs(index)}
    sizes = {name: _upstream_bytes(row) for name, row in rows.items()}
    chosen = [
        name
        for name in listed("debian-sources.txt")
        if 0 < sizes.get(name, 0) <= _LARGEST_NAMED_SOURCE
    ]
    for section, most in SECTIONS:
        fitting = [
            name
            for name, row in rows.items()
            if row.get("Section") == section and 0 < sizes[name] <= _LARGEST_SOURCE
        ]
        chosen += sorted(fitting, key=lambda name: (-sizes[name], name))[:most]
    return [name for name in dict.fromkeys(chosen) if not is_excluded_package(name)]


def _belongs(name: str, size: int, family: Family) -> bool:
    return (
        name.startswith(family.prefix)
        and name.endswith(family.suffix)
        and _SMALLEST_BINARY <= size <= family.largest_bytes
        and not _NO_TEXT.search(name)
        and not is_excluded_package(name)
    )


def _index(kind: str) -> str:
    """One of apt's package indexes, as text."""
    lists = _output("apt-config", "shell", "DIR", "Dir::State::lists/d")
    folder = lists.partition("'")[2].rpartition("'")[0]
    names = sorted(name for name in os.listdir(folder) if "_main_" in name and kind in name)
    return "\n\n".join(
        _output("/usr/lib/apt/apt-helper", "cat-file", os.path.join(folder, name)) for name in names
    )


def _paragraphs(index: str) -> Iterator[dict[str, str]]:
    for paragraph in index.split("\n\n"):
        fields = re.split(r"\n(?=\S)", paragraph.strip())
        row = {name: value.strip() for name, _, value in (each.partition(":") for each in fields)}
        if "Package" in row:
            yield row


def _upstream_bytes(row: dict[str, str]) -> int:
    files = row.get("Checksums-Sha256", "").split("\n")
    return sum(int(each.split()[1]) for each in files if ".orig" in each and ".tar" in each)


def _fetch_batches(command: Sequence[str], names: list[str], folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for start in range(0, len(names), _BATCH):
        batch = names[start : start + _BATCH]
        if not _succeeds(command, batch, folder):
            for name in batch:  # one name that has nothing for us must not cost the others
                _succeeds(command, [name], folder)


def _succeeds(command: Sequence[str], names: list[str], folder: str) -> bool:
    return not subprocess.run(
        [*command, *names], cwd=folder, capture_output=True, check=False
    ).returncode


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
