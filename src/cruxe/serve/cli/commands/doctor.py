"""`cruxe doctor`: checks the installation, the index and the settings.

That nothing talks to the network is not claimed but watched: Python reports every socket that
is made in this process, and one report fails the check.
"""

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING, cast

from cruxe.native import kernels
from cruxe.serve.cli.colour import Colour, harmless
from cruxe.serve.cli.command import Command, GlobalArgs
from cruxe.serve.cli.semantic_lines import advice_line, semantic_line
from cruxe.serve.cli.view import Page, View, warnings_in

if TYPE_CHECKING:
    from cruxe.serve.cli.answers import Check, HealthAnswer
    from cruxe.serve.cli.session import Session
    from cruxe.serve.dispatch import Answer

_MEANINGS = {
    "python": "Python is new enough",
    "git": "git answers",
    "data_dir": "the data directory can be written",
    "sqlite": "the database is sound",
    "tantivy": "the lexical index opens",
    "grammars": "all grammars load",
    "network": "no network socket was opened during these checks",
}
_NOT_NATIVE = (
    "the inner loops run in Python, several times as slow as in C: install Cruxe from a wheel, or"
    " with a C compiler and Python's headers"
)


def declare(_: ArgumentParser) -> None:
    """Take no arguments of its own."""


def answer(_: GlobalArgs, session: "Session") -> "Answer":
    """Run all checks under watch."""
    events = _watch_sockets()
    health = cast("HealthAnswer", session.repository.health_check())
    network: Check = {"check": "network", "ok": not events}
    if events:
        network["problem"] = f"sockets were used: {', '.join(sorted(set(events)))}"
    checks = [*health["checks"], network]
    is_sound = all(check["ok"] for check in checks)
    found: Answer = {**health}
    return found | {
        "status": "ready" if is_sound else "error",
        "checks": checks,
        "native": kernels() is not None,
    }


def render(answer: "Answer", view: View) -> Page:
    """One line a check, then what of the configuration was not taken."""
    health = cast("HealthAnswer", answer)
    lines = [_check_line(check, health, view) for check in health["checks"]]
    if "semantic_profile_recommendation" in health:
        advice = advice_line(health["semantic_profile_recommendation"])
        lines.append(_verdict(view, Colour.DOUBTFUL, "advice", advice))
    if answer.get("native") is False:
        lines.append(_verdict(view, Colour.DOUBTFUL, "notice", _NOT_NATIVE))
    lines += [
        _verdict(view, Colour.DOUBTFUL, "notice", f"config: {harmless(warning)}")
        for warning in warnings_in(answer)
    ]
    problems = sum(not check["ok"] for check in health["checks"])
    return Page(lines, [f"{problems} of {len(health['checks'])} checks failed"] if problems else [])


def exit_code(answer: "Answer") -> int:
    """Fail where a check did."""
    return 0 if answer["status"] == "ready" else 1


def _watch_sockets() -> list[str]:
    """Record every use of a socket from now on; a hook cannot be taken out again."""
    events: list[str] = []

    def watch(event: str, _: tuple[object, ...]) -> None:
        if event.startswith("socket."):
            events.append(event)

    sys.addaudithook(watch)
    return events


def _check_line(check: "Check", health: "HealthAnswer", view: View) -> str:
    if check["ok"]:
        meaning = _MEANINGS.get(check["check"], check["check"])
        if check["check"] == "semantic":
            meaning = f"semantic search: {semantic_line(health['semantic'], view)}"
        return _verdict(view, Colour.GOOD, "ok", meaning)
    problem = harmless(check.get("problem", ""))
    return _verdict(view, Colour.BAD, "problem", f"{check['check']}: {problem}")


def _verdict(view: View, colour: str, verdict: str, text: str) -> str:
    return f"{view.paint(colour, f'{verdict:7}')}  {text}"


COMMAND = Command(GlobalArgs, declare, answer, render, exit_code, tells_warnings=True)
