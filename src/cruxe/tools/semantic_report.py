"""The semantic part of diagnostics: the model in use, what is missing, the fitting profile."""

from functools import cache
from typing import TYPE_CHECKING, Final

from cruxe.config.setting_choices import EmbeddingProvider, ProfileAdvisorMode
from cruxe.embed import EmbeddingUnavailableError
from cruxe.embed.models import EmbeddingModel, chosen_model, encoder_for
from cruxe.embed.provider_calls import ProviderError
from cruxe.model.errors import EngineError
from cruxe.model.levels import SemanticMode
from cruxe.model.stored import RefRow
from cruxe.store.open import open_store
from cruxe.workspace.context import resolve_target

if TYPE_CHECKING:
    from cruxe.config.settings import SemanticSettings, Settings
    from cruxe.contract.report_parts import ProfileAdvice, SemanticFields, SemanticReport
    from cruxe.store.api import Snapshot
    from cruxe.workspace.context import RepositoryContext, Target

_SAMPLE: Final = "where is the main entry point"


def semantic_report(semantic: "SemanticSettings") -> "SemanticReport":
    """Report the model in use, or why it is unavailable and the remedy; loads nothing."""
    report: SemanticReport = {
        "mode": semantic.mode,
        "profile": semantic.embedding.profile.value,
        "provider": semantic.embedding.provider.value,
        "rerank_provider": semantic.rerank.provider.value,
        "status": "off",
    }
    if semantic.mode is not SemanticMode.HYBRID:
        return report
    try:
        model = _usable(semantic)
    except EmbeddingUnavailableError as error:
        return _unavailable(report, error)
    return {
        **report,
        "status": "ready",
        "model": _title(model),
        "model_version": model.version,
        "dimensions": model.dimensions,
    }


def report_with_trial(semantic: "SemanticSettings") -> "SemanticReport":
    """Report like `semantic_report` after embedding a sample; calls no remote provider."""
    report = semantic_report(semantic)
    is_local = semantic.embedding.provider is EmbeddingProvider.LOCAL
    if report["status"] != "ready" or not is_local:
        return report
    try:
        encoder_for(chosen_model(semantic)).query_vector(_SAMPLE)
    except (EmbeddingUnavailableError, ProviderError) as error:
        remedy = "see that the model's files are whole, or set the profile to fast_local"
        failed = EmbeddingUnavailableError(str(error), remedy)
        return _unavailable(report, failed)
    return report


def semantic_answer(
    context: "RepositoryContext",
    report: "SemanticReport | None" = None,
    target: "Target | None" = None,
) -> "SemanticFields":
    """Return the report, whether the ref has its vectors, and the profile advice if enabled.

    An unreadable store is ignored here: other parts of the answer report it.
    """
    settings = context.settings
    told = semantic_report(settings.semantic) if report is None else report.copy()
    answer: SemanticFields = {"semantic": told}
    try:
        target = resolve_target(context.workspace, None) if target is None else target
        with open_store(context.location).snapshot() as snapshot:
            row = snapshot.find_ref(target.ref.name)
            if row is not None and "model_version" in told and told["status"] == "ready":
                has_all = snapshot.has_vectors(row.ref_id, told["model_version"])
                told["vectors"] = "ready" if has_all else "missing"
            is_asked = settings.semantic.profile_advisor_mode is ProfileAdvisorMode.SUGGEST
            if row is not None and is_asked:
                answer["semantic_profile_recommendation"] = _advice(settings, snapshot, row)
    except EngineError:
        return answer
    return answer


def _advice(settings: "Settings", snapshot: "Snapshot", row: RefRow) -> "ProfileAdvice":
    from cruxe.embed.models import INSTALL, PROFILE_MODELS
    from cruxe.tools.profile_advice import RepositoryFacts, recommend

    code_files = _code_files(snapshot.language_counts(row.ref_id))
    facts = RepositoryFacts(row.file_count, code_files, snapshot.vector_count(row.ref_id))
    found = recommend(facts, settings.search.adaptive_plan.hybrid_standard_latency_budget_ms)
    is_current = found.profile is settings.semantic.embedding.profile
    advice: ProfileAdvice = {
        "profile": found.profile.value,
        "repo_size_bucket": found.repo_size_bucket,
        "reason_codes": found.reason_codes,
        "estimated_minutes": found.estimated_minutes,
        "is_current": is_current,
    }
    if (model := PROFILE_MODELS.get(found.profile)) is not None:
        advice["install"] = INSTALL
        advice["model"] = model
    return advice


def _usable(semantic: "SemanticSettings") -> EmbeddingModel:
    model = chosen_model(semantic)
    if model.address and not semantic.embedding.api_key:
        raise EmbeddingUnavailableError(
            f"there is no key for {semantic.embedding.provider}",
            "set CODECOMPASS_EMBEDDING_API_KEY in the environment",
        )
    return model


def _title(model: EmbeddingModel) -> str:
    if model.is_quick:
        from cruxe.embed.table import read_card

        return read_card(model.folder).name
    return model.name or model.folder


def _unavailable(report: "SemanticReport", error: EmbeddingUnavailableError) -> "SemanticReport":
    remedy = error.remedy or "set the profile to fast_local"
    return {**report, "status": "unavailable", "problem": str(error), "remedy": remedy}


def _code_files(languages: dict[str, int]) -> int:
    return sum(count for language, count in languages.items() if language in _code_languages())


@cache
def _code_languages() -> frozenset[str]:
    """Return the languages whose calls are extracted."""
    from cruxe.parse.capabilities import list_capabilities

    return frozenset(each.language for each in list_capabilities() if each.calls)
