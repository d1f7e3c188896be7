"""The pages in docs/ speak of the code as it is: paths exist, limits are where they say."""

import ast
import os
import re
from collections.abc import Iterator

import pytest

from tests.requirements import requirement
from tests.shape.project import PACKAGE, ROOT, project_files, read_bytes

ARCHITECTURE = "docs/ARCHITECTURE.md"
MAX_LINES = 250
MAX_COLUMNS = 120
FILES = frozenset(project_files())
PAGES = [
    path
    for path in sorted(FILES)
    if re.fullmatch(r"(README|CONTRIBUTING)\.md|docs/([A-Z]+|decisions/.*)\.md", path)
]
# `folder/module.py`, or a module alone where the text around names its folder.
PATH = re.compile(r"`([\w./-]+\.(?:py|c|md|scm|toml|tsv))`")
LIMIT = re.compile(r"^\| [^|]+ \| `([\w/.]+)` \| `(\w+)` \|$", re.MULTILINE)


@requirement("DOCS-LIMITS")
def test_every_limit_is_set_where_the_table_says() -> None:
    rows = LIMIT.findall(read_bytes(ARCHITECTURE).decode())

    assert len(rows) >= 16
    assert [f"{path}: {name}" for path, name in rows if name not in _names_in(path)] == []


def test_architecture_is_short() -> None:
    lines = read_bytes(ARCHITECTURE).decode().splitlines()

    assert len(lines) <= MAX_LINES
    assert [line for line in lines if len(line) > MAX_COLUMNS] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_path_of_the_sources_exists(page: str) -> None:
    names = {path.rpartition("/")[2] for path in FILES}
    named = PATH.findall(read_bytes(page).decode())

    def exists(path: str) -> bool:
        if "/" not in path:
            return path in names or page == "README.md"  # the README names files of clients
        return bool({path, PACKAGE + path, f"docs/{path}"} & FILES) or path.startswith((".", "~"))

    assert [path for path in named if not exists(path) and not _is_sample(path)] == []


def test_every_decision_is_in_the_index_under_its_title() -> None:
    index = read_bytes("docs/decisions/README.md").decode()
    pages = [path for path in PAGES if re.match(r"docs/decisions/\d", path)]

    assert [path for path in pages if _row_of(path) not in index] == []
    assert len(re.findall(r"^\| \[\d{4}\]", index, re.MULTILINE)) == len(pages)


def test_no_source_names_a_decision_that_is_not_there() -> None:
    """A decision is named by its file, since its number alone says nothing."""
    sources = [path for path in FILES if path.endswith((".py", ".c", ".h", ".md", ".toml"))]
    named = {
        (path, each)
        for path in sources
        for each in re.findall(r"docs/decisions/\d[\w-]+\.md", read_bytes(path).decode())
    }
    numbered = [path for path in sources if re.search(rb"decision 0\d{3}\b", read_bytes(path))]

    assert [each for each in named if each[1] not in FILES] == []
    assert numbered == []


def _row_of(path: str) -> str:
    name = os.path.basename(path)
    title = read_bytes(path).decode().split("\n", 1)[0].removeprefix("# ")
    return f"| [{name[:4]}]({name}) | {title} |"


def _names_in(path: str) -> set[str]:
    """All names that a module defines, those inside classes too; none if it does not exist."""
    if not os.path.exists(os.path.join(ROOT, PACKAGE, path)):
        return set()
    return {name for node in ast.walk(ast.parse(read_bytes(PACKAGE + path))) for name in _of(node)}


def _of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (each.id for each in targets if isinstance(each, ast.Name))
        case _:
            return


def _is_sample(path: str) -> bool:
    """Files of the user's, of clients and of models."""
    return path.startswith("src/config") or path.endswith(
        ("SKILL.md", "AGENTS.md", "CLAUDE.md", "config.toml", "_pb2.py")
    )
