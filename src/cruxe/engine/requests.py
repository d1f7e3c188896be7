"""Requests checked and completed: what a caller left out comes from the settings."""

from typing import TYPE_CHECKING

from cruxe.engine.searching import SearchRequest
from cruxe.model.errors import InvalidInputError
from cruxe.model.levels import DetailLevel, FreshnessPolicy, RankingExplainLevel
from cruxe.model.specs import SearchSpec
from cruxe.respond.spec import ResponseSpec

if TYPE_CHECKING:
    from enum import StrEnum
    from typing import TypeVar

    from cruxe.config import Settings

    _Choice = TypeVar("_Choice", bound=StrEnum)

MAX_LIMIT = 100


def search_request(  # noqa: PLR0913 - the parameters of the protocol's tool
    settings: "Settings",
    asked: SearchSpec,
    *,
    limit: int | None,
    cursor: str | None,
    detail_level: str,
    compact: bool,
    ranking_explain_level: str | None,
    freshness_policy: str | None,
    confidence_threshold: float | None,
) -> SearchRequest:
    """Check what a caller of `search_code` gave."""
    wanted = settings.search.default_limit if limit is None else limit
    check_limit(wanted)
    threshold = confidence_threshold
    if threshold is None:
        threshold = settings.semantic.confidence_threshold
    check_share("confidence_threshold", threshold)
    response = ResponseSpec(
        detail=choose("detail_level", detail_level, DetailLevel, DetailLevel.SIGNATURE),
        is_compact=compact,
        explain=choose(
            "ranking_explain_level",
            ranking_explain_level,
            RankingExplainLevel,
            settings.search.ranking_explain_level,
        ),
        max_bytes=settings.search.max_response_bytes,
    )
    policy = choose(
        "freshness_policy", freshness_policy, FreshnessPolicy, settings.search.freshness_policy
    )
    return SearchRequest(asked._replace(limit=wanted), response, policy, threshold, cursor)


def check_limit(limit: int) -> None:
    """Refuse a number of results that no answer has."""
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError(
            f"limit is {limit}",
            remedy=f"use a number from 1 to {MAX_LIMIT}",
            data={"field": "limit"},
        )


def check_share(field: str, value: float) -> None:
    """Refuse what is no share of a whole."""
    if not 0.0 <= value <= 1.0:
        raise InvalidInputError(
            f"{field} is {value}", remedy="use a number from 0 to 1", data={"field": field}
        )


def choose(
    field: str, value: str | None, choices: "type[_Choice]", otherwise: "_Choice"
) -> "_Choice":
    """The choice that a text names; the usual one where there is no text."""
    if value is None:
        return otherwise
    for choice in choices:
        if choice == value:
            return choice
    raise not_a_choice(field, value, [each.value for each in choices])


def not_a_choice(field: str, value: str, choices: list[str]) -> InvalidInputError:
    """The error of a value outside a closed choice, with the nearest inside."""
    from difflib import get_close_matches

    nearest = get_close_matches(value, choices, 1)
    hint = f"; did you mean {nearest[0]}?" if nearest else ""
    return InvalidInputError(
        f"{field} is {value!r}{hint}",
        remedy=f"use one of {', '.join(choices)}",
        data={"field": field, "choices": tuple(choices)},
    )
