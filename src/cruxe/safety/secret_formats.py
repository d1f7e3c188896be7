"""Secrets that are recognised by format alone: vendors' tokens, JSON web tokens, private keys.

A token format is a prefix and the expression that must follow it. The search looks for the last
character of a prefix with enough text after it, which is rare in code, and compares prefixes only
there. Expressions are compiled on demand.
"""

import binascii
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

_END: Final = r"(?![A-Za-z0-9])"
_FEW_PREFIXES: Final = 3
_FEW_CHARACTERS: Final = 2_000

_HEADER_START: Final = "eyJ"
_SIGNATURE_CHARACTERS: Final = 20
_SAMPLE_PAYLOAD: Final = "eyJzdWIiOiIxMjM0NTY3ODkwIi"  # {"sub":"1234567890", as tutorials have it

PRIVATE_KEY_KIND: Final = "private_key"
KEY_NEEDLE: Final = "PRIVATE KEY"
_DASHES: Final = "-----"
# An Ed25519 key, the shortest in use, has 64 characters. A shorter text is an ellipsis.
_MIN_KEY_CHARACTERS: Final = 40
_MIN_KEY_SHARE: Final = 0.7


class TokenFormat(NamedTuple):
    """One kind of token; `rest` is an expression, without groups, for what follows a prefix."""

    kind: str
    prefixes: str  # separated by spaces
    rest: str
    is_label: bool = False  # the prefix is a label and not part of the secret


class Token(NamedTuple):
    """A token in a text: the offsets of its start, of what follows its prefix, and of its end."""

    format: TokenFormat
    start: int
    rest_start: int
    end: int


class WebToken(NamedTuple):
    """A JSON web token in a text."""

    start: int
    signature_start: int
    end: int


class _Anchor(NamedTuple):
    """All formats whose prefixes end in the same character, and the search for that character."""

    search: str  # an expression
    prefixes: tuple[str, ...]
    formats: tuple[TokenFormat, ...]  # one for each prefix


# Nothing that could fail follows an unbounded repetition, so no search backtracks.
FORMATS: Final = (
    TokenFormat(
        kind="aws_access_key", prefixes="A", rest=rf"(?:KIA|SIA|BIA|CCA)[A-Z0-9]{{16}}{_END}"
    ),
    TokenFormat(kind="google_api_key", prefixes="A", rest=r"Iza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    TokenFormat(kind="age_key", prefixes="A", rest=rf"GE-SECRET-KEY-1[A-Z0-9]{{58}}{_END}"),
    TokenFormat(kind="atlassian_token", prefixes="A", rest=r"TATT3[A-Za-z0-9_=-]{60,}"),
    TokenFormat(kind="github_token", prefixes="ghp_ gho_ ghu_ ghs_ ghr_", rest=r"[A-Za-z0-9]{36,}"),
    TokenFormat(
        kind="github_token", prefixes="github_pat_", rest=r"[A-Za-z0-9]{22}_[A-Za-z0-9]{50,}"
    ),
    TokenFormat(kind="docker_token", prefixes="dckr_pat_ dckr_oat_", rest=r"[A-Za-z0-9_-]{27,}"),
    TokenFormat(kind="stripe_key", prefixes="sk_live_ rk_live_", rest=r"[A-Za-z0-9]{16,}"),
    TokenFormat(kind="stripe_key", prefixes="whsec_", rest=r"[A-Za-z0-9+/]{32,}={0,2}"),
    TokenFormat(kind="npm_token", prefixes="npm_", rest=rf"[A-Za-z0-9]{{36}}{_END}"),
    TokenFormat(kind="rubygems_token", prefixes="rubygems_", rest=rf"[0-9a-f]{{48}}{_END}"),
    TokenFormat(kind="huggingface_token", prefixes="hf_", rest=rf"[A-Za-z0-9]{{34}}{_END}"),
    TokenFormat(kind="groq_key", prefixes="gsk_", rest=rf"[A-Za-z0-9]{{52}}{_END}"),
    TokenFormat(kind="replicate_token", prefixes="r8_", rest=rf"[A-Za-z0-9]{{37}}{_END}"),
    TokenFormat(
        kind="digitalocean_token", prefixes="dop_v1_ doo_v1_ dor_v1_", rest=rf"[0-9a-f]{{64}}{_END}"
    ),
    TokenFormat(
        kind="shopify_token",
        prefixes="shpat_ shpca_ shppa_ shpss_",
        rest=rf"[0-9A-Fa-f]{{32}}{_END}",
    ),
    TokenFormat(
        kind="grafana_token", prefixes="glsa_", rest=rf"[A-Za-z0-9]{{32}}_[0-9a-f]{{8}}{_END}"
    ),
    TokenFormat(kind="sentry_token", prefixes="sntryu_", rest=rf"[0-9a-f]{{64}}{_END}"),
    TokenFormat(kind="linear_key", prefixes="lin_api_", rest=rf"[A-Za-z0-9]{{40}}{_END}"),
    TokenFormat(kind="supabase_token", prefixes="sbp_", rest=rf"[0-9a-f]{{40}}{_END}"),
    TokenFormat(
        kind="slack_token",
        prefixes="xoxb- xoxp- xoxa- xoxs- xoxr- xoxo-",
        rest=r"[0-9]{8,}-[A-Za-z0-9-]{16,}",
    ),
    TokenFormat(kind="slack_token", prefixes="xoxe-", rest=r"[A-Za-z0-9-]{32,}"),
    TokenFormat(
        kind="slack_token", prefixes="xapp-", rest=r"[0-9]-[A-Z0-9]{8,32}-[0-9]{8,32}-[a-z0-9]{32,}"
    ),
    TokenFormat(
        kind="gitlab_token",
        prefixes="glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat-",
        rest=r"[A-Za-z0-9_-]{20,}",
    ),
    TokenFormat(kind="anthropic_key", prefixes="sk-ant-", rest=r"[A-Za-z0-9_-]{32,}"),
    TokenFormat(
        kind="openai_key",
        prefixes="sk-proj- sk-svcacct- sk-admin- sk-None-",
        rest=r"[A-Za-z0-9_-]{32,}",
    ),
    TokenFormat(kind="openrouter_key", prefixes="sk-or-v1-", rest=rf"[0-9a-f]{{64}}{_END}"),
    TokenFormat(kind="openai_key", prefixes="sk-", rest=r"[A-Za-z0-9]{32,64}(?![A-Za-z0-9_-])"),
    TokenFormat(kind="perplexity_key", prefixes="pplx-", rest=rf"[A-Za-z0-9]{{48}}{_END}"),
    TokenFormat(kind="xai_key", prefixes="xai-", rest=rf"[A-Za-z0-9]{{80}}{_END}"),
    TokenFormat(kind="pypi_token", prefixes="pypi-", rest=r"AgE[A-Za-z0-9_-]{50,}"),
    TokenFormat(
        kind="google_client_secret", prefixes="GOCSPX-", rest=r"[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])"
    ),
    TokenFormat(kind="newrelic_key", prefixes="NRAK-", rest=rf"[A-Z0-9]{{27}}{_END}"),
    TokenFormat(kind="postman_key", prefixes="PMAK-", rest=rf"[0-9a-f]{{24}}-[0-9a-f]{{34}}{_END}"),
    TokenFormat(kind="mailgun_key", prefixes="key-", rest=rf"[0-9a-f]{{32}}{_END}"),
    TokenFormat(
        kind="tailscale_key",
        prefixes="tskey-",
        rest=r"[a-z]{2,8}-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,}",
    ),
    TokenFormat(
        kind="sendgrid_key",
        prefixes="SG.",
        rest=r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])",
    ),
    TokenFormat(kind="vault_token", prefixes="hvs.", rest=r"[A-Za-z0-9_-]{24,}"),
    TokenFormat(kind="google_access_token", prefixes="ya29.", rest=r"[A-Za-z0-9_-]{30,}"),
    TokenFormat(kind="twilio_key", prefixes="S", rest=rf"K[0-9a-f]{{32}}{_END}"),
    TokenFormat(
        kind="slack_webhook",
        prefixes="hooks.slack.com/services/",
        rest=r"[A-Z0-9]{8,16}/[A-Z0-9]{8,16}/[A-Za-z0-9]{20,}",
    ),
    TokenFormat(
        kind="azure_key", prefixes="AccountKey=", rest=r"[A-Za-z0-9+/]{86}==", is_label=True
    ),
    TokenFormat(
        kind="azure_key", prefixes="SharedAccessKey=", rest=r"[A-Za-z0-9+/]{43}=", is_label=True
    ),
)

# What must follow the last character of a prefix, for any format with that character.
_GUARDS: Final = {
    "A": r"(?=[KSBCIGT][ICzEA][AaT-])",
    "S": r"(?=K[0-9a-f]{4})",
    "_": r"(?=[A-Za-z0-9]{16}|(?<=at_)[A-Za-z0-9_-]{16}|(?<=sec_)[A-Za-z0-9+/]{16})",
    # A letter must precede, so that in a row of dashes only the first is examined.
    "-": r"(?<=[A-Za-z0-9]-)(?=[A-Za-z0-9_-]{16})",
    ".": r"(?<=[G9s]\.)(?=[A-Za-z0-9_-]{20})",
    "=": r"(?=[A-Za-z0-9+/]{43})",
    "/": r"(?=[A-Z0-9]{8,16}/[A-Z0-9]{8,16}/)",
}


def find_tokens(text: str) -> Iterator[Token]:
    """Yield what has the format of a token, grouped by the last character of the prefix."""
    for anchor in _anchors():
        # Searching for a few words is cheaper than compiling or running an expression.
        is_quick = len(anchor.prefixes) <= _FEW_PREFIXES or len(text) <= _FEW_CHARACTERS
        if is_quick and not any(prefix in text for prefix in anchor.prefixes):
            continue
        end = 0
        for match in _compiled(anchor.search).finditer(text):
            rest_start = match.end()
            if rest_start > end and text.endswith(anchor.prefixes, 0, rest_start):
                token = _token_at(text, rest_start, anchor)
                if token is not None:
                    yield token
                    end = token.end


def _token_at(text: str, rest_start: int, anchor: _Anchor) -> Token | None:
    for prefix, each in zip(anchor.prefixes, anchor.formats, strict=True):
        start = rest_start - len(prefix)
        if text.endswith(prefix, 0, rest_start) and _boundary().match(text, start):
            rest = _compiled(each.rest).match(text, rest_start)
            if rest is not None:
                return Token(format=each, start=start, rest_start=rest_start, end=rest.end())
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


def find_web_tokens(text: str) -> Iterator[WebToken]:
    """Yield JSON web tokens whose header decodes; the caller judges the signature.

    The sample token of tutorials is omitted.
    """
    if _HEADER_START not in text:
        return
    for match in _web_token().finditer(text):
        start = match.start() - 2
        header = text[start : match.start("payload") - 1]
        is_sample = match["payload"].startswith(_SAMPLE_PAYLOAD)
        if not is_sample and _is_web_token_header(header):
            yield WebToken(start, match.start("signature"), match.end())


def _is_web_token_header(header: str) -> bool:
    try:
        decoded = binascii.a2b_base64(header.translate({45: 43, 95: 47}) + "==")
    except ValueError:
        return False
    return decoded.startswith(b"{") and b'"alg"' in decoded


@cache
def _web_token() -> re.Pattern[str]:
    part = r"[A-Za-z0-9_-]{10,}+"
    # Anchored at the J, because the first two letters of the header are too frequent.
    return re.compile(
        rf"J(?<=(?<![A-Za-z0-9_-])eyJ|(?<=\\[nrt])eyJ){part}\.(?P<payload>eyJ{part})"
        rf"\.(?P<signature>[A-Za-z0-9_-]{{{_SIGNATURE_CHARACTERS},}}+)"
    )


def find_private_keys(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of PEM private keys in order, including their markers.

    A key may be whole, escaped into one line, or cut at either end of a snippet. A marker without
    key material, as in programs that read keys, is no secret. Nor are certificates and public keys.
    """
    if KEY_NEEDLE not in text:
        return
    covered = 0
    for marker, following in pairwise([*_key_markers().finditer(text), None]):
        assert marker is not None
        start, end = marker.span()
        limit = following.start() if following else len(text)
        if marker["side"] == "BEGIN":
            end = _end_of_key(text, end, limit)
        elif start >= covered:
            start = _start_of_key(text, covered, start)
        if end - start > marker.end() - marker.start() and start >= covered:
            yield start, end
            covered = end


def _end_of_key(text: str, start: int, limit: int) -> int:
    """Return the end of the key after a marker, or `start` if there is no key."""
    closing = _key_closing().match(text, limit)
    if closing is not None and _is_key(text[start:limit]):
        return closing.end()
    end = start
    while end < limit:
        line_end = text.find("\n", end + 1, limit)
        line_end = limit if line_end < 0 else line_end
        if not _key_line().fullmatch(text, end, line_end):
            break
        end = line_end
    return end if _is_key(text[start:end]) else start


def _start_of_key(text: str, floor: int, end: int) -> int:
    """Return the start of the key before a marker, or `end` if there is no key."""
    start = end
    while start > floor:
        line = max(text.rfind("\n", floor, start - 1) + 1, floor)
        if not _key_line().fullmatch(text, line, start):
            break
        start = line
    return start if _is_key(text[start:end]) else end


def _is_key(body: str) -> bool:
    """Return whether a text is mostly key material."""
    bare = _key_headers().sub("", body)
    key = sum(map(len, _key_runs().findall(bare)))
    rest = len(_key_filling().sub("", bare))
    return key >= _MIN_KEY_CHARACTERS and key >= _MIN_KEY_SHARE * rest


@cache
def _key_markers() -> re.Pattern[str]:
    kind = r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?"
    return re.compile(rf"{_DASHES}(?P<side>BEGIN|END) {kind}{_DASHES}")


@cache
def _key_closing() -> re.Pattern[str]:
    return re.compile(rf"{_DASHES}END [A-Z0-9 ]{{1,60}}{_DASHES}")


@cache
def _key_line() -> re.Pattern[str]:
    # Around the key material: quotes, escapes, comment marks and indentation.
    filling = r"""[\s"'`+#*/|>;,.()\\-]{0,80}"""
    header = r"[A-Z][A-Za-z-]{2,20}: [^\r\n]{0,200}"
    return re.compile(rf"{filling}(?:[A-Za-z0-9+/=\\]++{filling}|{header})?")


@cache
def _key_headers() -> re.Pattern[str]:
    return re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\r\n\\]*")


@cache
def _key_runs() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9+/=]{16,}")


@cache
def _key_filling() -> re.Pattern[str]:
    return re.compile(r"""\\[nr]|[\s"'`+#*/|>;,\\.]+""")
