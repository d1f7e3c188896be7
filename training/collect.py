"""Archives to one file of pairs and one list of the packages they came from.

Both grow by what is new: a second run reads only archives that the first had not seen.
"""

import json
import os
import random
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from subprocess import CalledProcessError
from typing import Final, NamedTuple

from training.archives import find_archives, read_package
from training.mine import Pair, PairKind, mine_package

PAIRS_FILE: Final = "pairs.jsonl"
PACKAGES_FILE: Final = "packages.jsonl"
ARCHIVE_FOLDERS: Final = ("pypi", "npm", "debian", "debian_sources")
_BROKEN: Final = (tarfile.TarError, zipfile.BadZipFile, CalledProcessError, OSError, ValueError)


class PackageRow(NamedTuple):
    """An archive that was read, with what became of it."""

    archive: str
    registry: str = ""
    name: str = ""
    version: str = ""
    licence: str = ""  # empty: not accepted, nothing was taken
    digest: str = ""
    pairs: int = 0


def collect_pairs(work: str) -> None:
    """Mine all archives under a folder that were not mined before."""
    seen = {row.archive for row in read_packages(work)}
    archives = [path for path in _in_turn(work) if os.path.basename(path) not in seen]
    with (
        open(os.path.join(work, PAIRS_FILE), "a", encoding="utf-8") as pairs,
        open(os.path.join(work, PACKAGES_FILE), "a", encoding="utf-8") as packages,
    ):
        for number, archive in enumerate(archives):
            row, found = _mine(archive)
            pairs.writelines(json.dumps([row.archive, *pair]) + "\n" for pair in found)
            pairs.flush()  # before the package counts as read
            packages.write(json.dumps(row) + "\n")
            packages.flush()
            if number % 100 == 0:
                sys.stderr.write(f"{number} of {len(archives)} archives\n")


def read_packages(work: str) -> Iterator[PackageRow]:
    """What earlier runs read."""
    path = os.path.join(work, PACKAGES_FILE)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            yield from (PackageRow(*json.loads(line)) for line in file)


def read_pairs(work: str) -> Iterator[Pair]:
    """The pairs of all archives."""
    with open(os.path.join(work, PAIRS_FILE), encoding="utf-8") as file:
        for line in file:
            _, kind, *rest = json.loads(line)
            yield Pair(PairKind(kind), *rest)


def _in_turn(work: str) -> list[str]:
    """All archives, one of each family after the other: a part of them is a fair sample."""
    families: dict[str, list[str]] = {}
    for folder in ARCHIVE_FOLDERS:
        for path in find_archives(os.path.join(work, folder)):
            start = os.path.basename(path).partition("-")[0] if folder == "debian" else ""
            families.setdefault(folder + start, []).append(path)
    chance = random.Random(7)
    for paths in families.values():
        chance.shuffle(paths)
    rounds = zip_longest(*families.values())
    return [path for each in rounds for path in each if path]


def _mine(archive: str) -> tuple[PackageRow, list[Pair]]:
    row = PackageRow(os.path.basename(archive))
    try:
        package = read_package(archive)
    except _BROKEN as error:
        sys.stderr.write(f"{row.archive}: {error}\n")
        return row, []
    if package is None:
        return row, []
    pairs = mine_package(package)
    registry, name, version, licence, digest, _ = package
    return PackageRow(row.archive, registry, name, version, licence, digest, len(pairs)), pairs
