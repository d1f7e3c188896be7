"""The repository that search is tested on, and answers taken apart."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypedDict, cast

from cruxe.model.errors import EngineError
from cruxe.repository import Repository, open_repository
from tests.support.indexing import settle
from tests.support.repositories import Repo, split_files, write_repo

DATA_DIR_VARIABLE: Final = "CRUXE_STORAGE_DATA_DIR"
FEATURE_BRANCH: Final = "feature/audit"
_FIXTURES: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "fixtures", "search")

Answer = Mapping[str, object]
Result = dict[str, object]


class SearchOptions(TypedDict, total=False):
    """What a search may be told beside the query."""

    ref: str | None
    limit: int | None
    cursor: str | None
    language: str | None
    kind: str | None
    role: str | None
    path: str | None
    detail_level: str
    compact: bool
    ranking_explain_level: str | None
    freshness_policy: str | None
    confidence_threshold: float | None
    group_by: str | None


class Polyglot(NamedTuple):
    """The repository with the folder of its store, and a handle that outlives single tests."""

    repo: Repo
    data_dir: str
    shared: Repository


def build_polyglot(folder: Path) -> Polyglot:
    """Write the repository with its two branches and index both; `main` is checked out."""
    text = fixture_text("polyglot")
    made = write_repo(folder / "harbor", text)
    made.git("checkout", "--quiet", "-b", FEATURE_BRANCH)
    made.write(fixture_text("feature"))
    made.remove("tariff/src/retry.rs")
    made.commit("audit")
    made.checkout("main")
    settle(made, *split_files(text))
    opened = open_repository(made.root)
    opened.sync_repo()
    opened.sync_repo(ref=FEATURE_BRANCH)
    return Polyglot(made, str(folder / "data"), opened)


def fixture_text(name: str) -> str:
    """Read one of the texts that repositories are written from."""
    with open(os.path.join(_FIXTURES, f"{name}.txt"), encoding="utf-8") as file:
        return file.read()


def search_with(opened: Repository, query: str, options: Mapping[str, object]) -> Answer:
    """Search with options that are known only when the test runs."""
    return opened.search_code(query, **cast("SearchOptions", options))


def results_of(answer: Answer) -> list[Result]:
    """The results of an answer."""
    return cast("list[Result]", answer["results"])


def metadata_of(answer: Answer) -> Answer:
    """The metadata of an answer."""
    return cast("Answer", answer["metadata"])


def reasons_of(answer: Answer) -> list[Result]:
    """The ranking reasons of an answer that has some."""
    return cast("list[Result]", metadata_of(answer)["ranking_reasons"])


def ids_of(answer: Answer) -> list[object]:
    """What identifies the results, in order."""
    return [result["result_id"] for result in results_of(answer)]


def paths_of(answer: Answer) -> list[object]:
    """The paths of the results, in order."""
    return [result["path"] for result in results_of(answer)]


def names_of(answer: Answer) -> list[object]:
    """The names of the results, in order; nothing for a region without one."""
    return [result.get("name") for result in results_of(answer)]


def bytes_of(answer: Answer) -> bytes:
    """An answer as it is sent."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()


class Failure(NamedTuple):
    """An expected failure, to compare as a whole."""

    code: str
    message: str
    remedy: str
    data: Mapping[str, object]

    @classmethod
    def of(cls, error: EngineError) -> "Failure":
        """Take an error apart."""
        return cls(error.code.value, error.message, error.remedy, error.data)


def open_with(polyglot: Polyglot, folder: Path, toml: str) -> Repository:
    """Open the repository with settings of the test's own."""
    chosen = folder / "chosen.toml"
    data_dir = json.dumps(polyglot.data_dir)
    chosen.write_text(f"{toml}\n[storage]\ndata_dir = {data_dir}\n", encoding="utf-8")
    return open_repository(polyglot.repo.root, str(chosen))
