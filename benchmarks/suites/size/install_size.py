"""Suite: what an installation takes on disk, dependencies included.

Looks at the packages of the environment it runs in; what pip compiles beside them is counted apart,
since an installer may leave it out.
"""

import os
import re
from importlib.metadata import PackageNotFoundError, distribution
from typing import Final, NamedTuple

import cruxe
from benchmarks.harness.figures import Figure, Measured, Unit
from benchmarks.harness.suites import DataSuite

_MAX_MEGABYTES: Final = 130
_MEGABYTE: Final = 1_000_000
_LISTED: Final = 5  # packages named in the note, the largest first


class Footprint(NamedTuple):
    """What a package takes on disk, in bytes."""

    shipped: int
    compiled: int  # by Python, from what was shipped

    @property
    def total(self) -> int:
        """All of it."""
        return self.shipped + self.compiled


def measure() -> Measured:
    """Add up the files of Cruxe and of everything it requires."""
    footprints = {name: _of_files(_files_of(name)) for name in sorted(_required("cruxe"))}
    footprints["cruxe"] = _of_files(_own_files())
    shipped = sum(each.shipped for each in footprints.values())
    total = sum(each.total for each in footprints.values())
    return Measured(
        (
            Figure("installed", total / _MEGABYTE, Unit.MEGABYTES, _MAX_MEGABYTES),
            Figure("installed, without bytecode", shipped / _MEGABYTE, Unit.MEGABYTES),
            Figure("Cruxe itself", footprints["cruxe"].total / _MEGABYTE, Unit.MEGABYTES),
            Figure("packages", len(footprints), Unit.COUNT),
        ),
        (_largest(footprints),),
    )


def _required(name: str) -> set[str]:
    """The packages that one needs, without its extras, and all that they need."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for line in distribution(waiting.pop()).requires or ():
            required = re.split(r"[^\w.-]", line, maxsplit=1)[0].lower()
            if required not in found and _is_installed(required) and "extra ==" not in line:
                found.add(required)
                waiting.append(required)
    return found


def _is_installed(name: str) -> bool:
    """Whether a package is here: some are needed on other systems or by older Pythons only."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _files_of(name: str) -> list[str]:
    return [str(path.locate()) for path in distribution(name).files or ()]


def _own_files() -> list[str]:
    assert cruxe.__file__ is not None
    walked = os.walk(os.path.dirname(cruxe.__file__))
    return [os.path.join(folder, name) for folder, _, names in walked for name in names]


def _of_files(paths: list[str]) -> Footprint:
    shipped = compiled = 0
    for path in filter(os.path.exists, paths):
        size = os.stat(path).st_size
        if path.endswith(".pyc"):
            compiled += size
        else:
            shipped += size
    return Footprint(shipped, compiled)


def _largest(footprints: dict[str, Footprint]) -> str:
    ordered = sorted(footprints.items(), key=lambda item: (-item[1].total, item[0]))
    told = [f"{name} {each.total / _MEGABYTE:.0f} MB" for name, each in ordered[:_LISTED]]
    return f"The largest: {', '.join(told)}."


SUITE: Final = DataSuite(
    name="install_size",
    about=(
        "The files of Cruxe and of every package it requires without extras, as they lie in the"
        " environment that the suite runs in. Bytecode is what pip compiles at installation."
    ),
    data="base install",
    measure=measure,
)
