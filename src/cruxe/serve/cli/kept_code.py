"""The compiled code of all modules that commands import, kept in one file.

Python looks for each module by itself: in its folder, at its source, at its compiled code. For the
hundred and more of a search that takes as long as starting the interpreter. Here they are found by
name in one file beside the package's other compiled code, each for as long as its source has the
stamps that it had. Whatever is missing or has changed is imported as ever, and the file is written
anew once the command has answered.
"""

import marshal
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Final, cast

_PACKAGE: Final = __name__.partition(".")[0]
_PACKAGE_FILE: Final = "__init__.py"
_LENGTH_BYTES: Final = 8
# Raised when the form of the file changes: one of another form has another name.
_FORM: Final = 1

_Source = tuple[str, int, int]  # a path below the package's folder, with its mtime and size
_Place = tuple[int, int]  # where behind the head the code of a module starts, and its length


class KeptCode:
    """Finds modules of the package by their names, in a file that it may also write."""

    def __init__(self, path: str, folder: str) -> None:
        """Read what a file holds of a package in a folder; a missing or damaged one is empty."""
        self._path = path
        self._folder = folder
        self._imported_before = frozenset(sys.modules)
        self._entries: Mapping[str, tuple[_Source, _Place]] = {}
        with suppress(OSError, EOFError, TypeError, ValueError):
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115 - until the process ends
            length = int.from_bytes(self._file.read(_LENGTH_BYTES), "little")
            self._entries = marshal.loads(self._file.read(length))  # noqa: S302 - written below
            self._head_bytes = _LENGTH_BYTES + length

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module whose source has not changed; any other is left to Python."""
        del path, target  # what a name means does not depend on them here
        entry = self._entries.get(name)
        if entry is None or not self._is_valid(entry[0]):
            return None
        source, place = entry
        origin = os.path.join(self._folder, source[0])
        loader = _KeptLoader(name, origin, self, place)
        spec = ModuleSpec(name, loader, origin=origin, is_package=origin.endswith(_PACKAGE_FILE))
        spec.has_location = True
        spec.cached = self._path
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(os.path.dirname(origin))
        return spec

    def read(self, place: _Place) -> bytes:
        """The compiled code at a place of the file."""
        self._file.seek(self._head_bytes + place[0])
        return self._file.read(place[1])

    def renew(self) -> None:
        """Write the file anew where something was imported that it lacks and that can be kept.

        Replaced as a whole: whoever has the one before it open reads on in that.
        """
        missing = [*filter(self._is_missing, tuple(sys.modules.items()))]
        if not missing or sys.dont_write_bytecode:
            return
        kept = {
            name: (source, self.read(place))
            for name, (source, place) in self._entries.items()
            if self._is_valid(source)
        }
        with suppress(OSError, ImportError, ValueError):
            found = {name: self._code_of(name, module) for name, module in missing}
            self._write(kept | found)

    def _is_missing(self, named: tuple[str, ModuleType]) -> bool:
        name, module = named
        is_ours = name.partition(".")[0] == _PACKAGE and name not in self._imported_before
        return is_ours and type(module.__loader__) is SourceFileLoader

    def _is_valid(self, source: _Source) -> bool:
        try:
            found = os.stat(os.path.join(self._folder, source[0]))
        except OSError:
            return False
        return (found.st_mtime_ns, found.st_size) == source[1:]

    def _code_of(self, name: str, module: ModuleType) -> tuple[_Source, bytes]:
        # The stamps first: code of a later source under them is not used again.
        loader = cast("SourceFileLoader", module.__loader__)
        path = os.path.relpath(loader.path, self._folder)
        found = os.stat(loader.path)
        source = path, found.st_mtime_ns, found.st_size
        return source, marshal.dumps(loader.get_code(name))

    def _write(self, codes: Mapping[str, tuple[_Source, bytes]]) -> None:
        entries: dict[str, tuple[_Source, _Place]] = {}
        start = 0
        for name, (source, code) in codes.items():
            entries[name] = source, (start, len(code))
            start += len(code)
        head = marshal.dumps(entries)
        draft = f"{self._path}.{os.getpid()}"
        with open(draft, "wb") as file:
            file.write(len(head).to_bytes(_LENGTH_BYTES, "little") + head)
            file.writelines(code for _, code in codes.values())
        os.replace(draft, self._path)


class _KeptLoader(SourceFileLoader):
    """Python's own loader but for where the code comes from."""

    def __init__(self, name: str, path: str, kept: KeptCode, place: _Place) -> None:
        super().__init__(name, path)
        self._kept = kept
        self._place = place

    def get_code(self, fullname: str) -> CodeType | None:
        """The code that is kept; where the file was damaged, that which Python has."""
        try:
            code = marshal.loads(self._kept.read(self._place))  # noqa: S302 - written above
        except (OSError, EOFError, TypeError, ValueError):
            return super().get_code(fullname)
        return cast("CodeType", code)


def use_kept_code() -> KeptCode:
    """Let modules of the package be found in its file from now on."""
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    tag = f"{sys.implementation.cache_tag}-{sys.hexversion:x}.{sys.flags.optimize}.{_FORM}"
    kept = KeptCode(os.path.join(folder, "__pycache__", f"kept-code.{tag}.pyc"), folder)
    sys.meta_path.insert(0, kept)
    return kept
