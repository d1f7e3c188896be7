"""The command `cruxe why`: whether a path is in the index, and by which rule."""

from typing import TYPE_CHECKING

from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.explain_path import explain

if TYPE_CHECKING:
    from cruxe.contract.results import ExplainPathResult


def explain_path(context: RepositoryContext, path: str) -> "ExplainPathResult":
    """Return why a path is in the index or not."""
    explanation = explain(context.workspace, path, context.rules)
    answer: ExplainPathResult = {
        "path": explanation.path,
        "status": explanation.status,
        "reason": explanation.reason,
        "detail": explanation.detail,
    }
    if explanation.rule_source:
        answer["rule_source"] = explanation.rule_source
    return answer
