"""Settings from TOML files; a layer without a file gives nothing.

The user's own files must be readable: skipping one would silently drop the safety settings in it,
so a broken one is an error. A repository's file comes from strangers: a broken or hostile one is a
notice and an empty layer, for no repository may stop the tool from working in it.
"""

import os.path
from typing import Final

from cruxe.config.canonical_keys import Collected, collect_table
from cruxe.config.provenance import Layer, Notice, Origin
from cruxe.config.report import shortened
from cruxe.model.errors import InvalidInputError

MAX_REPOSITORY_FILE_BYTES: Final = 65_536
# The TOML parser is quadratic in the parts of a dotted key: 16,000 of them take five seconds.
MAX_POINTS_A_LINE: Final = 64


def collect_home_file(path: str | None) -> Collected:
    """Gather the entries of the user's own file."""
    return _collect_own_file(Origin(Layer.HOME, path)) if path else Collected()


def collect_chosen_file(path: str | None) -> Collected:
    """Gather the entries of the file that was given with `--config`."""
    return _collect_own_file(Origin(Layer.CONFIG_FILE, path)) if path else Collected()


def collect_repository_file(path: str | None) -> Collected:
    """Gather the entries of a repository's file; never fails."""
    if not path:
        return Collected()
    origin = Origin(Layer.REPOSITORY, path)
    try:
        return collect_table(_parse(_read_guarded(path)), origin)
    except OSError as error:
        return _ignored(error.strerror or str(error), origin)
    except (ValueError, RecursionError) as error:
        return _ignored(_reason(error), origin)


def _collect_own_file(origin: Origin) -> Collected:
    path = origin.source
    try:
        return collect_table(_parse(_read(path)), origin)
    except OSError as error:
        raise InvalidInputError(
            f"the configuration file {path} cannot be read: {error.strerror or error}",
            remedy="make it a file that you can read, or take it away",
            data={"path": path},
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(
            f"the configuration file {path} is not valid TOML: {_reason(error)}",
            remedy="correct that line; until then the settings in the file cannot be honoured",
            data={"path": path, "line": _line(error)},
        ) from error


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _read_guarded(path: str) -> bytes:
    if not os.path.isfile(path):  # a device or a pipe may never end
        raise OSError("it is not a regular file")
    with open(path, "rb") as file:
        content = file.read(MAX_REPOSITORY_FILE_BYTES + 1)
    if len(content) > MAX_REPOSITORY_FILE_BYTES:
        raise ValueError(f"it has more than {MAX_REPOSITORY_FILE_BYTES} bytes")
    if any(line.count(b".") > MAX_POINTS_A_LINE for line in content.splitlines()):
        raise ValueError(f"a line has more than {MAX_POINTS_A_LINE} points")
    return content


def _parse(content: bytes) -> dict[str, object]:
    import tomllib  # most runs find no file

    return tomllib.loads(content.decode("utf-8-sig"))


def _ignored(why: str, origin: Origin) -> Collected:
    text = f"the repository's configuration is ignored: {why}"
    return Collected(notices=(Notice(key="", given="", used="", why=text, origin=origin),))


def _reason(error: ValueError | RecursionError) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else shortened(str(error))


def _line(error: ValueError | RecursionError) -> int | None:
    # The parser tells the line in its message only: "… (at line 3, column 5)".
    digits = str(error).rpartition("at line ")[2].partition(",")[0]
    return int(digits) if digits.isdecimal() else None
