"""Validate requests and fill in defaults from the settings; write and read cursors."""

from typing import TYPE_CHECKING, NamedTuple

from cruxe.model.errors import InvalidInputError
from cruxe.model.identity import digest_of
from cruxe.model.levels import DetailLevel, FreshnessPolicy, GroupBy, RankingExplainLevel
from cruxe.model.specs import (
    MAX_LIMIT,
    FieldShares,
    Filters,
    Fusion,
    FusionMethod,
    LocateSpec,
    ResponseSpec,
    SearchSpec,
    read_filters,
)

if TYPE_CHECKING:
    from enum import StrEnum
    from typing import TypeVar

    from cruxe.config import Settings

    _Choice = TypeVar("_Choice", bound=StrEnum)
    _Usual = TypeVar("_Usual", bound=StrEnum | None)


class SearchRequest(NamedTuple):
    """The checked arguments of `search_code`."""

    spec: SearchSpec
    response: ResponseSpec
    policy: FreshnessPolicy
    confidence_threshold: float
    cursor: str | None


class LocateRequest(NamedTuple):
    """The checked arguments of `locate_symbol`."""

    spec: LocateSpec
    response: ResponseSpec
    policy: FreshnessPolicy
    cursor: str | None


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
    group_by: str | None,
) -> SearchRequest:
    """Check the arguments of `search_code`."""
    check_query(asked)
    threshold = confidence_threshold
    if threshold is None:
        threshold = settings.semantic.confidence_threshold
    check_share("confidence_threshold", threshold)
    if asked.semantic_ratio is not None:
        check_share("semantic_ratio", asked.semantic_ratio)
    response = _response(settings, detail_level, ranking_explain_level, is_compact=compact)
    return SearchRequest(
        spec=asked._replace(limit=_limit(settings, limit), fusion=chosen_fusion(settings)),
        response=response._replace(group_by=choose("group_by", group_by, GroupBy, None)),
        policy=chosen_policy(settings, freshness_policy),
        confidence_threshold=threshold,
        cursor=cursor,
    )


def locate_request(  # noqa: PLR0913 - the parameters of the protocol's tool
    settings: "Settings",
    asked: LocateSpec,
    *,
    limit: int | None,
    cursor: str | None,
    detail_level: str,
    compact: bool,
    ranking_explain_level: str | None,
    freshness_policy: str | None,
) -> LocateRequest:
    """Check the arguments of `locate_symbol`."""
    if not asked.name:
        raise InvalidInputError("name is empty", data={"field": "name"})
    return LocateRequest(
        spec=asked._replace(limit=_limit(settings, limit)),
        response=_response(settings, detail_level, ranking_explain_level, is_compact=compact),
        policy=chosen_policy(settings, freshness_policy),
        cursor=cursor,
    )


def checked_filters(language: str | None = None, **others: str | None) -> Filters:
    """Read the filters of a request; a language may be given by any of its names."""
    if language is not None:
        from cruxe.parse.languages import language_named

        language = language_named(language)
    return read_filters(language=language, **others)


def check_query(asked: SearchSpec) -> None:
    """Raise if a request has neither words nor filters."""
    if asked.is_blank and not asked.filters:
        raise InvalidInputError(
            "query is empty",
            remedy="say what to look for; without words a filter lists all that passes it",
            data={"field": "query"},
        )


def _limit(settings: "Settings", limit: int | None) -> int:
    wanted = settings.search.default_limit if limit is None else limit
    check_limit(wanted)
    return wanted


def _response(
    settings: "Settings", detail: str, explain: str | None, *, is_compact: bool
) -> ResponseSpec:
    usual = settings.search.ranking_explain_level
    return ResponseSpec(
        detail=choose("detail_level", detail, DetailLevel, DetailLevel.SIGNATURE),
        is_compact=is_compact,
        explain=choose("ranking_explain_level", explain, RankingExplainLevel, usual),
        max_bytes=settings.search.max_response_bytes,
    )


def chosen_policy(settings: "Settings", policy: str | None) -> FreshnessPolicy:
    """Return the freshness policy of the request, else that of the settings."""
    usual = settings.search.freshness_policy
    return choose("freshness_policy", policy, FreshnessPolicy, usual)


def chosen_fusion(settings: "Settings") -> Fusion:
    """Return how channels are fused: by score blend if enabled, else by RRF, else by sum."""
    rrf, blend = settings.search.rrf, settings.search.score_blend
    method = FusionMethod.RRF if rrf.enabled else FusionMethod.SUM
    if blend.enabled:
        method = FusionMethod.BLEND
    fields = settings.search.field_weights
    return Fusion(
        method=method,
        k=rrf.k,
        sparse_weight=blend.sparse_weight,
        dense_weight=blend.dense_weight,
        fields=FieldShares(name=fields.name, doc=fields.doc, body=fields.body, path=fields.path),
    )


def check_limit(limit: int) -> None:
    """Raise if the limit is out of range."""
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError(
            f"limit is {limit}",
            remedy=f"use a number from 1 to {MAX_LIMIT}",
            data={"field": "limit"},
        )


def check_share(field: str, value: float) -> None:
    """Raise if the value is not between 0 and 1."""
    if not 0.0 <= value <= 1.0:
        raise InvalidInputError(
            f"{field} is {value}", remedy="use a number from 0 to 1", data={"field": field}
        )


def check_choice(field: str, value: str | None, choices: list[str]) -> None:
    """Raise if a value is none of the choices."""
    if value is not None and value not in choices:
        from cruxe.model.choices import not_a_choice

        raise not_a_choice(field, value, choices)


def choose(
    field: str, value: str | None, choices: "type[_Choice]", otherwise: "_Usual"
) -> "_Choice | _Usual":
    """Return the choice with this value, or `otherwise` if the value is None."""
    if value is None:
        return otherwise
    for choice in choices:
        if choice == value:
            return choice
    from cruxe.model.choices import not_a_choice, spelled_as

    spelled = spelled_as(value, choices)
    if spelled != value:
        return choices(spelled)
    raise not_a_choice(field, value, [each.value for each in choices])


CURSOR_DIGEST_BYTES = 6


class Cursor(NamedTuple):
    """A position in a list of results."""

    generation: int
    offset: int


def write_cursor(cursor: Cursor, request: str) -> str:
    """Write a cursor that is valid only for the request that it continues."""
    return f"{cursor.generation:x}-{cursor.offset:x}-{_digest(cursor, request)}"


def read_cursor(text: str, request: str, generation: int) -> Cursor:
    """Read a cursor; raise if it is of another request or generation."""
    try:
        numbers, _, digest = text.rpartition("-")
        first, _, second = numbers.partition("-")
        cursor = Cursor(int(first, 16), int(second, 16))
    except ValueError:
        raise _refused("it is not a cursor of Cruxe") from None
    if digest != _digest(cursor, request):
        raise _refused("it belongs to another request")
    if cursor.generation != generation:
        raise _refused("the index has changed since")
    return cursor


def _digest(cursor: Cursor, request: str) -> str:
    """Digest the offset too, so that a made-up offset is refused."""
    words = f"{cursor.generation} {cursor.offset} {request}"
    return digest_of(words.encode("utf-8", "replace"), CURSOR_DIGEST_BYTES).hex()


def _refused(why: str) -> InvalidInputError:
    return InvalidInputError(
        f"the cursor cannot be used: {why}",
        remedy="ask again without the cursor",
        data={"field": "cursor"},
    )
