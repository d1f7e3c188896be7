"""What each tool takes, as sent. The published schemas are made from these types.

A field that is left out, or null, means that the caller does not care; what that comes to is
decided by the settings, not here. Every tool takes `format` and `workspace`.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from cruxe.model.levels import (
    AnswerFormat,
    DetailLevel,
    FreshnessPolicy,
    GroupBy,
    RankingExplainLevel,
)
from cruxe.model.outcomes import CaseRule
from cruxe.model.specs import MAX_LIMIT, MAX_TOKENS
from cruxe.model.symbols import SymbolKind, SymbolRole

Limit = Annotated[int, Meta(ge=1, le=MAX_LIMIT)]
Share = Annotated[float, Meta(ge=0, le=1)]
Tokens = Annotated[int, Meta(ge=1, le=MAX_TOKENS)]
Line = Annotated[int, Meta(ge=1)]
ExplainedLimit = Annotated[int, Meta(ge=20, le=500)]
ContextLines = Annotated[int, Meta(ge=0, le=10)]
Detail = Annotated[DetailLevel, Meta(description="default signature; context shows code")]
Depth = Literal["all", "top"]


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every tool takes."""

    format: AnswerFormat | None = None
    workspace: str | None = None


class RefRequest(Request, frozen=True, kw_only=True):
    """A request about one ref."""

    ref: str | None = None


class SearchCode(RefRequest, frozen=True, kw_only=True):
    """The arguments of `search_code`."""

    query: Annotated[str, Meta(description="words, question, name, path or error message")]
    limit: Limit | None = None
    cursor: Annotated[str | None, Meta(description="next_cursor of the page before")] = None
    language: str | None = None
    kind: SymbolKind | None = None
    role: SymbolRole | None = None
    path: Annotated[str | None, Meta(description="glob or part of the path")] = None
    detail_level: Detail | None = None
    compact: bool | None = None
    ranking_explain_level: RankingExplainLevel | None = None
    freshness_policy: FreshnessPolicy | None = None
    confidence_threshold: Share | None = None
    semantic_ratio: Annotated[
        Share | None, Meta(description="most that meaning may count beside words")
    ] = None
    group_by: Annotated[
        GroupBy | None, Meta(description="adds bundles: results by file, by summed score")
    ] = None


class LocateSymbol(RefRequest, frozen=True, kw_only=True):
    """The arguments of `locate_symbol`."""

    name: Annotated[str, Meta(description="plain or qualified")]
    kind: SymbolKind | None = None
    role: SymbolRole | None = None
    language: str | None = None
    limit: Limit | None = None
    cursor: str | None = None
    detail_level: Detail | None = None
    compact: bool | None = None
    ranking_explain_level: RankingExplainLevel | None = None
    freshness_policy: FreshnessPolicy | None = None


class ReadSymbol(RefRequest, frozen=True, kw_only=True):
    """The arguments of `read_symbol`."""

    symbol: Annotated[
        str,
        Meta(description="symbol_id, result_id, qualified name, path:line or path:first-last"),
    ]
    max_tokens: Tokens | None = None


class GetFileOutline(RefRequest, frozen=True, kw_only=True):
    """The arguments of `get_file_outline`."""

    path: Annotated[str, Meta(description="from the repository's root")]
    depth: Depth | None = None
    language: str | None = None


class SearchText(RefRequest, frozen=True, kw_only=True):
    """The arguments of `search_text`."""

    pattern: str
    regex: Annotated[bool | None, Meta(description="RE2 syntax")] = None
    case: Annotated[
        CaseRule | None, Meta(description="smart: sensitive if the pattern has a capital")
    ] = None
    path: Annotated[str | None, Meta(description="glob or part of the path")] = None
    language: str | None = None
    limit: Limit | None = None
    cursor: str | None = None
    context_lines: ContextLines | None = None


class IndexStatus(RefRequest, frozen=True, kw_only=True):
    """The arguments of `index_status`."""

    languages: Annotated[bool | None, Meta(description="add how deep each language is read")] = None


class HealthCheck(Request, frozen=True, kw_only=True):
    """The arguments of `health_check`."""


class SyncRepo(RefRequest, frozen=True, kw_only=True):
    """The arguments of `sync_repo`."""

    force: Annotated[bool | None, Meta(description="build the index anew")] = None


class IndexRepo(RefRequest, frozen=True, kw_only=True):
    """The arguments of `index_repo`."""

    force: Annotated[bool | None, Meta(description="build the index anew")] = None


class ExplainRanking(RefRequest, frozen=True, kw_only=True):
    """The arguments of `explain_ranking`."""

    query: str
    result_path: str
    result_line_start: Line
    limit: ExplainedLimit | None = None
    language: str | None = None
    kind: SymbolKind | None = None
    role: SymbolRole | None = None
    path: str | None = None
    freshness_policy: FreshnessPolicy | None = None


class ListRefs(Request, frozen=True, kw_only=True):
    """The arguments of `list_refs`."""


class SwitchRef(Request, frozen=True, kw_only=True):
    """The arguments of `switch_ref`."""

    ref: str
