"""How much of each result is told, and why it ranks where it does: shared by ranked answers."""

from typing import TYPE_CHECKING

from cruxe.model.levels import DetailLevel, RankingExplainLevel
from cruxe.serve.cli.colour import Colour
from cruxe.serve.cli.command import one_of
from cruxe.serve.cli.session import QueryArgs

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from cruxe.contract.ranking_parts import RankingReason
    from cruxe.serve.cli.view import View

_EXPLAINED = [level for level in RankingExplainLevel if level is not RankingExplainLevel.OFF]


class ShapedArgs(QueryArgs):
    """What every ranked question takes."""

    detail: str
    compact: bool
    explain: str | None


def add_shape_options(parser: "ArgumentParser") -> None:
    """Declare what `ShapedArgs` holds."""
    parser.add_argument(
        "--detail",
        type=one_of(DetailLevel),
        default=DetailLevel.SIGNATURE.value,
        help=f"how much of each result: {', '.join(DetailLevel)}",
    )
    parser.add_argument("--compact", action="store_true", help="leave out snippets and previews")
    parser.add_argument(
        "--explain",
        nargs="?",
        const=RankingExplainLevel.BASIC.value,
        type=one_of(_EXPLAINED),
        help="why each result ranks where it does: basic or full",
    )


def reason_lines(reason: "RankingReason", view: "View") -> list[str]:
    """The contributions where they are given, else the factors."""
    given = reason.get("contributions")
    if given is not None:
        pairs = [(each["signal"], each["effective"]) for each in given]
    else:
        pairs = [
            ("exact_match", reason.get("exact_match", 0.0)),
            ("path_boost", reason.get("path_boost", 0.0)),
            ("definition_boost", reason["definition_boost"]),
            ("semantic_similarity", reason.get("semantic_similarity", 0.0)),
        ]
    told = "  ".join(f"{name} {value:+.3f}" for name, value in pairs if value)
    score = f"    = {reason['final_score']:.3f}"
    return [view.paint(Colour.FAINT, f"{score}: {told}" if told else score)]
