"""Queries that no one should send and some do: the same two thousand in every run."""

import random
from typing import Final

_SEED: Final = 20_240_101
COUNT: Final = 2_000

_KNOWN: Final = (
    *("", " ", "\t\n", "\0", "\x00\x01\x02", "\x7f", "\x1b[31mred\x1b[0m", "\r\n\r\n", "\ufeff"),
    *("a::b", "foo(", "foo)", "foo()", "a->b", "a.b.c", "#", "@", "$x", "%s", "{}", "[]", "<>"),
    *('"', '""', '"""', "'", '"a', 'a"', '"a" "b', "-", "--", "-a", "-a -b", "- a", '-"', '-""'),
    *("AND", "OR", "NOT", "AND OR NOT", "a AND", "OR b", "NOT", "NOT NOT a", "()", "(", ")", ")("),
    *("(a", "a)", "((a)", "(a))", "a AND (b OR", "(" * 500, ")" * 500, "NOT " * 200, "(a " * 100),
    *(
        "field:value",
        "text:foo",
        "version:1",
        "*:*",
        "a^2",
        "a~1",
        '"a b"~3',
        "[a TO b]",
        "a*",
        "?",
    ),
    *("error: x", "panic: y", "Traceback (most recent call last):", "at line 3", "FATAL"),
    *(
        "the",
        "of the and",
        "is it",
        "how",
        "who what where",
        "a",
        "I",
        "!",
        "...",
        "?!?!",
        "—",
        "…",
    ),
    *(
        "🚢",
        "👩‍👩‍👧‍👦",
        "🇩🇪",
        "é",
        "e\u0301",
        "ﬁ",
        "İ",
        "ß",
        "\u017f",
        "Ⅷ",
        "①",
        "\U0001d518\U0001d52b\U0001d526",
        "\uff41\uff42\uff43",
        "\u200b",
    ),
    *("רציף", "مرفأ", "\u202eevil\u202c", "停泊位", "งาน", "नाव", "배", "\u0000\ufffd", "\uffff"),
    *("\ud800", "\udfff", "a\ud800b", "\ud83d", "\udca9\ud83d", "x" * 10_000, "x" * 100_000),
    *("a " * 50_000, "é" * 50_000, "ab_" * 30_000, "aB" * 50_000, "1" * 100_000, "." * 100_000),
    *("::" * 10_000, "/" * 100_000, "a/" * 20_000, '"' * 10_001, "-a " * 10_000, "a.b" * 20_000),
    *("(a+)+$" * 1_000, "a" * 5_000 + "!", "(x+x+)+y" * 500, "\\" * 5_000, "a?" * 500 + "a" * 500),
    *("https://", "http://[::1", "file:///etc/passwd", "../../etc/passwd", "C:\\x\\y", "\\\\host"),
    *("'; DROP TABLE symbols; --", "%00", "{{7*7}}", "${jndi:ldap://x}", "<script>", "%n%n%n"),
    *("NaN", "null", "None", "undefined", "true", "-1", "0", "1e309", "0x1p-3", "٣", "²"),
)
_PIECES: Final = (
    *("rate", "limit", "RateLimiter", "get", "the", "AND", "OR", "NOT", "(", ")", '"', "-", "::"),
    *("->", ".", "/", "\\", "*", "?", "[", "]", "{", "}", "^", "~", ":", ";", "\0", "\n", "\t"),
    *(
        "é",
        "漢字",
        "🚢",
        "\u202e",
        "\ud800",
        "\udc00",
        "\u0301",
        "_",
        "__",
        "0",
        "99999999999",
        "$",
    ),
    *("error:", "src/", ".py", "https://", " ", " ", " ", "x" * 90, "aB", "HTTPServer2", "'"),
)


def nasty_queries() -> list[str]:
    """All of them: the known ones first, then pieces and characters put together at random."""
    choose = random.Random(_SEED)  # noqa: S311 - the same in every run
    queries = list(_KNOWN)
    while len(queries) < COUNT:
        if len(queries) % 2:
            queries.append("".join(choose.choices(_PIECES, k=choose.randint(1, 30))))
        else:
            points = (
                choose.randrange(0x110000 if choose.random() < 0.2 else 0x300) for _ in range(40)
            )
            queries.append("".join(map(chr, list(points)[: choose.randint(1, 40)])))
    return queries
