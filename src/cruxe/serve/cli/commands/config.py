"""`cruxe config show`: every setting, and where its value came from."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.serve.cli.colour import Colour, harmless
from cruxe.serve.cli.command import Command
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Page, View

if TYPE_CHECKING:
    from cruxe.contract.report_parts import SettingReport
    from cruxe.contract.results import ConfigShowResult
    from cruxe.serve.cli.session import Session

_DEFAULT = "default"
# A longer value is not worth pushing all origins to the right.
_MAX_VALUE_COLUMNS = 32


def declare(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", nargs="?", choices=["show"], help="show them")


def answer(_: GlobalArgs, session: "Session") -> "ConfigShowResult":
    """Describe the settings in force, secrets hidden."""
    from cruxe.config.report import describe

    rows = describe(session.repository.context.loaded)
    shown: ConfigShowResult = {
        "settings": [
            {"key": row.key, "value": row.value, "origin": str(row.origin)} for row in rows
        ]
    }
    if session.warnings:
        shown["metadata"] = {"warnings": session.warnings}
    return shown


def render(config: "ConfigShowResult", view: View) -> Page:
    """One line a setting; those that someone set stand out."""
    settings = config["settings"]
    widths = (
        max(len(each["key"]) for each in settings),
        min(max(len(each["value"]) for each in settings), _MAX_VALUE_COLUMNS),
    )
    lines = [_line(each, widths, view) for each in settings]
    return Page(lines, config.get("metadata", {}).get("warnings", []))


def _line(setting: "SettingReport", widths: tuple[int, int], view: View) -> str:
    key = f"{setting['key']:{widths[0]}}"
    value = f"{harmless(setting['value']):{widths[1]}}"
    is_default = setting["origin"] == _DEFAULT
    origin = view.paint(Colour.FAINT if is_default else Colour.GOOD, harmless(setting["origin"]))
    return f"{view.paint(Colour.KIND, key)}  {value}  {origin}"


COMMAND = Command(GlobalArgs, declare, answer, render, tells_warnings=True)
