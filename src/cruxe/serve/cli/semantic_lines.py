"""Renders the state of semantic search: model in use, problems, recommended profile."""

from typing import TYPE_CHECKING

from cruxe.serve.cli.view import Colour, harmless

if TYPE_CHECKING:
    from cruxe.contract.report_parts import ProfileAdvice, SemanticReport
    from cruxe.serve.cli.view import View


def semantic_line(report: "SemanticReport", view: "View") -> str:
    """Return the state of semantic search as one line."""
    mode = report["mode"]
    if "problem" in report:
        told = f"{mode}, but answers are lexical: {_problem(report)}"
        return view.paint(Colour.DOUBTFUL, told)
    if report["status"] == "off":
        return f"{mode}, no vectors"
    told = f"{mode} by {model_title(report)}"
    if report.get("vectors") == "missing":
        hint = "its vectors are not all there; `cruxe index` makes them"
        return f"{told}; {view.paint(Colour.DOUBTFUL, hint)}"
    return told


def model_title(report: "SemanticReport") -> str:
    """Return the model in use with its profile and version."""
    model = harmless(report.get("model", ""))
    version = harmless(report.get("model_version", ""))
    return f"{model} ({report['profile']}, version {version})"


def advice_line(advice: "ProfileAdvice") -> str:
    """Return a recommended profile and the steps to adopt it."""
    if advice["is_current"]:
        return f"profile {advice['profile']} fits this repository, and is in use"
    told = f"profile {advice['profile']} would fit this repository"
    if "install" in advice:
        minutes = advice["estimated_minutes"]
        told += f": {advice['install']}, then about {minutes} min of one core for its vectors"
    return f"{told}; set semantic.embedding.profile to follow, nothing changes by itself"


def _problem(report: "SemanticReport") -> str:
    return harmless(f"{report.get('problem', '')}; {report.get('remedy', '')}")
