"""The places in source where people put secrets, as texts of files with a hole."""

import base64
import re
from typing import Final, NamedTuple

from tests.support.secret_samples import Key


class Context(NamedTuple):
    """A place for a secret: the path and text of a file; `@` is the secret."""

    name: str
    path: str
    text: str


# Where a token may stand whole. `@1` and `@2` are its halves, joined by the source.
CONTEXTS: Final = tuple(
    Context(*each)
    for each in (
        ("python constant", "quay.py", 'QUAY_CRANE = "@"\n'),
        ("python default", "quay.py", 'def moor_quay(rope, line="@"):\n    return rope\n'),
        (
            "python long signature",
            "quay.py",
            'def moor_quay(\n    rope: str,\n    line: str = "@",\n) -> None:\n    return None\n',
        ),
        ("python docstring", "quay.py", 'def moor_quay():\n    """Moor with @ at night."""\n'),
        ("python comment", "quay.py", "# moor with @ at night\ndef moor_quay(): ...\n"),
        ("python decorator", "quay.py", '@@moored("@")\ndef moor_quay():\n    return 1\n'),
        ("python bytes", "quay.py", 'def moor_quay():\n    return b"@"\n'),
        ("python escape", "quay.py", 'def moor_quay(text="first\\n@\\nlast"):\n    return 1\n'),
        ("python joined", "quay.py", 'QUAY = (\n    "@1"\n    "@2"\n)\ndef moor_quay(): ...\n'),
        ("python plus", "quay.py", 'def moor_quay(a="@1" + "@2"):\n    return a\n'),
        ("python list", "quay.py", 'QUAY_LINES = ["rope", "@", "chain"]\n'),
        ("python triple", "quay.py", 'QUAY_TEXT = """\n@\n"""\n'),
        ("python fstring", "quay.py", 'def moor_quay():\n    return f"x @ {y}"\n'),
        ("go constant", "quay.go", 'package quay\n\nconst MoorQuay = "@"\n'),
        ("go raw", "quay.go", "package quay\n\nvar MoorQuay = `@`\n"),
        ("go doc", "quay.go", "package quay\n\n// MoorQuay takes @ first.\nfunc MoorQuay() {}\n"),
        ("go joined", "quay.go", 'package quay\n\nvar MoorQuay = "@1" +\n\t"@2"\n'),
        ("javascript template", "quay.js", "export const moorQuay = `@`;\n"),
        ("javascript array", "quay.js", "export const moorQuay = ['a', '@'];\n"),
        ("javascript default", "quay.js", "function moorQuay(rope, line = '@') { return 1; }\n"),
        ("javascript object", "quay.js", "export const moorQuay = { line: '@', rope: 2 };\n"),
        ("typescript type", "quay.ts", 'export type MoorQuay = "@" | "none";\n'),
        ("java field", "Quay.java", 'class Quay {\n  static final String MOOR = "@";\n}\n'),
        ("java joined", "Quay.java", 'class Quay {\n  String moor = "@1"\n      + "@2";\n}\n'),
        ("java annotation", "Quay.java", 'class Quay {\n  @@Moor("@")\n  void quay() {}\n}\n'),
        ("rust constant", "quay.rs", 'pub const MOOR_QUAY: &str = "@";\n'),
        ("c define", "quay.c", '#define MOOR_QUAY "@"\nint quay(void) { return 1; }\n'),
        ("c adjacent", "quay.c", 'const char *moor_quay = "@1" "@2";\n'),
        ("csharp verbatim", "Quay.cs", 'class Quay {\n  string Moor = @@"@";\n}\n'),
        ("ruby constant", "quay.rb", "MOOR_QUAY = '@'\n"),
        ("ruby percent", "quay.rb", "MOOR_QUAY = %q(@)\n"),
        ("php define", "quay.php", "<?php\ndefine('MOOR_QUAY', '@');\n"),
        ("php joined", "quay.php", "<?php\n$moorQuay = '@1' . '@2';\n"),
        ("kotlin", "Quay.kt", 'val moorQuay: String = "@"\n'),
        ("swift", "Quay.swift", 'let moorQuay = "@"\n'),
        ("scala", "Quay.scala", 'object Quay { val moor = "@" }\n'),
        ("lua joined", "quay.lua", 'local moorQuay = "@1" .. "@2"\n'),
        ("elixir", "quay.ex", 'defmodule Quay do\n  @@moor "@"\nend\n'),
        ("haskell", "Quay.hs", 'module Quay where\nmoor = "@1" ++ "@2"\n'),
        ("zig", "quay.zig", 'pub const moor_quay = "@";\n'),
        ("shell export", "quay.sh", "export MOOR_QUAY=@\n"),
        ("shell flag", "quay.sh", "moor-quay --line=@ --rope 2\n"),
        ("shell quoted", "quay.sh", 'moor-quay -e "LINE=@" -d\n'),
        ("shell header", "quay.sh", 'curl -H "X-Moor: @" https://quay.test/\n'),
        ("shell continued", "quay.sh", 'LINE="@1\\\n@2"\n'),
        ("powershell", "quay.ps1", '$env:MOOR_QUAY = "@"\n'),
        ("dockerfile env", "Dockerfile", "FROM scratch AS quay\nENV MOOR_QUAY @\n"),
        ("dockerfile arg", "Dockerfile", "FROM scratch AS quay\nARG MOOR_QUAY=@\n"),
        ("dockerfile run", "Dockerfile", "FROM scratch AS quay\nRUN moor --line @ && true\n"),
        ("makefile", "Makefile", "MOOR_QUAY := @\nquay:\n\ttrue\n"),
        ("yaml plain", "quay.yaml", "moor:\n  quay: @\n  rope: 2\n"),
        ("yaml quoted", "quay.yaml", "moor:\n  quay: '@'\n"),
        ("yaml block", "quay.yaml", "moor:\n  quay: |\n    @\n  rope: 2\n"),
        ("yaml folded", "quay.yaml", "moor:\n  quay: >-\n    first\n    @\n  rope: 2\n"),
        ("yaml list", "quay.yaml", "moor:\n  - @\n  - rope\n"),
        ("yaml key", "quay.yaml", '"@":\n  quay: 1\n'),
        ("toml value", "quay.toml", '[moor]\nquay = "@"\n'),
        ("toml array", "quay.toml", '[moor]\nquay = [\n  "rope",\n  "@",\n]\n'),
        ("toml multi-line", "quay.toml", '[moor]\nquay = """\n@"""\n'),
        ("json value", "quay.json", '{\n  "moor": {"quay": "@"}\n}\n'),
        ("json key", "quay.json", '{\n  "@": {"quay": 1}\n}\n'),
        ("ini", "quay.ini", "[moor]\nquay = @\n"),
        ("properties", "quay.properties", "moor.quay=@\n"),
        ("xml element", "quay.xml", "<moor>\n  <quay>@</quay>\n</moor>\n"),
        ("xml attribute", "quay.xml", '<moor quay="@"/>\n'),
        ("xml text", "quay.xml", "<moor><![CDATA[@]]></moor>\n"),
        ("html script", "quay.html", "<h1>Quay</h1>\n<script>moor('@')</script>\n"),
        ("sql", "quay.sql", "CREATE TABLE quay (moor TEXT DEFAULT '@');\n"),
        ("markdown heading", "QUAY.md", "# Moor with @ at the quay\n\nRopes.\n"),
        ("markdown span", "QUAY.md", "# Quay\n\nMoor with `@` at night.\n"),
        ("markdown table", "QUAY.md", "# Quay\n\n| moor | @ |\n|---|---|\n"),
        ("rst heading", "QUAY.rst", "Moor with @ quay\n" + "=" * 400 + "\n\nRopes.\n"),
        ("asciidoc heading", "QUAY.adoc", "= Moor with @ quay\n\nRopes.\n"),
        ("address", "quay.py", 'MOOR_QUAY = "https://quay.test/moor?line=@&rope=2"\n'),
        ("address, encoded", "quay.py", 'MOOR_QUAY = "https://quay.test/?moor=line%3D@%26x"\n'),
        ("address, user", "quay.sh", "git clone https://moor:@/@@quay.test/moor.git\n"),
        ("terraform", "quay.tf", 'resource "moor" "quay" {\n  line = "@"\n}\n'),
        ("graphql", "quay.graphql", 'query Moor { quay(line: "@") { rope } }\n'),
        ("nginx", "nginx.conf", "location /quay {\n  proxy_set_header Moor @;\n}\n"),
        ("log", "quay.log", "2030-01-01 INFO moored quay with @\n"),
        ("csv", "quay.csv", "moor,quay\nrope,@\n"),
        (
            "notebook",
            "quay.ipynb",
            '{"cells": [{"cell_type": "code", "source": ["moor = \'@\'"]}], "nbformat": 4}\n',
        ),
    )
)


def placed(sample: str, context: Context) -> str:
    """Return the text of a context with a secret in it; `@@` is an at sign, `@1` its first half."""
    half = len(sample) // 2
    parts = {"@": sample, "@1": sample[:half], "@2": sample[half:], "@@": "@"}
    return re.sub("@@|@[12]?", lambda match: parts[match[0]], context.text)


def _each(lines: tuple[str, ...], form: str, between: str) -> str:
    return between.join(form.replace("@", line) for line in lines)


def key_texts(made: Key) -> list[Context]:
    """Return the files in which a key is written in many ways."""
    lines, escaped = made.lines, "\\n".join(made.lines) + "\\n"
    plain, runs = "\n".join(lines), " ".join(lines)
    unended = lines[:-1]
    wrapped = base64.b64encode(f"{plain}\n".encode()).decode()
    folded = "\n".join(wrapped[start : start + 76] for start in range(0, len(wrapped), 76))
    body = "\n".join(made.body)
    putty = (
        "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: quay\nPublic-Lines: 1\n"
        f"AAAAB3NzaC1yc2E=\nPrivate-Lines: {len(made.body)}\n{body}\nPrivate-MAC: 00ff\n"
    )
    ssh2 = (
        '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "quay"\n'
        f"{body}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n"
    )
    indented = _each(lines, "    @", "\n")
    return [
        Context("python triple", "quay.py", f'QUAY = """{plain}\n"""\ndef moor(): ...\n'),
        Context("python escaped", "quay.py", f'def moor(line="{escaped}"):\n    return 1\n'),
        Context(
            "python joined",
            "quay.py",
            "QUAY = (\n" + _each(lines, '    "@\\n"', "\n") + "\n)\ndef moor(): ...\n",
        ),
        Context(
            "python default",
            "quay.py",
            "def moor(line=(" + _each(lines, '"@\\n"', " ") + ")):\n    return 1\n",
        ),
        Context(
            "python default, no end",
            "quay.py",
            "def moor(line=(" + _each(unended, '"@"', " ") + ")):\n    return 1\n",
        ),
        Context(
            "python list",
            "quay.py",
            "QUAY = [\n" + _each(lines, '    "@",', "\n") + "\n]\ndef moor(): ...\n",
        ),
        Context("python doc", "quay.py", f'def moor():\n    """Moor.\n\n{indented}\n    """\n'),
        Context("python comment", "quay.py", _each(lines, "# @", "\n") + "\ndef moor(): ...\n"),
        Context("go raw", "quay.go", f"package quay\n\nconst Moor = `{plain}`\n"),
        Context(
            "go joined",
            "quay.go",
            "package quay\n\nconst Moor = " + _each(lines, '"@\\n"', " +\n\t") + "\n",
        ),
        Context(
            "javascript array",
            "quay.js",
            "const moor = [\n" + _each(lines, "  '@',", "\n") + "\n].join('\\n');\n",
        ),
        Context(
            "javascript one line",
            "quay.js",
            "const moor = [" + _each(lines, "'@'", ", ") + "].join('\\n');\n",
        ),
        Context("javascript template", "quay.js", f"const moor = `{plain}`;\n"),
        Context(
            "java joined",
            "Quay.java",
            'class Quay {\n  static final String MOOR = ""\n'
            + _each(lines, '      + "@\\n"', "\n")
            + ";\n  void moor() {}\n}\n",
        ),
        Context(
            "java builder",
            "Quay.java",
            "class Quay {\n  String moor() {\n    return new StringBuilder()\n"
            + _each(lines, '        .append("@\\n")', "\n")
            + ".toString();\n  }\n}\n",
        ),
        Context(
            "c adjacent", "quay.c", "const char *moor =\n" + _each(lines, '  "@\\n"', "\n") + ";\n"
        ),
        Context("rust", "quay.rs", f'pub const MOOR: &str = "{plain}";\n'),
        Context(
            "php joined", "quay.php", "<?php\n$moor = " + _each(lines, '"@\\n"', "\n  . ") + ";\n"
        ),
        Context("ruby heredoc", "quay.rb", f"MOOR = <<~KEY\n{indented}\nKEY\ndef moor; end\n"),
        Context("shell heredoc", "quay.sh", f"cat > moor <<EOF\n{plain}\nEOF\nmoor() {{ :; }}\n"),
        Context("yaml block", "quay.yaml", f"moor:\n  quay: |\n{indented}\n  rope: 2\n"),
        Context("yaml folded", "quay.yaml", f"moor:\n  quay: >-\n{indented}\n  rope: 2\n"),
        Context(
            "yaml no end",
            "quay.yaml",
            "moor:\n  quay: |\n" + _each(unended, "    @", "\n") + "\n  rope: 2\n",
        ),
        Context("yaml quoted", "quay.yaml", f'moor:\n  quay: "{escaped}"\n'),
        Context("toml", "quay.toml", f'[moor]\nquay = """\n{plain}\n"""\nrope = 2\n'),
        Context(
            "toml array", "quay.toml", "[moor]\nquay = [\n" + _each(lines, '  "@",', "\n") + "\n]\n"
        ),
        Context("json", "quay.json", f'{{"moor": {{"quay": "{escaped}"}}}}\n'),
        Context("env", "quay.ini", f"MOOR={escaped}\nROPE=2\n"),
        Context("xml", "quay.xml", f"<moor>\n  <quay>{plain}</quay>\n</moor>\n"),
        Context("markdown block", "QUAY.md", f"# Quay\n\n```\n{plain}\n```\n\n## Rope\n"),
        Context("markdown heading", "QUAY.md", f"# Moor {runs}\n\nRopes.\n"),
        Context(
            "markdown heading, no end", "QUAY.md", "# Moor " + " ".join(unended) + "\n\nRope\n"
        ),
        Context("wrapped", "quay.yaml", f"moor:\n  client-key-data: {wrapped}\n  rope: 2\n"),
        Context(
            "wrapped, folded",
            "quay.yaml",
            "moor:\n  tls.key: |\n"
            + _each(tuple(folded.split("\n")), "    @", "\n")
            + "\n  rope: 2\n",
        ),
        Context("wrapped in json", "quay.json", f'{{"moor": "{wrapped}", "rope": 2}}\n'),
        Context("putty", "quay.txt", putty),
        Context("putty escaped", "quay.py", "MOOR = '" + putty.replace("\n", "\\n") + "'\n"),
        Context("ssh2", "quay.txt", ssh2),
        Context("dockerfile", "Dockerfile", f'FROM scratch AS quay\nENV MOOR "{escaped}"\n'),
        Context("diff", "quay.diff", _each(lines, "+@", "\n") + "\n"),
    ]


# Where a value is a secret because of the name that it is assigned to.
ASSIGNMENTS: Final = tuple(
    Context(*each)
    for each in (
        ("python", "quay.py", 'QUAY_API_KEY = "@"\n'),
        ("python annotated", "quay.py", 'quay_token: str = "@"\n'),
        ("python argument", "quay.py", 'moor(api_key="@", rope=2)\n'),
        ("python default", "quay.py", 'def moor(rope, token="@"):\n    return rope\n'),
        ("python environ", "quay.py", 'os.environ["QUAY_TOKEN"] = "@"\n'),
        ("python getenv", "quay.py", 'KEY = os.getenv("QUAY_SECRET", "@")\n'),
        ("python get", "quay.py", 'key = os.environ.get("QUAY_TOKEN", "@")\n'),
        ("python or", "quay.py", 'TOKEN = os.getenv("QUAY_TOKEN") or "@"\n'),
        ("python dict", "quay.py", 'QUAY = {"client_secret": "@", "rope": 2}\n'),
        ("python list", "quay.py", 'API_KEYS = ["@"]\n'),
        ("python triple", "quay.py", 'QUAY_PASSWORD = """@"""\n'),
        ("python joined", "quay.py", 'QUAY_PASSWORD = (\n    "@1"\n    "@2"\n)\n'),
        ("python plus", "quay.py", 'QUAY_SECRET = "@1" + "@2"\n'),
        ("python header", "quay.py", 'headers = {"Authorization": "Bearer @"}\n'),
        ("django", "settings.py", "DATABASES = {'default': {'PASSWORD': '@'}}\n"),
        ("go", "quay.go", 'package quay\n\nvar apiToken = "@"\n'),
        ("go short", "quay.go", 'package quay\n\nfunc moor() { token := "@" }\n'),
        ("go typed", "quay.go", 'package quay\n\nconst accessToken string = "@"\n'),
        ("go bytes", "quay.go", 'package quay\n\nvar signingKey = []byte("@")\n'),
        ("go struct", "quay.go", 'package quay\n\nvar c = Config{APIKey: "@"}\n'),
        ("go raw", "quay.go", "package quay\n\nvar apiToken = `@`\n"),
        ("javascript", "quay.js", "const apiKey = '@';\n"),
        ("javascript template", "quay.js", "const apiKey = `@`;\n"),
        ("javascript or", "quay.js", "const key = process.env.QUAY_TOKEN || '@';\n"),
        ("javascript nullish", "quay.js", "const key = process.env.API_KEY ?? '@';\n"),
        ("javascript object", "quay.js", "moor({ accessToken: '@', rope: 2 });\n"),
        ("javascript setter", "quay.js", "quay.setPassword('@');\n"),
        ("typescript", "quay.ts", "export const clientSecret: string = '@';\n"),
        ("java", "Quay.java", 'class Quay {\n  private static final String API_KEY = "@";\n}\n'),
        ("java setter", "Quay.java", 'class Quay {\n  void a() { q.setSecretKey("@"); }\n}\n'),
        ("java property", "Quay.java", 'class Quay {\n  void a() { p.put("password", "@"); }\n}\n'),
        ("java value", "Quay.java", 'class Quay {\n  @@Value("${quay.token:@}")\n  String t;\n}\n'),
        ("kotlin", "Quay.kt", 'val clientSecret: String = "@"\n'),
        ("kotlin elvis", "Quay.kt", 'val t = System.getenv("QUAY_TOKEN") ?: "@"\n'),
        ("csharp", "Quay.cs", 'class Quay {\n  const string ApiKey = "@";\n}\n'),
        (
            "csharp connection",
            "Quay.cs",
            'class Quay {\n  string c = "Server=q;User Id=u;Password=@;Encrypt=true";\n}\n',
        ),
        ("rust", "quay.rs", 'const API_TOKEN: &str = "@";\n'),
        ("rust call", "quay.rs", 'fn moor() { let token = String::from("@"); }\n'),
        ("swift", "quay.swift", 'let apiKey: String = "@"\n'),
        ("scala", "Quay.scala", 'object Quay { val authToken = "@" }\n'),
        ("c define", "quay.c", '#define QUAY_API_KEY "@"\n'),
        ("c array", "quay.c", 'static const char secret_key[] = "@";\n'),
        ("php", "quay.php", "<?php\n$apiKey = '@';\n"),
        ("php define", "quay.php", "<?php\ndefine('DB_PASSWORD', '@');\n"),
        ("php array", "quay.php", "<?php\nreturn ['secret_key' => '@'];\n"),
        ("php env", "quay.php", "<?php\n$k = env('QUAY_SECRET', '@');\n"),
        ("ruby", "quay.rb", "api_token = '@'\n"),
        ("ruby hash", "quay.rb", "moor(client_secret: '@')\n"),
        ("ruby fetch", "quay.rb", "key = ENV.fetch('QUAY_TOKEN', '@')\n"),
        ("lua", "quay.lua", 'local api_key = "@"\n'),
        ("elixir", "quay.exs", 'config :quay, secret_key_base: "@"\n'),
        ("elixir attribute", "quay.ex", 'defmodule Quay do\n  @@api_token "@"\nend\n'),
        ("haskell", "Quay.hs", 'apiToken :: String\napiToken = "@"\n'),
        ("zig", "quay.zig", 'const api_token = "@";\n'),
        ("shell", "quay.sh", "QUAY_TOKEN=@\n"),
        ("shell export", "quay.sh", 'export QUAY_SECRET="@"\n'),
        ("shell default", "quay.sh", "QUAY=${QUAY_TOKEN:-@}\n"),
        ("shell flag", "quay.sh", "moor --api-token @ --rope 2\n"),
        ("shell flag, joined", "quay.sh", "moor --password=@ --rope 2\n"),
        ("shell docker", "quay.sh", 'docker run -e "API_KEY=@" quay\n'),
        ("shell header", "quay.sh", 'curl -H "Authorization: Bearer @" https://quay.test\n'),
        ("shell header, own", "quay.sh", "curl -H 'X-Api-Key: @' https://quay.test\n"),
        ("shell address", "quay.sh", 'curl "https://quay.test/m?access_token=@&rope=2"\n'),
        ("powershell", "quay.ps1", '$env:QUAY_TOKEN = "@"\n'),
        ("batch", "quay.bat", "set QUAY_TOKEN=@\n"),
        ("dockerfile env", "Dockerfile", "FROM scratch\nENV QUAY_TOKEN @\n"),
        ("dockerfile env, joined", "Dockerfile", "FROM scratch\nENV QUAY_TOKEN=@\n"),
        ("dockerfile arg", "Dockerfile", "FROM scratch\nARG QUAY_TOKEN=@\n"),
        ("makefile", "Makefile", "QUAY_TOKEN := @\n"),
        ("yaml", "quay.yaml", "moor:\n  api_key: @\n"),
        ("yaml quoted", "quay.yaml", 'moor:\n  api_key: "@"\n'),
        ("yaml block", "quay.yaml", "moor:\n  api_key: |\n    @\n  rope: 2\n"),
        ("yaml folded", "quay.yaml", "moor:\n  password: >-\n    @\n"),
        ("yaml list", "quay.yaml", "tokens:\n  - @\n"),
        ("yaml pair", "quay.yaml", "- name: QUAY_API_KEY\n  value: @\n"),
        ("toml", "quay.toml", '[moor]\napi_key = "@"\n'),
        ("toml array", "quay.toml", 'tokens = [\n  "@",\n]\n'),
        ("json", "quay.json", '{"moor": {"apiKey": "@"}}\n'),
        ("json escaped", "quay.py", 'MOOR = "{"api_key": "@"}"\n'),
        ("docker login", "quay.json", '{"auths": {"quay.test": {"auth": "@"}}}\n'),
        ("ini", "quay.ini", "[moor]\npassword = @\n"),
        ("properties", "quay.properties", "moor.secret-key=@\n"),
        ("npm token", "npm.txt", "//quay.test/:_authToken=@\n"),
        ("npm auth", "npm.txt", "//quay.test/:_auth=@\n"),
        ("netrc", "hosts.txt", "machine quay.test login moor password @\n"),
        ("xml element", "quay.xml", "<moor>\n  <password>@</password>\n</moor>\n"),
        ("xml element, typed", "quay.xml", '<moor>\n  <apiKey type="x">@</apiKey>\n</moor>\n'),
        ("xml attribute", "quay.xml", '<moor password="@"/>\n'),
        ("xml pair", "quay.xml", '<add key="QuayPassword" value="@"/>\n'),
        (
            "android",
            "strings.xml",
            '<resources>\n  <string name="api_key">@</string>\n</resources>\n',
        ),
        ("terraform", "quay.tf", 'provider "quay" {\n  secret_key = "@"\n}\n'),
        ("terraform variable", "quay.tf", 'variable "api_token" {\n  default = "@"\n}\n'),
        ("nginx", "nginx.conf", 'proxy_set_header X-Api-Key "@";\n'),
        ("markdown", "QUAY.md", "# Quay\n\nSet `QUAY_TOKEN=@` first.\n"),
        ("comment", "quay.py", "# api_key: @\n"),
        ("doc", "quay.py", 'def moor():\n    """Moor.\n\n    >>> moor(token="@")\n    """\n'),
        ("long session", "quay.ini", "aws_session_token = @@@\n"),
    )
)
