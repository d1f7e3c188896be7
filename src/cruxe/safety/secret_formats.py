"""Tokens that are recognised by format alone: those of vendors, and JSON web tokens.

A format is a prefix and the expression that must follow it. One pass of RE2 finds the prefixes,
which are rare in code; expressions are compiled and compared only there.
"""

import binascii
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from cruxe.safety.secret_values import is_filler, is_token_text
from cruxe.text.patterns import ByteSearch, byte_search

_END: Final = r"(?![A-Za-z0-9])"
_WEB: Final = "[A-Za-z0-9_-]"  # base64 for addresses
# Text in a literal often has an escape before a token: "\\nghp_...". In an address a percent sign
# and two digits are a character.
_ESCAPE: Final = r"(?:\\[nrt]|%[0-9A-F]{2})"
_LEAST_AFTER_PREFIX: Final = 10
WEB_CUE: Final = r"eyJ[A-Za-z0-9_-]{10,}\."
_SAMPLE_PAYLOAD: Final = b"eyJzdWIiOiIxMjM0NTY3ODkwIi"  # {"sub":"1234567890", as in tutorials


class TokenFormat(NamedTuple):
    """One kind of token; `rest` is an expression, without groups, for what follows a prefix."""

    kind: str
    prefixes: str  # separated by spaces
    rest: str


class TokenShape(NamedTuple):
    """One kind of token without a prefix, as an expression that starts at a word."""

    kind: str
    expression: str


class Token(NamedTuple):
    """A token in a text: its kind, and the offsets of its start and end."""

    kind: str
    start: int
    end: int


def _hex(count: int) -> str:
    return rf"[0-9a-f]{{{count}}}{_END}"


def _alnum(count: int) -> str:
    return rf"[A-Za-z0-9]{{{count}}}{_END}"


def _web(count: int) -> str:
    return rf"{_WEB}{{{count}}}(?!{_WEB})"


# Nothing that could fail follows an unbounded repetition, so no search backtracks.
FORMATS: Final = (
    TokenFormat("aws_access_key", "AKIA ASIA ABIA ACCA", rf"[A-Z0-9]{{16}}{_END}"),
    TokenFormat("aws_bedrock_key", "ABSK", r"[A-Za-z0-9+/]{109,269}={0,2}"),
    TokenFormat("alibaba_access_key", "LTAI", _alnum(20)),
    TokenFormat("google_api_key", "AIza", _web(35)),
    TokenFormat("google_client_secret", "GOCSPX-", _web(28)),
    TokenFormat("google_access_token", "ya29.", r"[A-Za-z0-9_-]{30,}"),
    TokenFormat("google_refresh_token", "1//0", rf"{_WEB}{{40,}}"),
    TokenFormat("yandex_key", "AQVN", rf"{_WEB}{{35,38}}(?!{_WEB})"),
    TokenFormat("age_key", "AGE-SECRET-KEY-1", rf"[A-Z0-9]{{58}}{_END}"),
    TokenFormat("atlassian_token", "ATATT3 ATCTT3", r"[A-Za-z0-9_=-]{60,}"),
    TokenFormat("atlassian_token", "ATBB", _alnum(32)),
    TokenFormat("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,}"),
    TokenFormat("github_token", "github_pat_", r"[A-Za-z0-9]{22}_[A-Za-z0-9]{50,}"),
    TokenFormat("docker_token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{27,}"),
    TokenFormat("stripe_key", "sk_live_ rk_live_ sk_prod_ rk_prod_", r"[A-Za-z0-9]{16,}"),
    TokenFormat("stripe_key", "whsec_", r"[A-Za-z0-9+/]{32,}={0,2}"),
    TokenFormat("npm_token", "npm_", _alnum(36)),
    TokenFormat("rubygems_token", "rubygems_", _hex(48)),
    TokenFormat("huggingface_token", "hf_ api_org_", _alnum(34)),
    TokenFormat("groq_key", "gsk_", _alnum(52)),
    TokenFormat("replicate_token", "r8_", _alnum(37)),
    TokenFormat("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", _hex(64)),
    TokenFormat("shopify_token", "shpat_ shpca_ shppa_ shpss_", rf"[0-9A-Fa-f]{{32}}{_END}"),
    TokenFormat("grafana_token", "glsa_", rf"[A-Za-z0-9]{{32}}_[0-9A-Fa-f]{{8}}{_END}"),
    TokenFormat("grafana_token", "glc_", r"[A-Za-z0-9+/]{32,}={0,3}"),
    TokenFormat("grafana_token", "eyJrIjoi", r"[A-Za-z0-9]{70,}={0,3}"),
    TokenFormat("sentry_token", "sntryu_", _hex(64)),
    TokenFormat("sentry_token", "sntrys_eyJ", r"[A-Za-z0-9+/=]{20,}_[A-Za-z0-9+/]{43}"),
    TokenFormat("linear_key", "lin_api_ lin_oauth_", rf"[A-Za-z0-9]{{40,64}}{_END}"),
    TokenFormat("supabase_token", "sbp_", _hex(40)),
    TokenFormat("supabase_token", "sb_secret_", rf"{_WEB}{{22}}_{_WEB}{{8}}(?!{_WEB})"),
    TokenFormat("notion_token", "ntn_", rf"[0-9]{{11}}[A-Za-z0-9]{{35}}{_END}"),
    TokenFormat("notion_token", "secret_", _alnum(43)),
    TokenFormat("figma_token", "figd_ figo_ figor_", rf"{_WEB}{{40,}}"),
    TokenFormat("netlify_token", "nfp_", r"[A-Za-z0-9_]{36,}"),
    TokenFormat("prefect_token", "pnu_", _alnum(36)),
    TokenFormat("planetscale_token", "pscale_tkn_ pscale_oauth_ pscale_pw_", r"[\w=.-]{32,64}"),
    TokenFormat("readme_key", "rdme_", rf"[a-z0-9]{{70}}{_END}"),
    TokenFormat("shippo_token", "shippo_live_", _hex(40)),
    TokenFormat("duffel_token", "duffel_live_", r"[A-Za-z0-9_=-]{43}"),
    TokenFormat("sourcegraph_token", "sgp_", r"(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}"),
    TokenFormat("sonar_token", "squ_ sqa_ sqp_", _hex(40)),
    TokenFormat("buildkite_token", "bkua_", _hex(40)),
    TokenFormat("circleci_token", "CCIPAT_ CCIPRJ_", rf"[A-Za-z0-9]{{18,24}}_{_hex(40)}"),
    TokenFormat("typeform_token", "tfp_", r"[A-Za-z0-9_.-]{44,}"),
    TokenFormat("posthog_key", "phx_", rf"[A-Za-z0-9]{{40,64}}{_END}"),
    TokenFormat("pinecone_key", "pcsk_", r"[A-Za-z0-9_]{60,}"),
    TokenFormat("langsmith_key", "lsv2_pt_ lsv2_sk_", rf"[0-9a-f]{{32}}_{_hex(10)}"),
    TokenFormat("fly_token", "fo1_", _web(43)),
    TokenFormat("fly_token", "fm2_ fm1r_ fm1a_", r"[A-Za-z0-9+/]{100,}={0,3}"),
    TokenFormat("clojars_token", "CLOJARS_", _alnum(60)),
    TokenFormat("settlemint_token", "sm_aat_ sm_pat_ sm_sat_", _alnum(16)),
    TokenFormat("onepassword_token", "ops_eyJ", r"[A-Za-z0-9+/]{200,}={0,3}"),
    TokenFormat(
        "onepassword_key",
        "A3-",
        rf"[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})"
        rf"(?:-[A-Z0-9]{{5}}){{3}}{_END}",
    ),
    TokenFormat(
        "slack_token", "xoxb- xoxp- xoxa- xoxs- xoxr- xoxo-", r"[0-9]{1,}-[A-Za-z0-9-]{16,}"
    ),
    TokenFormat("slack_token", "xoxe- xoxe.xoxb- xoxe.xoxp-", r"[A-Za-z0-9-]{32,}"),
    TokenFormat("slack_token", "xoxc- xoxd-", r"[A-Za-z0-9%+/=-]{40,}"),
    TokenFormat("slack_token", "xapp-", r"[0-9]-[A-Z0-9]{8,32}-[0-9]{8,32}-[a-z0-9]{32,}"),
    TokenFormat(
        "gitlab_token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-",
        r"[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2}[0-9a-z]{7})?",
    ),
    TokenFormat("gitlab_token", "GR1348941", r"[A-Za-z0-9_-]{20,}"),
    TokenFormat("anthropic_key", "sk-ant-", r"[A-Za-z0-9_-]{32,}"),
    TokenFormat("openai_key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[A-Za-z0-9_-]{32,}"),
    TokenFormat("openrouter_key", "sk-or-v1-", _hex(64)),
    TokenFormat("langfuse_key", "sk-lf-", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    TokenFormat("openai_key", "sk-", r"[A-Za-z0-9]{32,64}(?![A-Za-z0-9_-])"),
    TokenFormat("perplexity_key", "pplx-", _alnum(48)),
    TokenFormat("xai_key", "xai-", _alnum(80)),
    TokenFormat("nvidia_key", "nvapi-", rf"{_WEB}{{60,}}"),
    TokenFormat("tavily_key", "tvly-", rf"(?:dev-|prod-)?[A-Za-z0-9]{{32}}{_END}"),
    TokenFormat("pypi_token", "pypi-AgE", r"[A-Za-z0-9_-]{50,}"),
    TokenFormat("newrelic_key", "NRAK- NRAL-", rf"[A-Z0-9]{{27}}{_END}"),
    TokenFormat("newrelic_key", "NRII-", _web(32)),
    TokenFormat("postman_key", "PMAK-", rf"[0-9a-f]{{24}}-{_hex(34)}"),
    TokenFormat("mailgun_key", "key-", _hex(32)),
    TokenFormat("pulumi_token", "pul-", _hex(40)),
    TokenFormat("contentful_token", "CFPAT-", _web(43)),
    TokenFormat("adobe_secret", "p8e-", _alnum(32)),
    TokenFormat("infracost_token", "ico-", _alnum(32)),
    TokenFormat("frameio_token", "fio-u-", r"[A-Za-z0-9_=-]{64}"),
    TokenFormat("flutterwave_key", "FLWSECK-", r"[0-9a-f]{32}-X"),
    TokenFormat("scalingo_token", "tk-us-", _web(48)),
    TokenFormat("brevo_key", "xkeysib-", rf"[0-9a-f]{{64}}-{_alnum(16)}"),
    TokenFormat(
        "hubspot_token", "pat-na1- pat-eu1-", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    ),
    TokenFormat("intra42_secret", "s-s4t2ud- s-s4t2af-", _hex(64)),
    TokenFormat("heroku_key", "HRKU-", rf"{_WEB}{{36,64}}(?!{_WEB})"),
    TokenFormat("octopus_key", "API-", rf"[A-Z0-9]{{26}}{_END}"),
    TokenFormat("square_token", "sq0atp- sq0csp-", rf"{_WEB}{{22,60}}(?!{_WEB})"),
    TokenFormat("square_token", "EAAA", rf"{_WEB}{{60}}(?!{_WEB})"),
    TokenFormat("facebook_token", "EAAM EAAC", _alnum(0).replace("{0}", "{100,}")),
    TokenFormat("easypost_key", "EZAK", _alnum(54)),
    TokenFormat("artifactory_key", "AKCp", _alnum(69)),
    TokenFormat("artifactory_key", "cmVmd", _alnum(59)),
    TokenFormat("databricks_token", "dapi", rf"[0-9a-f]{{32}}(?:-[0-9])?{_END}"),
    TokenFormat("tailscale_key", "tskey-", r"[a-z]{2,8}-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,}"),
    TokenFormat("harness_key", "pat. sat.", rf"{_WEB}{{22}}\.[A-Za-z0-9]{{24}}\.{_alnum(20)}"),
    TokenFormat("doppler_token", "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9]{40,44}"),
    TokenFormat("doppler_token", "dp.st.", r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    TokenFormat("dynatrace_token", "dt0c01. dt0s01.", rf"[A-Za-z0-9]{{24}}\.{_alnum(64)}"),
    TokenFormat("sendgrid_key", "SG.", rf"{_WEB}{{22}}\.{_web(43)}"),
    TokenFormat("vault_token", "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{24,}"),
    TokenFormat("mapbox_token", "sk.eyJ", rf"{_WEB}{{40,}}\.{_WEB}{{20,}}"),
    TokenFormat("cloudflare_key", "v1.0-", rf"[0-9a-f]{{24}}-{_hex(146)}"),
    TokenFormat("openshift_token", "sha256~", _web(43)),
    TokenFormat("twilio_key", "SK", _hex(32)),
    TokenFormat(
        "slack_webhook",
        "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/",
        r"[A-Z0-9]{8,16}/[A-Za-z0-9]{8,16}/[A-Za-z0-9/]{20,}",
    ),
    TokenFormat(
        "discord_webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        rf"[0-9]{{17,20}}/{_WEB}{{60,}}",
    ),
    TokenFormat(
        "teams_webhook",
        "webhook.office.com/webhookb2/",
        r"[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36}",
    ),
    TokenFormat("azure_key", "AccountKey=", r"[A-Za-z0-9+/]{86}=="),
    TokenFormat("azure_key", "SharedAccessKey=", r"[A-Za-z0-9+/]{43}="),
    TokenFormat("azure_signature", "sig=", r"(?:[A-Za-z0-9+/]|%2[BbFf]){43}(?:=|%3[Dd])"),
)
# Kinds whose prefix is a label and not part of the secret.
_LABELLED: Final = frozenset({"azure_key", "azure_signature"})
SHAPES: Final = (
    TokenShape("telegram_token", rf"[0-9]{{8,10}}:AA{_WEB}{{33}}"),
    TokenShape("discord_token", rf"[MNO]{_WEB}{{23,27}}\.{_WEB}{{6}}\.{_WEB}{{27,40}}"),
    TokenShape("terraform_token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    TokenShape("mailchimp_key", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    TokenShape("azure_client_secret", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    # Their prefixes are too frequent in code.
    TokenShape("airtable_token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    TokenShape("resend_key", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    TokenShape("maxmind_key", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
)


def find_tokens(data: bytes) -> Iterator[Token]:
    """Yield what has the format of a token, in order."""
    find, place = _prefix_search(), 0
    while (place := find(data, place)) >= 0:
        token, end = _token_at(data, place)
        if token is not None:
            yield token
        place = max(place + 1, end)


def _token_at(data: bytes, start: int) -> tuple[Token | None, int]:
    """Return the token at a prefix, or None, and where to search on: not in filler again."""
    end = start
    if _boundary().match(data, start) is None:
        return None, end
    for prefix, each in _formats_at(data, start):
        secret = start + len(prefix) if each.kind in _LABELLED else start
        rest = _compiled(each.rest).match(data, start + len(prefix))
        if rest is not None:
            end = max(end, rest.end())
            if is_token_text(_text(rest[0])):
                return Token(each.kind, secret, end), end
    return None, end


def _formats_at(data: bytes, start: int) -> Iterator[tuple[bytes, TokenFormat]]:
    """Yield the formats with a prefix at a place, the longest prefix first."""
    known = _by_prefix()
    for length in _lengths():
        for each in known.get(data[start : start + length], ()):
            yield data[start : start + length], each


def find_shaped_tokens(data: bytes) -> Iterator[Token]:
    """Yield what has the shape of a token, in order."""
    find, place = _shape_search(), 0
    while (place := find(data, place)) >= 0:
        end = place + 1
        for each in SHAPES:
            match = _word_start(each.expression).match(data, place)
            if match is not None and _is_shaped(each.kind, _text(match["token"])):
                yield Token(each.kind, *match.span("token"))
                end = match.end()
                break
        place = end


def _is_shaped(kind: str, token: str) -> bool:
    if not is_token_text(token):
        return False
    if kind != "discord_token":
        return True
    # The first part is the number of an account.
    digits = token.partition(".")[0].translate({45: 43, 95: 47})
    try:
        return binascii.a2b_base64(digits[: len(digits) // 4 * 4]).isdigit()
    except ValueError:
        return False


def _text(data: bytes) -> str:
    return data.decode("latin-1")


def prefix_cue() -> str:
    """Return an expression of RE2 for what every token of a format has."""
    prefixes = "|".join(re.escape(each.decode()) for each in _by_prefix())
    return rf"(?:{prefixes})[A-Za-z0-9+/_.=~%-]{{{_LEAST_AFTER_PREFIX}}}"


def shape_cue() -> str:
    """Return an expression of RE2 for tokens by shape."""
    shapes = "|".join(each.expression for each in SHAPES)
    return rf"(?:^|[^A-Za-z0-9_.-]|{_ESCAPE})(?:{shapes})"


@cache
def _prefix_search() -> ByteSearch:
    return byte_search(prefix_cue())


@cache
def _shape_search() -> ByteSearch:
    return byte_search(shape_cue())


@cache
def _by_prefix() -> dict[bytes, tuple[TokenFormat, ...]]:
    known: dict[bytes, tuple[TokenFormat, ...]] = {}
    for each in FORMATS:
        for prefix in each.prefixes.split():
            known[prefix.encode()] = (*known.get(prefix.encode(), ()), each)
    return known


@cache
def _lengths() -> tuple[int, ...]:
    return tuple(sorted({len(prefix) for prefix in _by_prefix()}, reverse=True))


@cache
def _compiled(source: str) -> re.Pattern[bytes]:
    return re.compile(source.encode())


@cache
def _word_start(source: str) -> re.Pattern[bytes]:
    start = rf"(?:{_ESCAPE}|[^A-Za-z0-9_.-]?(?<![A-Za-z0-9_.-]))"
    return re.compile(rf"{start}(?P<token>{source}){_END}".encode())


@cache
def _boundary() -> re.Pattern[bytes]:
    return re.compile(rb"(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F])")


def find_web_tokens(data: bytes) -> Iterator[Token]:
    """Yield JSON web tokens whose header decodes; the sample token of tutorials is omitted."""
    if b"eyJ" not in data:
        return
    for match in _web_token().finditer(data):
        start = match.start() - 2
        header = data[start : match.start("payload") - 1]
        is_sample = match["payload"].startswith(_SAMPLE_PAYLOAD)
        is_empty = is_filler(_text(match["signature"]))
        if not is_sample and not is_empty and _is_web_token_header(header):
            yield Token("jwt", start, match.end())


def _is_web_token_header(header: bytes) -> bool:
    try:
        decoded = binascii.a2b_base64(header.translate(_to_plain_base64()) + b"==")
    except ValueError:
        return False
    return decoded.startswith(b"{") and b'"alg"' in decoded


@cache
def _to_plain_base64() -> bytes:
    return bytes.maketrans(b"-_", b"+/")


@cache
def _web_token() -> re.Pattern[bytes]:
    part = rb"[A-Za-z0-9_-]{10,}+"
    # Anchored at the J, because the first two letters of the header are too frequent.
    return re.compile(
        rb"J(?<=(?<![A-Za-z0-9_-])eyJ|(?<=\\[nrt])eyJ|(?<=%%[0-9A-F][0-9A-F])eyJ)%b\.(?P<payload>(?:eyJ)?%b)"
        rb"\.(?P<signature>[A-Za-z0-9_-]{20,}+(?:\.[A-Za-z0-9_-]{16,}+){0,2})" % (part, part)
    )
