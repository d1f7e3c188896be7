"""Definitions that were checked by reading: for languages that ctags does not know well."""

import os
import tomllib
from collections.abc import Sequence
from typing import Final

import msgspec

from benchmarks.harness.tables import markdown_table

CHECKS_PATH: Final = os.path.join(os.path.dirname(__file__), "hand_checked.toml")
_SHORT_REVISION: Final = 12
_HEAD: Final = """## Checked by hand

Definitions drawn with a fixed seed and read beside the source, in both directions: `wrong` are
symbols of ours that the source does not bear out, `missing` are definitions that we lack.
"""
_COLUMNS: Final = ("language", "repositories", "checked", "wrong", "missing", "right", "notes")


class Repository(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where definitions were drawn from."""

    name: str  # as its public host names it
    revision: str


class HandCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's tally."""

    language: str
    repositories: tuple[Repository, ...]
    checked: int
    wrong: int
    missing: int
    notes: str = ""

    @property
    def share_right(self) -> float:
        """The share of what was looked at that is there and right."""
        return 1 - (self.wrong + self.missing) / (self.checked + self.missing)


def load_checks() -> tuple[HandCheck, ...]:
    """Read `hand_checked.toml`."""
    with open(CHECKS_PATH, "rb") as file:
        return msgspec.convert(tomllib.load(file).get("check", []), tuple[HandCheck, ...])


def render_checks(checks: Sequence[HandCheck]) -> str:
    """Write the section of the report; nothing where nothing was checked."""
    if not checks:
        return ""
    rows = [_row(check) for check in sorted(checks, key=lambda check: check.language)]
    return "\n".join([_HEAD, *markdown_table(_COLUMNS, rows), ""])


def _row(check: HandCheck) -> tuple[str, ...]:
    places = [f"{each.name}@{each.revision[:_SHORT_REVISION]}" for each in check.repositories]
    counts = (str(check.checked), str(check.wrong), str(check.missing))
    return (check.language, ", ".join(places), *counts, f"{check.share_right:.1%}", check.notes)
