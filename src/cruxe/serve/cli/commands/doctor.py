"""`cruxe doctor`: check the installation, the index and the settings.

The network check is measured: an audit hook sees every socket that this process creates, and one
socket fails the check.
"""

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from cruxe.native import kernels
from cruxe.serve.cli.command import Command
from cruxe.serve.cli.semantic_lines import advice_line, semantic_line
from cruxe.serve.cli.session import GlobalArgs
from cruxe.serve.cli.view import Colour, Page, View, harmless

if TYPE_CHECKING:
    from cruxe.contract.report_parts import InstallationCheck
    from cruxe.contract.results import DoctorResult
    from cruxe.serve.cli.session import Session

_MEANINGS = {
    "python": "Python is new enough",
    "git": "git answers",
    "data_dir": "the data directory can be written",
    "sqlite": "the database is sound",
    "tantivy": "the lexical index is sound",
    "vectors": "the vectors are sound",
    "grammars": "all grammars load",
    "network": "no network socket was opened during these checks",
}
_NOT_NATIVE = (
    "the inner loops run in Python, several times as slow as in C: install Cruxe from a wheel, or"
    " with a C compiler and Python's headers"
)


def declare(_: ArgumentParser) -> None:
    """Declare no arguments."""


def answer(_: GlobalArgs, session: "Session") -> "DoctorResult":
    """Run all checks while recording socket use."""
    events = _watch_sockets()
    health = session.repository.health_check()
    assert "checks" in health  # only a server returns the other kind
    network: InstallationCheck = {"check": "network", "ok": not events}
    if events:
        network["problem"] = f"sockets were used: {', '.join(sorted(set(events)))}"
    checks = [*health["checks"], network]
    is_sound = all(check["ok"] for check in checks)
    found: DoctorResult = {
        **health,
        "status": "ready" if is_sound else "error",
        "checks": checks,
        "native": kernels() is not None,
    }
    if session.warnings:
        found["metadata"] = {"warnings": session.warnings}
    return found


def render(health: "DoctorResult", view: View) -> Page:
    """Render one line per check, then the rejected configuration values."""
    lines = [_check_line(check, health, view) for check in health["checks"]]
    if "semantic_profile_recommendation" in health:
        advice = advice_line(health["semantic_profile_recommendation"])
        lines.append(_verdict(view, Colour.DOUBTFUL, "advice", advice))
    if not health["native"]:
        lines.append(_verdict(view, Colour.DOUBTFUL, "notice", _NOT_NATIVE))
    lines += [
        _verdict(view, Colour.DOUBTFUL, "notice", f"config: {harmless(warning)}")
        for warning in health.get("metadata", {}).get("warnings", [])
    ]
    problems = sum(not check["ok"] for check in health["checks"])
    return Page(lines, [f"{problems} of {len(health['checks'])} checks failed"] if problems else [])


def exit_code(health: "DoctorResult") -> int:
    """Return 1 if a check failed."""
    return 0 if health["status"] == "ready" else 1


def _watch_sockets() -> list[str]:
    """Record every socket event from now on; an audit hook cannot be removed."""
    events: list[str] = []

    def watch(event: str, _: tuple[object, ...]) -> None:
        if event.startswith("socket."):
            events.append(event)

    sys.addaudithook(watch)
    return events


def _check_line(check: "InstallationCheck", health: "DoctorResult", view: View) -> str:
    if check["ok"]:
        meaning = _MEANINGS.get(check["check"], check["check"])
        if check["check"] == "semantic":
            meaning = f"semantic search: {semantic_line(health['semantic'], view)}"
        return _verdict(view, Colour.GOOD, "ok", meaning)
    problem = harmless(check.get("problem", ""))
    return _verdict(view, Colour.BAD, "problem", f"{check['check']}: {problem}")


def _verdict(view: View, colour: str, verdict: str, text: str) -> str:
    return f"{view.paint(colour, f'{verdict:7}')}  {text}"


COMMAND = Command(
    args=GlobalArgs,
    declare=declare,
    answer=answer,
    render=render,
    exit_code=exit_code,
    tells_warnings=True,
)
