"""Random secrets of every format, in every place where people put them, by seed."""

from typing import Final

import pytest

from cruxe.config.settings import SecuritySettings
from cruxe.model.identity import digest_of
from cruxe.safety.redaction import RULES_VERSION, redact
from cruxe.safety.secret_formats import FORMATS, SHAPES
from tests.requirements import requirement
from tests.support.secret_contexts import ASSIGNMENTS, CONTEXTS, Context, key_texts, placed
from tests.support.secret_samples import (
    VALUES,
    Sample,
    chance_of,
    key,
    key_parts,
    leaks,
    near_misses,
    templates,
    token,
    tokens,
)

DEFAULT: Final = SecuritySettings()
SEED: Final = 20_311
LEAST_ASSIGNED: Final = 0.95
# Each seed makes a token of every format: together more than 5,000.
MANY_SEEDS: Final = range(27)
# Recognised by what they begin with, and made by functions of their own.
MADE_APART: Final = {"AccountKey=", "SharedAccessKey=", "sig=", "discord_token"}


def redacted(text: str) -> str:
    return redact(text.encode(), DEFAULT).data.decode()


def leaked(samples: list[Sample], context: Context) -> list[str]:
    return [
        sample.text
        for sample in samples
        if leaks(sample.parts, redacted(placed(sample.text, context)))
    ]


@requirement("SAFE-FORMATS")
@pytest.mark.parametrize("context", CONTEXTS, ids=lambda each: each.name)
def test_a_token_of_any_format_goes_wherever_it_stands(context: Context) -> None:
    assert leaked(tokens(chance_of(SEED)), context) == []


@pytest.mark.long
@requirement("SAFE-FORMATS")
@pytest.mark.parametrize("seed", MANY_SEEDS)
def test_of_five_thousand_tokens_none_stays(seed: int) -> None:
    samples = tokens(chance_of(seed))

    assert [found for context in CONTEXTS for found in leaked(samples, context)] == []


@requirement("SAFE-KEYS")
@pytest.mark.parametrize("seed", range(12))
def test_a_private_key_goes_however_it_is_written(seed: int) -> None:
    made = key(chance_of(seed))
    parts = key_parts(made)

    kept = [each.name for each in key_texts(made) if leaks(parts, redacted(each.text))]
    moved = [
        each.name
        for each in key_texts(made)
        if redacted(each.text).count("\n") != each.text.count("\n")
    ]

    assert (kept, moved) == ([], [])


@requirement("SAFE-ASSIGNED")
@pytest.mark.parametrize("context", ASSIGNMENTS, ids=lambda each: each.name)
def test_a_random_value_of_a_secret_name_goes(context: Context) -> None:
    chance = chance_of(SEED)
    # Halves of the shortest value are too short to be found by themselves.
    shortest = 24 if "@1" in context.text else 20
    samples = [token("assigned", each, chance) for each in VALUES for _ in range(10)]
    long = [each for each in samples if len(each.text) >= shortest]

    assert len(leaked(long, context)) <= (1 - LEAST_ASSIGNED) * len(long)


@requirement("SAFE-FORMATS")
@pytest.mark.parametrize(("kind", "template"), templates(), ids=lambda each: each[:24])
def test_what_is_nearly_a_token_stays(kind: str, template: str) -> None:
    near = near_misses(template, chance_of(SEED))
    texts = [f"x = {each.text}\n" for each in near if "xoxe.xox" not in each.text]

    assert [each for each in texts if redacted(each) != each] == [], kind


def test_every_rule_has_a_sample() -> None:
    written = templates()
    prefixes = [(each.kind, prefix) for each in FORMATS for prefix in each.prefixes.split()]

    missing = {
        prefix
        for kind, prefix in prefixes
        if not any(own == kind and template.startswith(prefix) for own, template in written)
    }
    shapeless = {each.kind for each in SHAPES} - {kind for kind, _ in written}

    assert (missing | shapeless) - MADE_APART == set()


def test_other_formats_have_another_version() -> None:
    """Whoever changes what counts as a secret raises `RULES_VERSION`, here too."""
    digest = digest_of(repr((FORMATS, SHAPES)).encode(), 8).hex()

    assert (RULES_VERSION, digest) == (1, "e905034644634438")
