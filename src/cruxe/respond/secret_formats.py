"""The token formats that vendors publish, as data, and one expression for each anchor.

A format is a prefix and the rest that must follow it. Expressions are grouped by the last character
of the prefix and start with it: such a search costs a look at that character, not at every letter,
which is what keeps ordinary code cheap.
"""

import re
from functools import cache
from typing import Final, NamedTuple

# What may stand before a token. Text in a string literal often has an escape there: "\nghp_...".
_BOUNDARY: Final = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))"
_END: Final = r"(?![A-Za-z0-9])"


class TokenFormat(NamedTuple):
    """One kind of token; `rest` is an expression, without groups, for what follows a prefix."""

    kind: str
    prefixes: str  # separated by spaces; all end with the same character
    rest: str
    is_label: bool = False  # the prefix names the secret and is no part of it


class Anchor(NamedTuple):
    """The expression of all formats with one anchor, and what each of its groups stands for."""

    expression: re.Pattern[str]
    formats: dict[str, tuple[TokenFormat, int]]  # group: format and length of its prefix


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
    TokenFormat("stripe_key", "whsec_", r"[A-Za-z0-9+/=]{32,}"),
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
    TokenFormat("slack_webhook", "hooks.slack.com/services/", r"[A-Z0-9/]{18,32}/[A-Za-z0-9]{20,}"),
    TokenFormat("azure_key", "AccountKey=", r"[A-Za-z0-9+/]{86}==", is_label=True),
    TokenFormat("azure_key", "SharedAccessKey=", r"[A-Za-z0-9+/]{43}=", is_label=True),
)

# What must follow an anchor for any of its formats: refuses most places before prefixes are tried.
_GUARDS: Final = {
    "A": r"(?=[KSBCIGT][ICzEA][AaT-])",
    "S": r"(?=K[0-9a-f]{4})",
    "_": r"(?=[A-Za-z0-9]{16}|(?<=at_)[A-Za-z0-9_-]{16})",
    "-": r"(?!--)(?=[A-Za-z0-9_-]{16})",
    ".": r"(?<=[G9s]\.)(?=[A-Za-z0-9_-]{20})",
    "=": r"(?=[A-Za-z0-9+/]{43})",
    "/": r"(?=[A-Z0-9]{8,16}/[A-Z0-9]{8,16}/)",
}


@cache
def token_anchors() -> tuple[Anchor, ...]:
    """Compile the table, once, on first use; one expression for each anchor."""
    by_anchor: dict[str, list[TokenFormat]] = {}
    for each in FORMATS:
        by_anchor.setdefault(each.prefixes[-1], []).append(each)
    return tuple(_anchor(character, formats) for character, formats in by_anchor.items())


def _anchor(character: str, formats: list[TokenFormat]) -> Anchor:
    groups: dict[str, tuple[TokenFormat, int]] = {}
    branches = []
    for each in formats:
        for prefix in each.prefixes.split():
            name = f"g{len(groups)}"
            groups[name] = (each, len(prefix))
            branches.append(f"(?P<{name}>(?<={_BOUNDARY}{re.escape(prefix)}){each.rest})")
    source = f"{re.escape(character)}{_GUARDS.get(character, '')}(?:{'|'.join(branches)})"
    return Anchor(re.compile(source), groups)
