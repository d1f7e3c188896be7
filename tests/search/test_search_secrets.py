"""No secret leaves in a signature: neither from a search, nor by name, nor in an outline."""

from typing import Final

import pytest

from cruxe.engine.repository import Repository, open_repository
from tests.repositories import MakeRepo
from tests.requirements import requirement
from tests.search.polyglot import results_of

TOKEN: Final = "ghp_" + "x7Kq2mZ9pL4vT8wB3nR6yF1dH5sJ0cGaEuQo"
FILES: Final = f"""\
-- deploy.py
def push_image(host: str, key: str = "{TOKEN}") -> None:
    return None
DEPLOY_KEY = "{TOKEN}"
-- settings.yaml
registry:
  push_token: {TOKEN}
-- Makefile
PUSH_TOKEN = {TOKEN}
"""


@pytest.fixture
def deploy(repo: MakeRepo) -> Repository:
    opened = open_repository(repo(FILES).root)
    opened.sync_repo()
    return opened


@requirement("SEARCH-SAFE-SIGNATURES")
@pytest.mark.parametrize("name", ["push_image", "DEPLOY_KEY", "push_token", "PUSH_TOKEN"])
@pytest.mark.parametrize("detail", ["signature", "context"])
def test_a_secret_in_a_signature_is_redacted(deploy: Repository, name: str, detail: str) -> None:
    found = deploy.search_code(name, detail_level=detail)
    located = deploy.locate_symbol(name, detail_level=detail)

    for answer in (found, located):
        assert answer["results"] != []
        assert TOKEN not in repr(answer)
        assert "[REDACTED:github_token]" in repr(answer)


@requirement("SEARCH-SAFE-SIGNATURES")
@pytest.mark.parametrize("path", ["deploy.py", "settings.yaml", "Makefile"])
def test_an_outline_holds_no_secret(deploy: Repository, path: str) -> None:
    outline = repr(deploy.get_file_outline(path))

    assert TOKEN not in outline
    assert "[REDACTED:github_token]" in outline


@requirement("SEARCH-SAFE-SIGNATURES")
def test_ordinary_signatures_stay_as_they_are(repo: MakeRepo) -> None:
    source = "def f(key: str = 'k', n: int = 12) -> None: ..."
    opened = open_repository(repo(f"-- a.py\n{source}\n").root)
    opened.sync_repo()
    signatures = [result["signature"] for result in results_of(opened.locate_symbol("f"))]

    assert signatures == [source.removesuffix(": ...")]
