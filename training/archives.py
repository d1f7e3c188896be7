"""An archive to the source files in it that may be used, with the licence they come under."""

import hashlib
import io
import json
import os
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from email.parser import HeaderParser
from typing import Final, NamedTuple

from cruxe.text.paths import BUILD_FOLDERS, VENDORED_FOLDERS
from training.exclusion import is_excluded_package, is_excluded_path
from training.licences import accepted_licence, licence_of_all, licence_of_file, read_copyright

# Larger files give few pairs for the time that they take.
_LARGEST_FILE: Final = 48_000
_SMALLEST_FILE: Final = 100
# Larger archives of these hold binaries.
_LARGEST_BINARY_ARCHIVE: Final = 20_000_000
_MOST_MEMBERS: Final = 60_000
# Copies of other projects, output of tools, and texts that are not about code.
_LEFT_OUT: Final = re.compile(
    rf"(^|/)({'|'.join(sorted(VENDORED_FOLDERS | BUILD_FOLDERS))}|umd|bundles?|locales?|i18n"
    r"|generated|fixtures?|testdata|debian|thirdparty|_vendor|_?vendored|external|extern"
    r"|__pycache__)/"
    r"|\.min\.|\.d\.ts$|_pb2|\.pb\.|generated|\.designer\.",
    re.IGNORECASE,
)
_READ: Final = re.compile(
    r"\.(py|[cm]?jsx?|[cm]?tsx?|go|rs|java|c|h|cc|cpp|cxx|hpp|hh|rb|php|lua|hs|scala|kts?|swift"
    r"|cs|exs?|sh|bash|zig)$|(^|/)readme[^/]*$",
    re.IGNORECASE,
)
# Where npm and Debian put what a repository has at its top.
_INSTALLED: Final = re.compile(
    r"^\./?|^usr/(share|lib)/[^/]+/|^package/|^(vendor_ruby|dist-packages|all)/|^\d+(\.\d+)*/"
    r"|^(registry|gems)/[^/]+/|^rubygems-integration/|^src/[a-z]+\.[a-z]+/[^/]+/[^/]+/"
)


class Package(NamedTuple):
    """What one archive gives."""

    registry: str
    name: str
    version: str
    licence: str
    digest: str  # SHA-256 of the archive
    files: tuple[tuple[str, bytes], ...]


class _Claim(NamedTuple):
    """What an archive says of itself."""

    name: str
    version: str
    licence: str | None


def read_package(path: str) -> Package | None:
    """Open an archive; nothing if its licence is not accepted or its project must stay out."""
    if path.endswith(".whl"):
        registry, claim, files = "pypi", *_read_wheel(path)
    elif path.endswith(".tgz"):
        registry, claim, files = "npm", *_read_npm(path)
    elif path.endswith(".deb"):
        registry, claim, files = "debian", *_read_deb(path)
    else:
        registry, claim, files = "debian-source", *_read_source(path)
    if not claim.licence or not files or is_excluded_package(claim.name):
        return None
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Package(registry, claim.name, claim.version, claim.licence, digest, tuple(files))


def _read_wheel(path: str) -> tuple[_Claim, list[tuple[str, bytes]]]:
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        metadata = next(each for each in members if each.filename.endswith(".dist-info/METADATA"))
        headers = HeaderParser().parsestr(archive.read(metadata).decode("utf-8", "replace"))
        files = [
            (each.filename, archive.read(each))
            for each in members
            if _is_wanted(each.filename, each.file_size)
        ]
    stated = [str(headers.get("License-Expression") or ""), str(headers.get("License") or "")]
    classifiers = [str(each) for each in headers.get_all("Classifier", [])]
    stated += [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::")]
    body = headers.get_payload()
    if isinstance(body, str) and body:
        files.append(("README.md", body.encode()))
    licence = next(filter(None, map(accepted_licence, stated)), None)
    if any(
        re.search(r"\bL?GPL|General Public|MPL|Mozilla", each) for each in stated[:1] + stated[2:]
    ):
        licence = accepted_licence(stated[0]) if stated[0] else None
    return _Claim(str(headers["Name"]), str(headers["Version"]), licence), files


def _read_npm(path: str) -> tuple[_Claim, list[tuple[str, bytes]]]:
    with tarfile.open(path) as archive:
        wanted = _members(
            archive, lambda name: name.count("/") == 1 and name.endswith("package.json")
        )
    manifests = [data for name, data in wanted if name.endswith("package.json")]
    stated: dict[str, object] = json.loads(manifests[0])
    licence = stated.get("license")
    claim = _Claim(
        str(stated["name"]),
        str(stated["version"]),
        accepted_licence(licence) if isinstance(licence, str) else None,
    )
    return claim, [each for each in wanted if not each[0].endswith("package.json")]


def _read_deb(path: str) -> tuple[_Claim, list[tuple[str, bytes]]]:
    name, version, _ = os.path.basename(path).split("_")
    unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(unpacked.stdout)) as archive:
        place = f"/usr/share/doc/{name}/copyright"
        found = _members(archive, lambda member: member.endswith(place))
    texts = [data for member, data in found if member.endswith("/copyright")]
    licence = licence_of_all(read_copyright(texts[0].decode("utf-8", "replace"))) if texts else None
    files = [each for each in found if not each[0].endswith("/copyright")]
    return _Claim(name, version.replace("%3a", ":"), licence), files


def _read_source(path: str) -> tuple[_Claim, list[tuple[str, bytes]]]:
    """An upstream tarball; the packaging beside it says which file has which licence."""
    name, version = os.path.basename(path).split(".orig")[0].split("_", 1)
    rules = read_copyright(_copyright_beside(path, name))
    with tarfile.open(path) as archive:
        found = _members(archive, lambda _: False)
    licences = {member: licence_of_file(member.partition("/")[2], rules) for member, _ in found}
    named = {part for licence in licences.values() if licence for part in licence.split(" AND ")}
    files = [(member.partition("/")[2], data) for member, data in found if licences[member]]
    return _Claim(name, version, " AND ".join(sorted(named)) or None), files


def _copyright_beside(path: str, name: str) -> str:
    folder = os.path.dirname(path)
    for other in sorted(os.listdir(folder)):
        if other.startswith(f"{name}_") and ".debian.tar" in other:
            with tarfile.open(os.path.join(folder, other)) as archive:
                for member in archive:
                    file = (
                        archive.extractfile(member) if member.name == "debian/copyright" else None
                    )
                    if file:
                        return file.read().decode("utf-8", "replace")
    return ""


def _members(archive: tarfile.TarFile, also: Callable[[str], bool]) -> list[tuple[str, bytes]]:
    """Files to read from a tarball, and others that are asked for; links are not followed."""
    found: list[tuple[str, bytes]] = []
    for number, member in enumerate(archive):
        if number > _MOST_MEMBERS:
            break
        if not member.isfile():
            continue
        name = member.name.removeprefix(".")
        if also(name) or _is_wanted(name, member.size):
            file = archive.extractfile(member)
            if file:
                found.append((name, file.read()))
    return found


def _is_wanted(name: str, size: int) -> bool:
    return (
        _SMALLEST_FILE < size <= _LARGEST_FILE
        and bool(_READ.search(name))
        and not _LEFT_OUT.search(name)
        and not is_excluded_path(name)
    )


def plain_path(name: str) -> str:
    """A path as a repository would have it, without where the archive or Debian puts it."""
    name = name.lstrip("/")
    while (shorter := _INSTALLED.sub("", name)) != name:
        name = shorter
    return name


def find_archives(folder: str) -> Iterator[str]:
    """The archives in a folder, in order; none if there is no such folder."""
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        if name.endswith((".whl", ".tgz", ".deb")):
            if os.path.getsize(path) <= _LARGEST_BINARY_ARCHIVE:
                yield path
        elif re.search(r"\.orig\.tar\.(gz|xz|bz2)$", name):
            yield path
