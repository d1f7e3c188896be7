"""The token formats that vendors publish, as data, and the search for them.

A format is a prefix and the rest that must follow it. The search looks for the last character of
prefixes with enough text behind it, which is rare in ordinary code, and only there at prefixes: so
a text costs little, and an expression is compiled when a token of its kind is met.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

_END: Final = r"(?![A-Za-z0-9])"
_FEW_PREFIXES: Final = 3
_FEW_CHARACTERS: Final = 2_000


class TokenFormat(NamedTuple):
    """One kind of token; `rest` is an expression, without groups, for what follows a prefix."""

    kind: str
    prefixes: str  # separated by spaces
    rest: str
    is_label: bool = False  # the prefix names the secret and is no part of it


class Token(NamedTuple):
    """A token in a text: where it starts, where what follows its prefix does, and where it ends."""

    format: TokenFormat
    start: int
    rest_start: int
    end: int


class _Anchor(NamedTuple):
    """All formats whose prefixes end with one character, and the search for that character."""

    search: str  # an expression
    prefixes: tuple[str, ...]
    formats: tuple[TokenFormat, ...]  # one for each prefix


# A rest without an upper bound has nothing after it that could fail: no search backtracks.
FORMATS: Final = (
    TokenFormat("aws_access_key", "A", rf"(?:KIA|SIA|BIA|CCA)[A-Z0-9]{{16}}{_END}"),
    TokenFormat("google_api_key", "A", r"Iza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    TokenFormat("age_key", "A", rf"GE-SECRET-KEY-1[A-Z0-9]{{58}}{_END}"),
    TokenFormat("atlassian_token", "A", r"TATT3[A-Za-z0-9_=-]{60,}"),
    TokenFormat("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,}"),
    TokenFormat("github_token", "github_pat_", r"[A-Za-z0-9]{22}_[A-Za-z0-9]{50,}"),
    TokenFormat("docker_token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{27,}"),
    TokenFormat("stripe_key", "sk_live_ rk_live_", r"[A-Za-z0-9]{16,}"),
    TokenFormat("stripe_key", "whsec_", r"[A-Za-z0-9+/]{32,}={0,2}"),
    TokenFormat("npm_token", "npm_", rf"[A-Za-z0-9]{{36}}{_END}"),
    TokenFormat("rubygems_token", "rubygems_", rf"[0-9a-f]{{48}}{_END}"),
    TokenFormat("huggingface_token", "hf_", rf"[A-Za-z0-9]{{34}}{_END}"),
    TokenFormat("groq_key", "gsk_", rf"[A-Za-z0-9]{{52}}{_END}"),
    TokenFormat("replicate_token", "r8_", rf"[A-Za-z0-9]{{37}}{_END}"),
    TokenFormat("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", rf"[0-9a-f]{{64}}{_END}"),
    TokenFormat("shopify_token", "shpat_ shpca_ shppa_ shpss_", rf"[0-9A-Fa-f]{{32}}{_END}"),
    TokenFormat("grafana_token", "glsa_", rf"[A-Za-z0-9]{{32}}_[0-9a-f]{{8}}{_END}"),
    TokenFormat("sentry_token", "sntryu_", rf"[0-9a-f]{{64}}{_END}"),
    TokenFormat("linear_key", "lin_api_", rf"[A-Za-z0-9]{{40}}{_END}"),
    TokenFormat("supabase_token", "sbp_", rf"[0-9a-f]{{40}}{_END}"),
    TokenFormat(
        "slack_token", "xoxb- xoxp- xoxa- xoxs- xoxr- xoxo-", r"[0-9]{8,}-[A-Za-z0-9-]{16,}"
    ),
    TokenFormat("slack_token", "xoxe-", r"[A-Za-z0-9-]{32,}"),
    TokenFormat("slack_token", "xapp-", r"[0-9]-[A-Z0-9]{8,32}-[0-9]{8,32}-[a-z0-9]{32,}"),
    TokenFormat(
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat-",
        r"[A-Za-z0-9_-]{20,}",
    ),
    TokenFormat("anthropic_key", "sk-ant-", r"[A-Za-z0-9_-]{32,}"),
    TokenFormat("openai_key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[A-Za-z0-9_-]{32,}"),
    TokenFormat("openrouter_key", "sk-or-v1-", rf"[0-9a-f]{{64}}{_END}"),
    TokenFormat("openai_key", "sk-", r"[A-Za-z0-9]{32,64}(?![A-Za-z0-9_-])"),
    TokenFormat("perplexity_key", "pplx-", rf"[A-Za-z0-9]{{48}}{_END}"),
    TokenFormat("xai_key", "xai-", rf"[A-Za-z0-9]{{80}}{_END}"),
    TokenFormat("pypi_token", "pypi-", r"AgE[A-Za-z0-9_-]{50,}"),
    TokenFormat("google_client_secret", "GOCSPX-", r"[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])"),
    TokenFormat("newrelic_key", "NRAK-", rf"[A-Z0-9]{{27}}{_END}"),
    TokenFormat("postman_key", "PMAK-", rf"[0-9a-f]{{24}}-[0-9a-f]{{34}}{_END}"),
    TokenFormat("mailgun_key", "key-", rf"[0-9a-f]{{32}}{_END}"),
    TokenFormat("tailscale_key", "tskey-", r"[a-z]{2,8}-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,}"),
    TokenFormat("sendgrid_key", "SG.", r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"),
    TokenFormat("vault_token", "hvs.", r"[A-Za-z0-9_-]{24,}"),
    TokenFormat("google_access_token", "ya29.", r"[A-Za-z0-9_-]{30,}"),
    TokenFormat("twilio_key", "S", rf"K[0-9a-f]{{32}}{_END}"),
    TokenFormat(
        "slack_webhook",
        "hooks.slack.com/services/",
        r"[A-Z0-9]{8,16}/[A-Z0-9]{8,16}/[A-Za-z0-9]{20,}",
    ),
    TokenFormat("azure_key", "AccountKey=", r"[A-Za-z0-9+/]{86}==", is_label=True),
    TokenFormat("azure_key", "SharedAccessKey=", r"[A-Za-z0-9+/]{43}=", is_label=True),
)

# What must follow the last character of a prefix, for any format that has it.
_GUARDS: Final = {
    "A": r"(?=[KSBCIGT][ICzEA][AaT-])",
    "S": r"(?=K[0-9a-f]{4})",
    "_": r"(?=[A-Za-z0-9]{16}|(?<=at_)[A-Za-z0-9_-]{16}|(?<=sec_)[A-Za-z0-9+/]{16})",
    # A letter before it: in a rule of dashes only the first is looked at.
    "-": r"(?<=[A-Za-z0-9]-)(?=[A-Za-z0-9_-]{16})",
    ".": r"(?<=[G9s]\.)(?=[A-Za-z0-9_-]{20})",
    "=": r"(?=[A-Za-z0-9+/]{43})",
    "/": r"(?=[A-Z0-9]{8,16}/[A-Z0-9]{8,16}/)",
}


def tokens(text: str) -> Iterator[Token]:
    """Give what has the form of a token, for one last character after the other."""
    for anchor in _anchors():
        # To look for a few words costs less than to compile an expression, or to search by it.
        is_quick = len(anchor.prefixes) <= _FEW_PREFIXES or len(text) <= _FEW_CHARACTERS
        if is_quick and not any(prefix in text for prefix in anchor.prefixes):
            continue
        end = 0
        for match in _compiled(anchor.search).finditer(text):
            place = match.end()
            if place > end and text.endswith(anchor.prefixes, 0, place):
                token = _token_at(text, place, anchor)
                if token is not None:
                    yield token
                    end = token.end


def _token_at(text: str, place: int, anchor: _Anchor) -> Token | None:
    for prefix, each in zip(anchor.prefixes, anchor.formats, strict=True):
        if text.endswith(prefix, 0, place) and _boundary().match(text, place - len(prefix)):
            rest = _compiled(each.rest).match(text, place)
            if rest is not None:
                return Token(each, place - len(prefix), place, rest.end())
    return None


@cache
def _anchors() -> list[_Anchor]:
    by_character: dict[str, list[tuple[str, TokenFormat]]] = {}
    for each in FORMATS:
        for prefix in each.prefixes.split():
            by_character.setdefault(prefix[-1], []).append((prefix, each))
    return [
        _Anchor(re.escape(last) + _GUARDS[last], *zip(*pairs, strict=True))
        for last, pairs in by_character.items()
    ]


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _boundary() -> re.Pattern[str]:
    # Text in a string literal often has an escape before a token: "\nghp_...".
    return re.compile(r"(?<![A-Za-z0-9_])|(?<=\\[nrt])")
