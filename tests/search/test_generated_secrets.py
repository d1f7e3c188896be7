"""No tool tells a secret, at any level of detail, wherever in a repository secrets stand."""

import json
import os
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from cruxe.model.errors import EngineError
from cruxe.repository import Repository, open_repository
from tests.requirements import requirement
from tests.support.polyglot import Answer
from tests.support.repositories import MakeRepo
from tests.support.secret_contexts import ASSIGNMENTS, CONTEXTS, key_texts, placed
from tests.support.secret_samples import chance_of, key, key_parts, leaks, token, tokens

SEED: Final = 3
MANY_SEEDS: Final = range(4, 12)
DETAILS: Final = ("location", "signature", "context")
WORDS: Final = (
    *("moor", "quay", "moor quay line", "MOOR_QUAY", "api key", "token", "moor with at night"),
    *("password", "rope", "private key"),
)
NAMES: Final = ("moor", "quay", "MOOR", "MOOR_QUAY", "moor_quay", "moorQuay", "Quay", "line", "x")
PLAIN: Final = "-- plain/quay.py\ndef moor_quay(rope):\n    return rope\n"


def places(seed: int) -> tuple[dict[str, str], tuple[str, ...]]:
    """Files with secrets, by path, and the parts of the secrets."""
    chance = chance_of(seed)
    files: dict[str, str] = {}
    parts: list[str] = []

    def put(path: str, text: str) -> None:
        files[f"d{len(files)}/{path}"] = text

    for sample in tokens(chance):
        parts += sample.parts
        context = chance.choice(CONTEXTS)
        put(context.path, placed(sample.text, context))
    made = key(chance)
    parts += key_parts(made)
    for context in key_texts(made):
        put(context.path, context.text)
    for context in ASSIGNMENTS:
        value = token("assigned", "{h40}", chance)
        parts += value.parts
        put(context.path, placed(value.text, context))
    return files, tuple(parts)


def written(files: dict[str, str]) -> str:
    return "".join(f"-- {path}\n{text}" for path, text in files.items())


def answers(opened: Repository, paths: list[str]) -> Iterator[Answer]:
    """What every tool that tells text says, at every level of detail."""
    for path in paths:
        yield from asked(opened.get_file_outline, path)
        yield from asked(opened.read_symbol, path)
    for path in paths[::12]:
        yield from asked(opened.read_symbol, f"{path}:1")
        yield from asked(opened.explain_ranking, "moor quay", path, 1)
        yield from asked(opened.explain_path, path)
    for words in WORDS:
        for detail in DETAILS:
            yield opened.search_code(
                words, detail_level=detail, limit=50, ranking_explain_level="full"
            )
            yield opened.search_code(words, detail_level=detail, compact=True, language="yaml")
    for name in NAMES:
        for detail in DETAILS:
            yield opened.locate_symbol(name, detail_level=detail, limit=50)
        yield from asked(opened.read_symbol, name)
    for pattern in ("moor", "quay", "rope", r"[A-Z]{3}", r"=", r"\w{20}"):
        for around in (0, 3):
            yield opened.search_text(pattern, regex=True, context_lines=around, limit=None)


def asked(tool: Callable[..., Answer], *arguments: str | int) -> Iterator[Answer]:
    """The answer, or what the error tells."""
    try:
        yield tool(*arguments)
    except EngineError as error:
        yield {"message": error.message, "data": {**error.data}, "remedies": error.remedies}


def told(opened: Repository, paths: list[str]) -> str:
    lines = (json.dumps(each, default=str, ensure_ascii=False) for each in answers(opened, paths))
    return "\n".join(lines)


def stored_bytes(folder: str) -> bytes:
    """All bytes of an index, in lower case."""
    found: list[bytes] = []
    for parent, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(parent, name), "rb") as file:
                found.append(file.read())
    return b"\0".join(found).lower()


@requirement("SAFE-TOOLS")
def test_no_tool_tells_a_secret_and_the_index_holds_none(repo: MakeRepo) -> None:
    check_that_nothing_is_told(repo, SEED)


@pytest.mark.long
@requirement("SAFE-TOOLS")
@pytest.mark.parametrize("seed", MANY_SEEDS)
def test_no_tool_tells_any_of_many_secrets(repo: MakeRepo, seed: int) -> None:
    check_that_nothing_is_told(repo, seed)


def check_that_nothing_is_told(repo: MakeRepo, seed: int) -> None:
    files, parts = places(seed)
    opened = open_repository(repo(written(files)).root)
    opened.sync_repo()
    location = opened.context.location

    assert leaks(parts, told(opened, [*files])) == []
    held = stored_bytes(location.data_dir).decode("latin-1")
    assert leaks(tuple(each.lower() for each in parts), held) == []


@requirement("SAFE-TOOLS")
def test_a_file_that_changed_since_it_was_indexed_tells_no_secret(repo: MakeRepo) -> None:
    files, parts = places(SEED)
    made = repo(written(dict.fromkeys(files, "rope = 1\n")))
    opened = open_repository(made.root)
    opened.sync_repo()
    for path, text in files.items():
        with open(os.path.join(made.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    assert leaks(parts, told(opened, [*files])) == []


TOKEN: Final = "ghp_" + "x7Kq2mZ9pL4vT8wB3nR6yF1dH5sJ0cGaEuQo"
LOOSE: Final = f'{PLAIN}-- a.py\ndef moor(line="{TOKEN}"): ...\n'


@requirement("SAFE-SETTINGS")
def test_a_change_of_the_rules_extracts_every_file_anew(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo(LOOSE)
    monkeypatch.setenv("CRUXE_SECURITY_REDACTION_ENABLED", "false")
    loose = open_repository(made.root)
    loose.sync_repo()
    assert TOKEN in repr(loose.locate_symbol("moor"))
    monkeypatch.delenv("CRUXE_SECURITY_REDACTION_ENABLED")
    strict = open_repository(made.root)

    with pytest.raises(EngineError) as refused:
        strict.locate_symbol("moor")
    strict.sync_repo()

    assert refused.value.code == "index_not_ready"
    assert TOKEN not in repr(strict.locate_symbol("moor"))
    assert strict.search_code(TOKEN)["results"] == []
