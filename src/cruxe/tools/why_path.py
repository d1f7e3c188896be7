"""The answer of `cruxe why`: whether a path is in the index, and by which rule."""

from cruxe.workspace.context import RepositoryContext
from cruxe.workspace.explain_path import explain

Answer = dict[str, object]


def explain_path(context: RepositoryContext, path: str) -> Answer:
    """Return why a path is in the index or not."""
    explanation = explain(context.workspace, path, context.rules)
    answer: Answer = {key: value for key, value in explanation._asdict().items() if value}
    answer["status"] = explanation.status.value
    return answer
