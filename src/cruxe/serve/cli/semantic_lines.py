"""Semantic search told to a person: the model in use, what is missing, what would fit."""

from typing import TYPE_CHECKING

from cruxe.serve.cli.view import Colour, harmless

if TYPE_CHECKING:
    from cruxe.contract.report_parts import ProfileAdvice, SemanticReport
    from cruxe.serve.cli.view import View


def semantic_line(report: "SemanticReport", view: "View") -> str:
    """The state of semantic search in one line."""
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
    """The model in use and the profile it stands for."""
    model = harmless(report.get("model", ""))
    version = harmless(report.get("model_version", ""))
    return f"{model} ({report['profile']}, version {version})"


def advice_line(advice: "ProfileAdvice") -> str:
    """A recommendation and what following it takes."""
    if advice["is_current"]:
        return f"profile {advice['profile']} fits this repository, and is in use"
    told = f"profile {advice['profile']} would fit this repository"
    if "install" in advice:
        minutes = advice["estimated_minutes"]
        told += f": {advice['install']}, then about {minutes} min of one core for its vectors"
    return f"{told}; set semantic.embedding.profile to follow, nothing changes by itself"


def _problem(report: "SemanticReport") -> str:
    return harmless(f"{report.get('problem', '')}; {report.get('remedy', '')}")
