"""Which licences let a text be used: an expression, a field of metadata or a Debian copyright file.

What is not understood is not used. `A or B` is fine if one of them is, `A and B` if both are.
"""

import re
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

# SPDX identifiers of the licences that are accepted, each with the other spellings it goes by.
_SPELLINGS: Final = {
    "MIT": "mit|expat|mit/x11|x11|mit-license|mit licence|mit license|the mit license"
    "|mit-0|mit-expat|expat license|the mit license (mit)|mit-style",
    "BSD-2-Clause": "bsd-2-clause|bsd-2|bsd 2-clause|simplified bsd|bsd-2-clauses|freebsd",
    "BSD-3-Clause": "bsd|bsd-3-clause|bsd-3|bsd 3-clause|new bsd|new bsd license|bsd license"
    "|modified bsd|bsd 3-clause license|bsd-3-clauses|3-clause bsd license|bsd-style|bsd3",
    "0BSD": "0bsd|bsd-0-clause",
    "Apache-2.0": "apache-2.0|apache-2|apache 2.0|apache 2|apache|apache license 2.0|asl-2.0"
    "|asl 2.0|apache license, version 2.0|apache license version 2.0|apache software license"
    "|apache-2.0-only|apache software license 2.0|apache2|apache2.0|apache license",
    "ISC": "isc|isc license|isc license (iscl)|isc-license",
    "PSF-2.0": "psf-2.0|psf|python-2.0|psf-2|psf license|python software foundation license|psfl",
    "Zlib": "zlib|zlib/libpng|zlib license|libpng",
    "Unlicense": "unlicense|the unlicense|the unlicense (unlicense)",
    "CC0-1.0": "cc0-1.0|cc0|cc-0|cc0 1.0 universal (cc0 1.0) public domain dedication",
}
ALLOWED: Final = frozenset(_SPELLINGS)
_BY_SPELLING: Final = {
    spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings.split("|")
}
_ALTERNATIVES: Final = re.compile(r"\s+or\s+|\s*\|\|?\s*|(?<![a-z]{3})/(?=apache)", re.IGNORECASE)
_ALL_OF: Final = re.compile(r"\s+and\s+|\s*,\s+(?!version)|\s*&\s*", re.IGNORECASE)
_SPACE: Final = re.compile(r"\s+")


class CopyrightRule(NamedTuple):
    """What a paragraph of a Debian copyright file says of some files."""

    patterns: tuple[str, ...]
    licence: str


def accepted_licence(expression: str) -> str | None:
    """The accepted licences that an expression offers, joined by AND; nothing if it offers none."""
    plain = _SPACE.sub(" ", expression.strip().strip("()")).lower()
    known = _BY_SPELLING.get(plain)
    if known:
        return known
    alternatives = _ALTERNATIVES.split(plain)
    if len(alternatives) > 1:
        return next(filter(None, map(accepted_licence, alternatives)), None)
    parts = _ALL_OF.split(plain)
    if len(parts) == 1:
        return None
    accepted = [accepted_licence(part) for part in parts]
    named = [licence for licence in accepted if licence]
    return " AND ".join(sorted(set(named))) if len(named) == len(accepted) else None


def read_copyright(text: str) -> tuple[CopyrightRule, ...]:
    """The rules of a machine-readable Debian copyright file; none if it is not one."""
    if not re.match(r"Format(-Specification)?:", text):
        return ()
    rules: list[CopyrightRule] = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = re.split(r"\n(?=[A-Za-z-]+:)", paragraph.strip())
        values = {
            name.lower(): value.strip() for name, _, value in (f.partition(":") for f in fields)
        }
        if "files" in values:
            licence = values.get("license", "").partition("\n")[0]
            rules.append(CopyrightRule(tuple(values["files"].replace(",", " ").split()), licence))
    return tuple(rules)


def licence_of_file(path: str, rules: tuple[CopyrightRule, ...]) -> str | None:
    """The accepted licence of one file; the last rule that matches its path decides."""
    for rule in reversed(rules):
        if any(fnmatchcase(path, pattern) for pattern in rule.patterns):
            return accepted_licence(rule.licence)
    return None


def licence_of_all(rules: tuple[CopyrightRule, ...]) -> str | None:
    """The accepted licences of a whole package; nothing if any of its rules has another.

    Packaging is left out: its files are never read.
    """
    relevant = [
        rule for rule in rules if not all(each.startswith("debian/") for each in rule.patterns)
    ]
    accepted = [accepted_licence(rule.licence) for rule in relevant]
    named = {part for licence in accepted if licence for part in licence.split(" AND ")}
    return " AND ".join(sorted(named)) if relevant and all(accepted) else None
