"""Every setting with its type, legal values, default and guard.

A new setting needs one line here. The table in `keys`, the environment variable, the normalisation
and `cruxe config show` are derived from the fields and their annotations. A repository's own file
may set any field, unless a guard such as `TRUSTED_ONLY` or `LOWER_ONLY` restricts it.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import cached_property
from typing import Annotated, Final, Never, Self, dataclass_transform

from cruxe.config.setting_choices import (
    EmbeddingProfile,
    EmbeddingProvider,
    IntentRule,
    ProfileAdvisorMode,
    RerankProvider,
)
from cruxe.config.values import (
    Secret,
    choice,
    read_bound,
    read_endpoint,
    read_extensions,
    read_flag,
    read_path,
    read_redaction_rules,
    read_rule_order,
    read_secret,
    read_text,
    read_texts,
    read_words,
    real,
    whole,
    whole_from,
)
from cruxe.model.levels import FreshnessPolicy, RankingExplainLevel, SemanticMode
from cruxe.model.specs import MAX_LIMIT
from cruxe.safety.redaction import RedactionRule


class Guard(Enum):
    """Which layers may set or raise a setting."""

    NONE = auto()
    LOWER_ONLY = auto()  # a repository may lower it (or turn it off), but not raise it
    TRUSTED_ONLY = auto()  # a repository may not set it at all
    ENVIRONMENT_ONLY = auto()  # no file may set it


LOWER_ONLY: Final = Guard.LOWER_ONLY
TRUSTED_ONLY: Final = Guard.TRUSTED_ONLY

Flag = Annotated[bool, read_flag]
Text = Annotated[str, read_text]
Texts = Annotated[tuple[str, ...], read_texts]
Words = Annotated[tuple[str, ...], read_words]
Endpoint = Annotated[str, read_endpoint, TRUSTED_ONLY]
EnvironmentSecret = Annotated[Secret, read_secret, Guard.ENVIRONMENT_ONLY]
CustomRedactionRules = Annotated[tuple[RedactionRule, ...], read_redaction_rules, TRUSTED_ONLY]
Share = Annotated[float, real(0.0, 1.0)]
Weight = Annotated[float, real(0.0, 100.0)]
Bound = Annotated[float, read_bound]
BudgetMs = Annotated[int, whole(1, 60_000), LOWER_ONLY]


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Section:
    """A group of settings; the annotated class attributes are its fields and their defaults."""

    def __init__(self, **values: object) -> None:
        """Set the values that differ from the defaults."""
        unknown = values.keys() - type(self).__annotations__.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        self.__dict__.update(values)

    def replace(self, **changes: object) -> Self:
        """Return a copy with some values changed."""
        return type(self)(**(self.__getstate__() | changes))

    def members(self) -> dict[str, object]:
        """Return the value of every field, in the order of declaration."""
        return {name: getattr(self, name) for name in type(self).__annotations__}

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"settings are frozen; {name} cannot be set to {value!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.members() == other.members()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Computed once, since settings are part of many cache keys."""
        return hash(tuple(self.members().values()))

    def __getstate__(self) -> dict[str, object]:
        """Return the explicit values without the hash, which differs between processes."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.members().items())
        return f"{type(self).__name__}({values})"


class IndexSettings(Section):
    """Which files of a working tree are indexed, and the limits for each."""

    auto: Annotated[Flag, LOWER_ONLY] = True
    max_file_size: Annotated[int, whole(1, 1 << 30), LOWER_ONLY] = 1_048_576  # bytes
    languages: Words = ()  # empty: all
    include_generated: Flag = False
    parallelism: Annotated[int, whole(0, 256), TRUSTED_ONLY] = 0  # processes; 0: one per core
    # Stops a stuck parser; ordinary files stay far below it.
    parse_timeout_ms: Annotated[int, whole(1_000, 600_000), LOWER_ONLY] = 20_000
    max_nodes: Annotated[int, whole(1_000, 100_000_000), LOWER_ONLY] = 2_000_000  # per file


class StorageSettings(Section):
    """The location of the store and the options of SQLite."""

    data_dir: Annotated[str, read_path, TRUSTED_ONLY] = "~/.cruxe"  # absolute once loaded
    busy_timeout_ms: Annotated[int, whole(0, 600_000), TRUSTED_ONLY] = 5_000
    # For the writing connection. SQLite's unit: pages, or KiB if negative.
    cache_size: Annotated[int, whole(-4_194_304, 1_048_576), TRUSTED_ONLY] = -32_000


class IntentSettings(Section):
    """The rules and words of the intent classifier."""

    rule_order: Annotated[tuple[IntentRule, ...], read_rule_order] = tuple(IntentRule)
    error_patterns: Texts = (
        "error:",
        "Error:",
        "panic:",
        "FATAL",
        "exception",
        "Exception",
        "traceback",
        "Traceback",
        "at line",
        "thread '",
    )
    path_extensions: Annotated[tuple[str, ...], read_extensions] = (
        *(".rs", ".ts", ".tsx", ".js", ".jsx", ".py", ".go", ".java"),
        *(".c", ".h", ".cpp", ".rb", ".swift"),
    )
    symbol_kind_keywords: Words = (
        *("fn", "func", "function", "struct", "class", "enum", "trait"),
        *("interface", "type", "const", "method"),
    )
    enable_wrapped_quoted_error_literal: Flag = True


class AdaptivePlanSettings(Section):
    """When a query compares more vectors, and the latency budget of a query."""

    enabled: Flag = True
    # Below this lexical confidence, more vectors are compared.
    low_confidence_threshold: Share = 0.55
    # The profile advisor recommends only models within this budget.
    hybrid_standard_latency_budget_ms: BudgetMs = 300


class SignalBudget(Section):
    """The range that the points of one ranking signal are clamped to."""

    min: Bound
    max: Bound


class RankingSignalBudgets(Section):
    """The budget of each ranking signal."""

    exact_match: SignalBudget = SignalBudget(min=0.0, max=8.0)
    qualified_name: SignalBudget = SignalBudget(min=0.0, max=4.0)
    path_affinity: SignalBudget = SignalBudget(min=0.0, max=3.0)
    definition_boost: SignalBudget = SignalBudget(min=0.0, max=2.0)
    test_file_penalty: SignalBudget = SignalBudget(min=-10.0, max=0.0)

    def by_signal(self) -> dict[str, SignalBudget]:
        """Return the budgets by name of their signal."""
        return {
            name: member
            for name, member in self.members().items()
            if isinstance(member, SignalBudget)
        }


class RrfSettings(Section):
    """Reciprocal rank fusion of the channels, instead of the fitted sum of scores and ranks."""

    enabled: Flag = False
    k: Annotated[int, whole(1, 10_000)] = 60


class ScoreBlendSettings(Section):
    """Fusion by weighted sum of normalised scores; replaces reciprocal rank fusion."""

    enabled: Flag = False
    sparse_weight: Weight = 1.0
    dense_weight: Weight = 1.0


class FieldWeights(Section):
    """What a match in a field of a file counts for, in proportion to its usual weight.

    Signatures and comments are searched as part of the body.
    """

    name: Weight = 1.0
    doc: Weight = 1.0
    body: Weight = 1.0
    path: Weight = 1.0


class ModeWeights(Section):
    """The weight of each mode's list in fusion."""

    code: Weight = 1.0
    prose: Weight = 1.0
    extracted_prose: Weight = 1.0
    records: Weight = 1.0


class SearchSettings(Section):
    """Defaults and limits of queries; a request may override some."""

    default_ref: Text = ""  # empty: the caller's working tree
    default_limit: Annotated[int, whole(1, MAX_LIMIT)] = 10
    freshness_policy: Annotated[FreshnessPolicy, choice(FreshnessPolicy)] = FreshnessPolicy.BALANCED
    # How long a call waits for changes of the working tree to be indexed, and for how many files;
    # with more, or after that, its answer is stale and names them.
    catch_up_ms: BudgetMs = 150
    catch_up_files: Annotated[int, whole(0, 1_000), LOWER_ONLY] = 40
    ranking_explain_level: Annotated[RankingExplainLevel, choice(RankingExplainLevel)] = (
        RankingExplainLevel.OFF
    )
    max_response_bytes: Annotated[int, whole_from(1_600, 16_777_216), LOWER_ONLY] = 65_536
    intent: IntentSettings = IntentSettings()
    adaptive_plan: AdaptivePlanSettings = AdaptivePlanSettings()
    ranking_signal_budgets: RankingSignalBudgets = RankingSignalBudgets()
    rrf: RrfSettings = RrfSettings()
    score_blend: ScoreBlendSettings = ScoreBlendSettings()
    field_weights: FieldWeights = FieldWeights()
    mode_weights: ModeWeights = ModeWeights()


class EmbeddingSettings(Section):
    """Which model computes vectors, and where it is found."""

    profile: Annotated[EmbeddingProfile, choice(EmbeddingProfile), TRUSTED_ONLY] = (
        EmbeddingProfile.FAST_LOCAL
    )
    provider: Annotated[EmbeddingProvider, choice(EmbeddingProvider), TRUSTED_ONLY] = (
        EmbeddingProvider.LOCAL
    )
    model: Annotated[Text, TRUSTED_ONLY] = "codevec-static-256"
    # The folder of the model; empty: the one in the package, or the downloaded one.
    model_path: Annotated[Text, TRUSTED_ONLY] = ""  # absolute once loaded
    models_dir: Annotated[Text, TRUSTED_ONLY] = ""  # likewise; empty: ~/.cruxe/models
    allow_download: Annotated[Flag, TRUSTED_ONLY] = False  # of models only
    model_version: Annotated[Text, TRUSTED_ONLY] = ""  # empty: the digest of the model's table
    dimensions: Annotated[int, whole(1, 65_536), TRUSTED_ONLY] = 256
    batch_size: Annotated[int, whole(1, 4_096), LOWER_ONLY] = 32
    endpoint: Endpoint = ""
    api_key: EnvironmentSecret = Secret()


class RerankSettings(Section):
    """What reranks the top candidates, and its limits."""

    provider: Annotated[RerankProvider, choice(RerankProvider), TRUSTED_ONLY] = RerankProvider.NONE
    timeout_ms: BudgetMs = 5_000
    candidate_cap: Annotated[int, whole(1, 1_000), LOWER_ONLY] = 50
    timeout_budget_ms: BudgetMs = 700
    endpoint: Endpoint = ""
    api_key: EnvironmentSecret = Secret()


class IntentOverride(Section):
    """Overrides for queries of one intent."""

    ratio: Annotated[float | None, real(0.0, 1.0)] = None  # unset: `semantic.ratio`


class OverridesSettings(Section):
    """Overrides by intent; only natural language benefits from vectors."""

    natural_language: IntentOverride = IntentOverride()
    symbol: IntentOverride = IntentOverride(ratio=0.0)
    path: IntentOverride = IntentOverride(ratio=0.0)
    error: IntentOverride = IntentOverride(ratio=0.0)


class SemanticSettings(Section):
    """Vectors, reranking, confidence, and the privacy gates for external services."""

    mode: Annotated[SemanticMode, choice(SemanticMode)] = SemanticMode.HYBRID
    # A cap on the share of similarity in a score; the fitted share may be lower.
    ratio: Share = 0.5
    lexical_short_circuit_threshold: Share = 0.85
    confidence_threshold: Share = 0.5
    local_rerank_phrase_boost: Weight = 0.75
    local_rerank_token_overlap_weight: Weight = 2.5
    profile_advisor_mode: Annotated[ProfileAdvisorMode, choice(ProfileAdvisorMode)] = (
        ProfileAdvisorMode.OFF
    )
    # Nothing leaves the machine unless both are true.
    external_provider_enabled: Annotated[Flag, TRUSTED_ONLY] = False
    allow_code_payload_to_external: Annotated[Flag, TRUSTED_ONLY] = False
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    overrides: OverridesSettings = OverridesSettings()


class SecuritySettings(Section):
    """What is excluded from the index and redacted in answers."""

    redaction_enabled: Annotated[Flag, TRUSTED_ONLY] = True
    allow_secret_files: Annotated[Texts, TRUSTED_ONLY] = ()  # globs
    custom_redaction_rules: CustomRedactionRules = ()


class ServerSettings(Section):
    """Which workspaces a server opens, and the deadline of a call."""

    # Empty: only the workspace that the server was started for. Absolute once loaded.
    allowed_roots: Annotated[Texts, TRUSTED_ONLY] = ()
    call_deadline_ms: Annotated[int, whole(100, 600_000), TRUSTED_ONLY] = 10_000
    # Open at the same time; the least recently used one is evicted.
    max_workspaces: Annotated[int, whole(1, 1_000), TRUSTED_ONLY] = 8


class Settings(Section):
    """All settings, loaded and normalised once."""

    index: IndexSettings = IndexSettings()
    storage: StorageSettings = StorageSettings()
    search: SearchSettings = SearchSettings()
    semantic: SemanticSettings = SemanticSettings()
    security: SecuritySettings = SecuritySettings()
    server: ServerSettings = ServerSettings()


# Keys without effect that a requirement demands, each with the sentence that demands it.
# Every other key is read outside this package.
ACCEPTED_WITHOUT_EFFECT: Final = {
    **dict.fromkeys(
        (f"search.mode_weights.{mode}" for mode in ("code", "prose", "extracted_prose", "records")),
        "seed 004: each mode can be weighted independently via config (modes come later)",
    ),
    **dict.fromkeys(
        (f"semantic.overrides.{intent}.ratio" for intent in ("symbol", "path", "error")),
        "seed 003: the configuration names it, and vectors are used for natural language alone",
    ),
    "semantic.rerank.timeout_budget_ms": (
        "older configurations name it; a reranker may take what `timeout_ms` says"
    ),
}
