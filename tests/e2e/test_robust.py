"""Files that nobody wrote for a parser: skipped or parsed, always with a reason, never a crash."""

import json
import random
from collections.abc import Iterator
from typing import Final

import pytest

from cruxe.parse.languages import registry
from cruxe.repository import Repository
from cruxe.workspace.context import RepositoryContext
from tests.requirements import requirement
from tests.support.indexing import Question, context_of, index, paths_of, ranked_hits, read_database
from tests.support.repositories import MakeRepo

DEPTH: Final = 5_000
LANGUAGES: Final = [
    (language.name, extension)
    for language in registry().languages
    for extension in language.extensions[:1]
]


def problems_of(context: RepositoryContext, path: str) -> set[str]:
    with read_database(context) as connection:
        ((problems,),) = connection.execute(
            "SELECT problems FROM file_versions WHERE path = ?", (path,)
        ).fetchall()
    return {kind for kind, _ in json.loads(problems)}


def lines_of(context: RepositoryContext, path: str) -> tuple[int, list[list[int]]]:
    with read_database(context) as connection:
        ((count, chunks),) = connection.execute(
            "SELECT line_count, chunks FROM file_versions WHERE path = ?", (path,)
        ).fetchall()
    return count, json.loads(chunks)


def _everything_odd(extension: str) -> Iterator[tuple[str, bytes]]:
    chance = random.Random(extension)  # noqa: S311
    yield "empty", b""
    yield "newline", b"\n"
    yield "no_newline", b"x"
    yield "nul", b"\0" * 4096
    yield "one_nul", b"a = 1\n\0\nb = 2\n"
    yield "random", chance.randbytes(20_000)
    yield "printable", bytes(chance.choices(range(32, 127), k=20_000))
    yield "high", bytes(chance.choices(range(128, 256), k=20_000))
    yield "surrogates", b"x = '\xed\xa0\x80\xed\xb0\x80'\ny = 1\n" * 50
    yield "brackets", b"([{<" * DEPTH
    yield "closing", b")]}>" * DEPTH
    yield "quotes", b"\"'`" * DEPTH
    yield "slashes", b"/*//#<!--\\" * DEPTH
    yield "blanks", b" \t" * 20_000 + b"\n" * 20_000
    yield "returns", b"a = 1\r" * 5_000
    yield "bom", b"\xef\xbb\xbfclass A {}\n"
    yield "wide", "class A {}\n".encode("utf-16")
    yield "separators", "a = 1\u2028b = 2\u0085c = 3\x0cd = 4\x1ce = 5\n".encode() * 20


@requirement("PARSE-ROBUST", "DISC-CLASSIFY")
@pytest.mark.parametrize(("language", "extension"), [*LANGUAGES, ("text", ".unknown")])
def test_odd_files_of_every_language_are_indexed_or_skipped_with_a_reason(
    language: str, extension: str, repo: MakeRepo
) -> None:
    made = repo("-- README\nhello\n")
    odd = dict(_everything_odd(extension))
    for name, data in odd.items():
        made.write_bytes(f"{name}{extension}", data)
    context = context_of(made)
    index(context)

    found = paths_of(context)
    assert found.keys() == {"README", *(f"{name}{extension}" for name in odd)}
    assert set(found.values()) <= {None, "binary", "minified"}
    assert found[f"empty{extension}"] is None
    assert found[f"nul{extension}"] == found[f"random{extension}"] == "binary"
    with read_database(context) as connection:
        languages = connection.execute(
            "SELECT DISTINCT language FROM file_versions WHERE path != 'README'"
        ).fetchall()
    assert languages == [(language,)]


DEEP: Final = {
    "brackets.py": "(" * DEPTH + ")" * DEPTH,
    "lists.py": "x = " + "[" * DEPTH + "]" * DEPTH,
    "data.json": "[" * DEPTH + "]" * DEPTH,
    "objects.json": '{"a":' * DEPTH + "1" + "}" * DEPTH,
    "functions.js": "function f() {" * DEPTH + "}" * DEPTH,
    "arrows.ts": "const f = () => {" * DEPTH + "}" * DEPTH,
    "elements.tsx": "<a>" * DEPTH + "</a>" * DEPTH,
    "classes.java": "class A {" * DEPTH + "}" * DEPTH,
    "modules.rs": "mod a {" * DEPTH + "}" * DEPTH,
    "blocks.go": "package a\nfunc f() {" + "{" * DEPTH + "}" * DEPTH + "}",
    "blocks.c": "void f() {" + "{" * DEPTH + "}" * DEPTH + "}",
    "namespaces.cpp": "namespace a {" * DEPTH + "}" * DEPTH,
    "conditions.c": "#if A\n" * DEPTH + "#endif\n" * DEPTH,
    "quotes.md": "> " * DEPTH + "deep\n",
    "list.md": "".join(f"{' ' * (2 * level)}- x\n" for level in range(600)),
    "functions.py": "".join(f"{' ' * level}def f{level}():\n" for level in range(900)),
}


@requirement("PARSE-ROBUST")
@pytest.mark.parametrize("path", DEEP)
def test_nesting_thousands_deep_is_survived(path: str, repo: MakeRepo) -> None:
    made = repo("-- before.py\ndef before():\n    pass\n")
    made.write_bytes(path, DEEP[path].replace("{", "{\n").replace("}", "}\n").encode())
    context = context_of(made)
    index(context)

    assert paths_of(context)[path] in (None, "minified")
    assert Repository(context).locate_symbol("before")["total_candidates"] == 1
    Repository(context).get_file_outline(path)


@requirement("PARSE-ROBUST", "PARSE-CHUNKS")
def test_a_file_of_a_hundred_thousand_lines_is_indexed_whole(repo: MakeRepo) -> None:
    lines = 100_000
    made = repo("-- a.py\n")
    made.write_bytes("long.py", b"".join(b"v%d=1\n" % number for number in range(lines)))
    made.write_bytes("long.txt", b"word\n" * lines)
    context = context_of(made)
    index(context)

    assert paths_of(context) == {"a.py": None, "long.py": None, "long.txt": None}
    for path in ("long.py", "long.txt"):
        count, chunks = lines_of(context, path)
        assert count == lines
        assert [chunk[0] for chunk in chunks] == [1, *(chunk[1] + 1 for chunk in chunks[:-1])]
        assert chunks[-1][1] == lines
        assert max(chunk[1] - chunk[0] for chunk in chunks) < 60
    answer = Repository(context).locate_symbol("v99999")
    assert isinstance(answer["results"], list)
    assert [each["line_start"] for each in answer["results"]] == [lines]
    hits = ranked_hits(context, [Question("text", ("word",))])
    assert len(next(iter(hits.values()))) == len(lines_of(context, "long.txt")[1])


@requirement("PARSE-ROBUST")
def test_sixty_thousand_constants_are_sixty_thousand_symbols(repo: MakeRepo) -> None:
    made = repo("-- a.py\n")
    made.write_bytes("macros.h", b"".join(b"#define M%d 1\n" % each for each in range(60_000)))
    context = context_of(made)
    index(context)

    assert paths_of(context) == {"a.py": None, "macros.h": None}
    assert Repository(context).locate_symbol("M59999")["total_candidates"] == 1
    assert problems_of(context, "macros.h") == set()


@requirement("DISC-CLASSIFY", "PARSE-ROBUST")
def test_a_line_of_twenty_megabytes_is_skipped_whatever_the_limit(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo("-- a.py\n")
    for path in ("line.js", "line.py", "line.txt"):
        made.write_bytes(path, b"x = 1; " * 3_000_000)
    index(context_of(made))
    assert paths_of(context_of(made)) == {
        "a.py": None,
        **dict.fromkeys(("line.js", "line.py", "line.txt"), "too_large"),
    }

    monkeypatch.setenv("CRUXE_INDEX_MAX_FILE_SIZE", str(50_000_000))
    index(context_of(made))
    assert paths_of(context_of(made)) == {
        "a.py": None,
        **dict.fromkeys(("line.js", "line.py", "line.txt"), "minified"),
    }


@requirement("PARSE-ROBUST")
def test_a_file_with_more_nodes_than_allowed_is_text_with_a_problem(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_INDEX_MAX_NODES", "1000")
    made = repo("-- small.py\ndef small():\n    pass\n")
    made.write_bytes("big.py", b"def big():\n    return [1, 2, 3]\n" * 500)
    context = context_of(made)
    index(context)

    assert problems_of(context, "big.py") == {"too_many_nodes"}
    assert problems_of(context, "small.py") == set()
    assert Repository(context).locate_symbol("big")["total_candidates"] == 0
    hits = ranked_hits(context, [Question("text", ("big",))])
    assert len(next(iter(hits.values()))) == len(lines_of(context, "big.py")[1])


@requirement("PARSE-ROBUST")
def test_broken_files_say_what_is_wrong_with_them(repo: MakeRepo) -> None:
    made = repo(
        "-- a.py\ndef good():\n    pass\n\n\ndef broken(:\n    ]]]\n\n\ndef also():\n    pass\n"
    )
    context = context_of(made)
    index(context)

    assert problems_of(context, "a.py") == {"syntax_error"}
    assert Repository(context).locate_symbol("good")["total_candidates"] == 1
