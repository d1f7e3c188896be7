"""Secrets that look real and are random, by seed, and the places in source where people put them.

A sample is written as a template: `{A36}` is 36 random letters and digits; the letters of the
alphabets are in `_ALPHABETS`. A context is the text of a file around a secret, with the words that
questions about it have. Nothing here is, or ever was, a real secret.
"""

import base64
import random
import re
import string
from typing import Final, NamedTuple

_LOWER: Final = string.ascii_lowercase
_ALNUM: Final = string.ascii_letters + string.digits
_ALPHABETS: Final = {
    "A": _ALNUM,
    "L": string.ascii_letters,
    "U": string.ascii_uppercase + string.digits,
    "l": _LOWER + string.digits,
    "h": "0123456789abcdef",
    "d": string.digits,
    "b": _ALNUM + "+/",
    "w": _ALNUM + "-_",
    "E": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
_UUID: Final = "{h8}-{h4}-{h4}-{h4}-{h12}"
_HOLE: Final = re.compile(r"\{([A-Za-z])(\d+)\}")
_RUN: Final = re.compile(r"[\w+/=.~%@:-]{10,}")
# The least piece of a secret that counts as leaked.
_LEAKED_CHARACTERS: Final = 10

# One line a prefix, with its kind. Facts about formats are in the vendors' documentation.
TOKENS: Final = """
aws_access_key AKIA{U16}
aws_access_key ASIA{U16}
aws_access_key ABIA{U16}
aws_access_key ACCA{U16}
aws_bedrock_key ABSK{b128}
alibaba_access_key LTAI{A20}
google_api_key AIza{w35}
google_client_secret GOCSPX-{w28}
google_access_token ya29.{w60}
google_refresh_token 1//0{w60}
yandex_key AQVN{w36}
age_key AGE-SECRET-KEY-1{E58}
atlassian_token ATATT3{w180}
atlassian_token ATCTT3{w180}
atlassian_token ATBB{A32}
github_token ghp_{A36}
github_token gho_{A36}
github_token ghu_{A36}
github_token ghs_{A36}
github_token ghr_{A76}
github_token github_pat_{A22}_{A59}
docker_token dckr_pat_{w27}
docker_token dckr_oat_{w32}
stripe_key sk_live_{A24}
stripe_key rk_live_{A24}
stripe_key sk_prod_{A24}
stripe_key rk_prod_{A24}
stripe_key whsec_{b32}
npm_token npm_{A36}
rubygems_token rubygems_{h48}
huggingface_token hf_{L34}
huggingface_token api_org_{L34}
groq_key gsk_{A52}
replicate_token r8_{A37}
digitalocean_token dop_v1_{h64}
digitalocean_token doo_v1_{h64}
digitalocean_token dor_v1_{h64}
shopify_token shpat_{h32}
shopify_token shpca_{h32}
shopify_token shppa_{h32}
shopify_token shpss_{h32}
grafana_token glsa_{A32}_{h8}
grafana_token glc_{b60}
grafana_token eyJrIjoi{A80}
sentry_token sntryu_{h64}
sentry_token sntrys_eyJ{b120}_{b43}
linear_key lin_api_{A40}
linear_key lin_oauth_{h64}
supabase_token sbp_{h40}
supabase_token sb_secret_{w22}_{w8}
notion_token ntn_{d11}{A35}
notion_token secret_{A43}
figma_token figd_{w40}
figma_token figo_{w40}
figma_token figor_{w40}
netlify_token nfp_{A36}
prefect_token pnu_{A36}
planetscale_token pscale_tkn_{w43}
planetscale_token pscale_oauth_{w43}
planetscale_token pscale_pw_{w43}
readme_key rdme_{l70}
shippo_token shippo_live_{h40}
duffel_token duffel_live_{w43}
sourcegraph_token sgp_{h40}
sonar_token squ_{h40}
sonar_token sqa_{h40}
sonar_token sqp_{h40}
buildkite_token bkua_{h40}
circleci_token CCIPAT_{A22}_{h40}
circleci_token CCIPRJ_{A22}_{h40}
typeform_token tfp_{A44}
resend_key re_{A8}_{A24}
posthog_key phx_{A43}
pinecone_key pcsk_{A6}_{A63}
langsmith_key lsv2_pt_{h32}_{h10}
langsmith_key lsv2_sk_{h32}_{h10}
fly_token fo1_{w43}
fly_token fm2_{b120}
fly_token fm1r_{b120}
fly_token fm1a_{b120}
clojars_token CLOJARS_{l60}
settlemint_token sm_aat_{A16}
settlemint_token sm_pat_{A16}
settlemint_token sm_sat_{A16}
onepassword_token ops_eyJ{b260}
onepassword_key A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}
slack_token xoxb-{d12}-{d12}-{A24}
slack_token xoxp-{d12}-{d12}-{d12}-{h32}
slack_token xoxa-2-{d12}-{A32}
slack_token xoxs-{d12}-{d12}-{h32}
slack_token xoxr-2-{d12}-{A32}
slack_token xoxo-{d12}-{d12}-{h32}
slack_token xoxe-1-{U146}
slack_token xoxe.xoxp-1-{U163}
slack_token xoxe.xoxb-1-{U163}
slack_token xoxc-{d12}-{d12}-{d12}-{h64}
slack_token xoxd-{b80}
slack_token xapp-1-{U11}-{d13}-{h64}
slack_webhook hooks.slack.com/services/T{U10}/B{U10}/{A24}
slack_webhook hooks.slack.com/workflows/T{U10}/A{U10}/{d18}/{A24}
slack_webhook hooks.slack.com/triggers/T{U10}/{d13}/{h32}
discord_webhook discord.com/api/webhooks/{d18}/{w68}
discord_webhook discordapp.com/api/webhooks/{d18}/{w68}
teams_webhook webhook.office.com/webhookb2/{UUID}@{UUID}/IncomingWebhook/{h32}/{UUID}
gitlab_token glpat-{w20}
gitlab_token gldt-{w20}
gitlab_token glrt-{w20}
gitlab_token glcbt-{h2}_{w20}
gitlab_token glptt-{h40}
gitlab_token glft-{w20}
gitlab_token glimt-{w25}
gitlab_token glagent-{w50}
gitlab_token gloas-{h64}
gitlab_token glsoat-{w20}
gitlab_token glffct-{w20}
gitlab_token GR1348941{w20}
anthropic_key sk-ant-api03-{w93}AA
openai_key sk-proj-{w74}T3BlbkFJ{w74}
openai_key sk-svcacct-{w74}
openai_key sk-admin-{w58}
openai_key sk-None-{w48}
openai_key sk-{A48}
openrouter_key sk-or-v1-{h64}
langfuse_key sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}
perplexity_key pplx-{A48}
xai_key xai-{A80}
nvidia_key nvapi-{w64}
tavily_key tvly-{A32}
pypi_token pypi-AgEIcHlwaS5vcmc{w150}
newrelic_key NRAK-{U27}
newrelic_key NRAL-{U27}
newrelic_key NRII-{w32}
postman_key PMAK-{h24}-{h34}
mailgun_key key-{h32}
pulumi_token pul-{h40}
contentful_token CFPAT-{w43}
adobe_secret p8e-{l32}
infracost_token ico-{A32}
frameio_token fio-u-{w64}
flutterwave_key FLWSECK-{h32}-X
scalingo_token tk-us-{w48}
brevo_key xkeysib-{h64}-{A16}
hubspot_token pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}
hubspot_token pat-eu1-{h8}-{h4}-{h4}-{h4}-{h12}
intra42_secret s-s4t2ud-{h64}
intra42_secret s-s4t2af-{h64}
heroku_key HRKU-AA{w58}
octopus_key API-{U26}
square_token sq0atp-{w22}
square_token sq0csp-{w43}
square_token EAAA{w60}
facebook_token EAAM{A160}
facebook_token EAAC{A160}
easypost_key EZAK{A54}
artifactory_key AKCp{A69}
artifactory_key cmVmd{A59}
databricks_token dapi{h32}
tailscale_key tskey-auth-{A12}-{A32}
airtable_token pat{A14}.{h64}
harness_key pat.{w22}.{A24}.{A20}
harness_key sat.{w22}.{A24}.{A20}
doppler_token dp.pt.{A43}
doppler_token dp.ct.{A43}
doppler_token dp.sa.{A43}
doppler_token dp.scim.{A43}
doppler_token dp.audit.{A43}
doppler_token dp.st.prd.{A43}
dynatrace_token dt0c01.{U24}.{U64}
dynatrace_token dt0s01.{U24}.{U64}
sendgrid_key SG.{w22}.{w43}
vault_token hvs.{w95}
vault_token hvb.{w150}
vault_token hvr.{w95}
mapbox_token sk.eyJ{A80}.{w22}
cloudflare_key v1.0-{h24}-{h146}
openshift_token sha256~{w43}
twilio_key SK{h32}
telegram_token {d9}:AA{w33}
terraform_token {A14}.atlasv1.{w64}
mailchimp_key {h32}-us12
azure_client_secret {A3}8Q~{w34}
maxmind_key {A6}_{A29}_mmk
"""


class Sample(NamedTuple):
    """A secret: its kind, its text, and the random parts of it."""

    kind: str
    text: str
    parts: tuple[str, ...]


class Near(NamedTuple):
    """A text that is nearly a token, and why it is none."""

    why: str
    text: str


def chance_of(seed: int) -> random.Random:
    """Return the source of random choices of a seed."""
    return random.Random(seed)  # noqa: S311 - it must be repeatable, and nothing is kept secret


def templates() -> list[tuple[str, str]]:
    """Return the kind and the template of every format of tokens."""
    lines = (line.split(maxsplit=1) for line in TOKENS.strip().split("\n"))
    return [(kind, template.replace("{UUID}", _UUID)) for kind, template in lines]


def token(kind: str, template: str, chance: random.Random) -> Sample:
    """Return a random token."""
    parts: list[str] = []

    def filled(match: re.Match[str]) -> str:
        parts.append("".join(chance.choices(_ALPHABETS[match[1]], k=int(match[2]))))
        return parts[-1]

    text = _HOLE.sub(filled, template)
    return Sample(kind, text, tuple(each for each in parts if len(each) >= _LEAKED_CHARACTERS))


def near_misses(template: str, chance: random.Random) -> list[Near]:
    """Return texts that a template's format must not match."""
    made = token("", template, chance).text
    filler = _HOLE.sub(lambda match: "x" * int(match[2]), template)
    first = _HOLE.search(template)
    assert first is not None
    cut = made[: first.start() + 3]
    return [
        Near("filler", filler),
        Near("cut short", cut),
        Near("part of a word", f"Q{made}"),
    ]


def discord_token(chance: random.Random) -> Sample:
    """Return a bot's token, whose first part is the number of an account."""
    number = "".join(chance.choices(string.digits[1:], k=18)).encode()
    first = base64.b64encode(number).decode().rstrip("=")
    rest = token("discord_token", "{w6}.{w38}", chance)
    return Sample("discord_token", f"{first}.{rest.text}", rest.parts)


def web_token(chance: random.Random) -> Sample:
    """Return a JSON web token."""

    def encoded(text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    payload = encoded(f'{{"sub":"{chance.randrange(10**9)}","name":"Ann"}}')
    signature = "".join(chance.choices(_ALPHABETS["w"], k=43))
    header = encoded('{"alg":"HS256","typ":"JWT"}')
    return Sample("jwt", f"{header}.{payload}.{signature}", (payload[8:], signature))


def azure_signature(chance: random.Random) -> Sample:
    """Return the signature of a shared address, as it stands in the address."""
    digits = "".join(chance.choices(_ALPHABETS["b"], k=43))
    written = digits.replace("+", "%2B").replace("/", "%2F") + "%3D"
    return Sample("azure_signature", f"sv=2023-11-03&sr=b&sig={written}&se=2030", (written,))


def labelled(chance: random.Random) -> list[Sample]:
    """Return secrets behind labels of connection strings."""
    account = token("azure_key", "AccountKey={b86}==", chance)
    bus = token("azure_key", "SharedAccessKey={b43}=", chance)
    return [account, bus, azure_signature(chance)]


def tokens(chance: random.Random) -> list[Sample]:
    """Return one random token of every format."""
    own = [discord_token(chance), web_token(chance), *labelled(chance)]
    return [token(kind, template, chance) for kind, template in templates()] + own


def leaks(parts: tuple[str, ...], told: str) -> list[str]:
    """Return the pieces of a secret's parts that a text tells."""
    size = _LEAKED_CHARACTERS
    runs = "\n".join({*_RUN.findall(told)})
    pieces = (
        part[start : start + size] for part in parts for start in range(0, len(part) - size + 1, 4)
    )
    return [piece for piece in pieces if piece in runs]


_KEY_KINDS: Final = ("EC ", "RSA ", "", "OPENSSH ", "DSA ", "ENCRYPTED ")


class Key(NamedTuple):
    """A private key in PEM: its lines with the markers, and those of its body."""

    lines: tuple[str, ...]
    body: tuple[str, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """What must not be told."""
        return tuple(each for each in self.body if len(each) >= _LEAKED_CHARACTERS)


def key(chance: random.Random) -> Key:
    """Return a random key, as short as those of elliptic curves or as long as those of RSA."""
    size = chance.choice((48, 121, 138, 600, 1192))
    digits = base64.b64encode(chance.randbytes(size)).decode()
    body = tuple(digits[start : start + 64] for start in range(0, len(digits), 64))
    kind = chance.choice(_KEY_KINDS)
    marker = f"{kind}PRIVATE KEY-----"
    return Key((f"-----BEGIN {marker}", *body, f"-----END {marker}"), body)


def key_parts(made: Key) -> tuple[str, ...]:
    """Return what a key must not tell, plain or wrapped in base64."""
    wrapped = base64.b64encode(("\n".join(made.lines) + "\n").encode()).decode()
    # The marker at its start is no secret.
    return (*made.parts, wrapped[48:])


# Values that people assign, by what they look like.
VALUES: Final = ("{A32}", "{A24}", "{h32}", "{h40}", "{h64}", "{w43}", "{A20}", "{b44}")
