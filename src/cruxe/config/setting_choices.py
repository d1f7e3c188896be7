"""Enumerations that only settings use, and the alternative spellings accepted for choices."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from cruxe.model.levels import SemanticMode


class IntentRule(StrEnum):
    """A rule of the intent classifier; the order of the rules is a setting."""

    ERROR_PATTERN = "error_pattern"
    PATH = "path"
    QUOTED_ERROR = "quoted_error"
    SYMBOL = "symbol"
    NATURAL_LANGUAGE = "natural_language"


class ProfileAdvisorMode(StrEnum):
    """Whether diagnostics recommend an embedding profile."""

    OFF = "off"
    SUGGEST = "suggest"


class EmbeddingProfile(StrEnum):
    """The family of embedding models to use."""

    FAST_LOCAL = "fast_local"
    CODE_QUALITY = "code_quality"
    HIGH_QUALITY = "high_quality"
    EXTERNAL = "external"


class EmbeddingProvider(StrEnum):
    """What computes vectors; all but `local` need both privacy gates."""

    LOCAL = "local"
    VOYAGE = "voyage"
    OPENAI = "openai"


class RerankProvider(StrEnum):
    """What reranks the top candidates; `cohere` and `voyage` need both privacy gates."""

    NONE = "none"
    LOCAL = "local"
    COHERE = "cohere"
    VOYAGE = "voyage"
    CROSS_ENCODER = "cross-encoder"


# Case, hyphens and underscores are ignored, so `besteffort` and `rerankonly` need no entry.
SPELLINGS: Final[Mapping[type[StrEnum], Mapping[str, StrEnum]]] = {
    SemanticMode: {
        "shadow": SemanticMode.RERANK_ONLY,
        "on": SemanticMode.HYBRID,
        "enabled": SemanticMode.HYBRID,
        "disabled": SemanticMode.OFF,
    },
    IntentRule: {
        "error": IntentRule.ERROR_PATTERN,
        "quoted": IntentRule.QUOTED_ERROR,
        "nl": IntentRule.NATURAL_LANGUAGE,
        "default": IntentRule.NATURAL_LANGUAGE,
    },
}
