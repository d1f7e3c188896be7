"""The requirements of profiles, the advisor and larger models."""

from typing import Final

from tests.requirement_rows import Group

ADVICE: Final = (
    Group(
        "PRODUCT 9 and seed 003: profiles and larger models",
        None,
        {
            "ADVISE-PROFILES": (
                "fast_local is the model of the package, code_quality and high_quality name larger"
                " ones, external needs a provider; the model's own setting goes before the profile."
            ),
            "ADVISE-EXTRA": (
                "With the fastembed extra a model in a folder makes vectors and answers questions"
                " offline, whatever its size and output; the same request gives the same bytes."
            ),
            "ADVISE-EXTRA-MISSING": (
                "Without the extra, the folder, a readable model or the size it claims, answers"
                " are lexical with semantic_fallback, and what is missing is told with a remedy."
            ),
            "ADVISE-EXTRA-VERSION": (
                "Vectors are keyed by what a model's folder holds; another model's are dropped."
            ),
            "ADVISE-DOWNLOAD": (
                "A model is downloaded only by `cruxe index`, with external_provider_enabled and"
                " embedding.allow_download, once; a failure says why and leaves nothing half."
            ),
        },
    ),
)
