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
            "ADVISE-OFFLINE": (
                "The wheel in an environment of its own, with the network blocked, answers a"
                " question in mode hybrid."
            ),
            "ADVISE-CHANGE": (
                "After a change of model, answers are lexical and say so while a server makes the"
                " new model's vectors in the background; then they are by meaning again."
            ),
            "ADVISE-SLOW": (
                "Vectors of a slow model come after the files are published, in slices between"
                " which others may write; a question on the command line waits for few of them."
            ),
            "ADVISE-DOWNLOAD": (
                "A model is downloaded only by `cruxe index`, with external_provider_enabled and"
                " embedding.allow_download, once; a failure says why and leaves nothing half."
            ),
        },
    ),
    Group(
        "seed 003: profile_advisor_mode",
        None,
        {
            "ADVISE-REPORT": (
                "index_status, health_check and `cruxe doctor` name the mode, the profile and the"
                " model in use, or what is wrong and what to do; nobody outside is asked for it."
            ),
            "ADVISE-MODE": (
                "With suggest, diagnostics and status recommend a profile; with off they do not."
                " Nothing follows a recommendation by itself."
            ),
            "ADVISE-RULES": (
                "The recommendation rests on the repository and the settings alone, never on the"
                " machine, and says what speaks for and against."
            ),
        },
    ),
)
