"""The checks of `health_check` and `cruxe doctor`, one for each part that answers depend on.

A new check is a function that returns the problem or None, and a row in `health_check`.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from cruxe.model.errors import EngineError, IndexNotReadyError
from cruxe.model.stored import StorePart
from cruxe.store.open import open_store, required_version
from cruxe.tools.semantic_report import report_with_trial, semantic_answer
from cruxe.workspace.context import RepositoryContext

if TYPE_CHECKING:
    from cruxe.contract.report_parts import InstallationCheck, SemanticReport
    from cruxe.contract.results import InstallationHealth

_CHECKED_PARTS: Final = {
    "sqlite": StorePart.DATABASE,
    "tantivy": StorePart.LEXICAL,
    "vectors": StorePart.VECTORS,
}


def health_check(context: RepositoryContext) -> "InstallationHealth":
    """Run every check; a failed one reports the problem and a remedy."""
    checks = [
        _check("python", _python_problem),
        _check("git", lambda: _git_problem(context)),
        _check("data_dir", lambda: _data_dir_problem(context)),
        *_store_checks(context),
        _check("grammars", _grammar_problem),
    ]
    report = report_with_trial(context.settings.semantic)
    checks.append(_check("semantic", lambda: _semantic_problem(report)))
    is_sound = all(check["ok"] for check in checks)
    return {
        "status": "ready" if is_sound else "error",
        "checks": checks,
        **semantic_answer(context, report),
    }


def _check(name: str, find_problem: Callable[[], str | None]) -> "InstallationCheck":
    try:
        problem = find_problem()
    except EngineError as error:
        problem = str(error)
    answer: InstallationCheck = {"check": name, "ok": problem is None}
    if problem is not None:
        answer["problem"] = problem
    return answer


def _python_problem() -> str | None:
    return None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed"


def _git_problem(context: RepositoryContext) -> str | None:
    from cruxe.workspace.git import run_git

    if context.workspace.git_dir is not None:
        run_git(context.workspace, "rev-parse", "--git-dir")
    return None


def _data_dir_problem(context: RepositoryContext) -> str | None:
    folder = context.settings.storage.data_dir
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return None if os.access(folder, os.W_OK) else f"{folder} cannot be written"


def _store_checks(context: RepositoryContext) -> "list[InstallationCheck]":
    """Verify every byte of the store; each part has a check."""
    try:
        found = _damage(context)
    except EngineError as error:  # of another version, or not to be opened at all
        found = {StorePart.DATABASE: str(error)}
    return [_check(name, partial(found.get, part)) for name, part in _CHECKED_PARTS.items()]


def _damage(context: RepositoryContext) -> dict[StorePart, str]:
    try:
        snapshot = open_store(context.location).snapshot(even_damaged=True)
    except IndexNotReadyError:
        return {}
    with snapshot:
        found = [each for each in snapshot.examine() if each is not None]
        snapshot.tell_examined(found)
        return {each.part: str(each.to_error(required_version())) for each in found}


def _grammar_problem() -> str | None:
    from cruxe.parse.grammars import broken_languages

    broken = broken_languages()
    return f"cannot be loaded: {', '.join(broken)}" if broken else None


def _semantic_problem(report: "SemanticReport") -> str | None:
    return f"{report['problem']}; {report.get('remedy')}" if "problem" in report else None
