"""Source files garbled by chance, the same ones each time, and a program that parses many.

    python -m tests.support.garbling LANGUAGE SEED COUNT

prints the number of each file before it is parsed, so that one that ends or stops the process is
known, and each thing that cannot be true of a file.
"""

import os
import random
import sys
from typing import Final

from benchmarks.suites.quality.parsing.invariants import misfits
from cruxe.parse.extract import parse_source
from cruxe.parse.language import Language
from cruxe.parse.languages import PLAIN_TEXT, registry
from cruxe.parse.source_text import SourceText
from cruxe.workspace.decode import decode_text

FIXTURES: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "fixtures", "languages")
LANGUAGES: Final = {language.name: language for language in (*registry().languages, PLAIN_TEXT)}
MAX_NODES: Final = 2_000_000
_MARKS: Final = (b"{", b"}", b"(", b"[", b'"', b"'", b"/*", b"\n", b"`", b"<", b"#", b"\t", b"end")


def main() -> None:
    """Parse as many garbled files as the command line says."""
    name, seed, count = sys.argv[1:]
    for number, data in enumerate(garbled_files(name, seed, int(count))):
        _tell(str(number))
        for misfit in parse_misfits(data, LANGUAGES[name]):
            _tell(f"{number}: {misfit}")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def fixture_paths() -> list[str]:
    """Every fixture file as `language/path`."""
    found: list[str] = []
    for folder, _, names in os.walk(FIXTURES):
        found.extend(os.path.relpath(os.path.join(folder, name), FIXTURES) for name in names)
    return sorted(path.replace(os.sep, "/") for path in found)


def read_fixture(path: str) -> bytes:
    """The bytes of a fixture."""
    with open(os.path.join(FIXTURES, path), "rb") as file:
        return file.read()


def parse_misfits(data: bytes, language: Language, path: str = "some/place.x") -> list[str]:
    """Parse bytes as the indexer does; what cannot be true of what came out."""
    source = SourceText(path, decode_text(data).utf8)
    return misfits(source, parse_source(source, language, MAX_NODES))


def garbled_files(name: str, seed: str, count: int) -> list[bytes]:
    """Garbled fixtures of a language."""
    chance = random.Random(f"{name} {seed}")  # noqa: S311 - no secret
    originals = _fixtures_of(LANGUAGES[name])
    return [_garble(chance, originals) for _ in range(count)]


def _fixtures_of(language: Language) -> list[bytes]:
    files = {path: read_fixture(path) for path in fixture_paths()}
    found = [
        data
        for path, data in files.items()
        if registry().detect(path.partition("/")[2], data).name == language.name
    ]
    return found or [b"def f():\n    return 1\n"]


def _garble(chance: random.Random, originals: list[bytes]) -> bytes:
    """Cut a file short, splice it, double, drop or shuffle its lines, flip and strew bytes."""
    data = bytearray(chance.choice(originals))
    for _ in range(chance.randint(1, 3)):
        place = chance.randint(0, len(data))
        match chance.randrange(7):
            case 0:
                del data[place:]
            case 1:
                other = chance.choice(originals)
                start = chance.randint(0, len(other))
                data[place:place] = other[start : start + chance.randint(0, 400)]
            case 2:
                del data[place : place + chance.randint(1, 60)]
            case 3:
                data[place:place] = chance.randbytes(chance.randint(1, 8))
            case 4:
                data[place:place] = chance.choice(_MARKS)
            case 5:
                for flipped in chance.choices(range(len(data)), k=4) if data else []:
                    data[flipped] ^= 1 << chance.randrange(8)
            case _:
                lines = bytes(data).splitlines(keepends=True)
                chance.shuffle(lines)
                data = bytearray(b"".join(lines))
    return bytes(data)


if __name__ == "__main__":
    main()
