"""The commands that make, keep and explain the index."""

import os
import re
from typing import cast

from cruxe.native import kernels
from tests.requirements import requirement
from tests.support.command import TEA, Finished, run_cruxe
from tests.support.indexing import settle
from tests.support.repositories import MakeRepo

LOOSENING = "-- .cruxe/config.toml\n[storage]\ndata_dir = 'elsewhere'\n"


@requirement("CLI-COMMANDS")
def test_index_tells_what_it_read_and_what_it_left_out(repo: MakeRepo) -> None:
    made = repo(TEA)

    first = run_cruxe(made.root, "index")
    again = run_cruxe(made.root, "index", "--force", "--json")

    assert re.sub(r"in [\d.]+ m?s", "in a while", first.stdout) == (
        "indexed main in a while\n"
        "  files    3 (3 read, 3 parsed)\n"
        "  symbols  5\n"
        "  skipped  1 (1 binary)\n"
    )
    assert (first.code, first.stderr) == (0, "")
    assert again.answer["mode"] == "full"
    assert again.answer["skipped"] == {"binary": 1}


@requirement("CLI-COMMANDS")
def test_sync_does_what_is_needed_and_no_more(repo: MakeRepo) -> None:
    made = repo(TEA)
    settle(made, "tea/brew.py", "tea/leaf.py", "readme.txt")
    run_cruxe(made.root, "sync")
    unchanged = run_cruxe(made.root, "sync")
    made.write("-- tea/cup.py\nclass Cup:\n    pass\n")
    made.remove("tea/leaf.py")

    changed = run_cruxe(made.root, "sync", "--json")

    assert re.fullmatch(r"main is up to date \(generation \d+\)\n", unchanged.stdout)
    assert changed.answer["removed_files"] == 1
    assert changed.answer["indexed_files"] == 1


@requirement("CLI-COMMANDS")
def test_status_reports_and_changes_nothing(repo: MakeRepo) -> None:
    made = repo(TEA)
    nothing = run_cruxe(made.root, "status")
    run_cruxe(made.root, "index")
    made.write("-- tea/cup.py\nclass Cup:\n    pass\n")

    stale = [run_cruxe(made.root, "status") for _ in range(2)]

    assert nothing.stdout == (
        f"{made.root}\n  ref    main\n  index  none yet; `cruxe index` makes one\n"
    )
    assert [status.code for status in stale] == [0, 0]
    for status in stale:
        assert "index       behind the files; `cruxe sync` brings it up to date" in status.stdout


@requirement("CLI-COMMANDS")
def test_status_tells_how_deep_languages_are_read_and_how_many_files_there_are(
    repo: MakeRepo,
) -> None:
    made = repo(TEA)
    nothing = run_cruxe(made.root, "status", "--languages", "--json")
    run_cruxe(made.root, "index")

    indexed = run_cruxe(made.root, "status", "--languages", "--json")
    page = run_cruxe(made.root, "status", "--languages")

    def python_of(answer: dict[str, object]) -> object:
        lines = answer["languages"]
        assert isinstance(lines, list)
        return next(line for line in lines if line["language"] == "python")

    names = ("symbols", "docs", "visibility", "calls", "references", "receivers", "imports")
    everything = dict.fromkeys((*names, "inheritance"), True)
    line = {"language": "python", "capabilities": everything}
    assert python_of(nothing.answer) == line | {"file_count": 0}
    assert python_of(indexed.answer) == line | {"file_count": 2}
    assert re.search(r"^python +2 +yes", page.stdout, re.MULTILINE)
    assert "languages" not in run_cruxe(made.root, "status", "--json").answer


@requirement("CLI-JSON")
def test_the_status_of_a_folder_without_an_index_is_an_answer(repo: MakeRepo) -> None:
    status = run_cruxe(repo(TEA, git=False).root, "status", "--json")

    assert (status.code, status.answer["index_status"], status.answer["ref"]) == (
        0,
        "not_indexed",
        "live",
    )


@requirement("DISC-WHY")
def test_why_names_the_rule_that_decided(repo: MakeRepo) -> None:
    made = repo(TEA)
    made.write("-- .gitignore\n*.log\n-- a.log\n-- .cruxeignore\nread*\n")

    assert run_cruxe(made.root, "why", "a.log").stdout == (
        "a.log is not indexed: git ignores it by .gitignore:1:*.log\n"
    )
    assert ".cruxeignore:1:read*" in run_cruxe(made.root, "why", "readme.txt").stdout
    assert run_cruxe(made.path("tea"), "why", "leaf.py") == Finished(
        0, "leaf.py is indexed: git tracks it\n", ""
    )
    assert run_cruxe(made.root, "why", "logo.png", "--json").answer == {
        "path": "logo.png",
        "status": "skipped",
        "reason": "binary",
        "detail": "it is binary",
    }


@requirement("CLI-COMMANDS")
def test_doctor_lists_every_check_and_that_no_socket_was_opened(repo: MakeRepo) -> None:
    made = repo(TEA)
    run_cruxe(made.root, "index")

    told = run_cruxe(made.root, "doctor")
    answer = run_cruxe(made.root, "doctor", "--json").answer

    is_native = kernels() is not None
    lines = [line for line in told.stdout.splitlines() if is_native or "inner loops" not in line]
    assert (told.code, told.stderr) == (0, "")
    assert answer["native"] is is_native
    assert lines[-1] == "ok       no network socket was opened during these checks"
    assert {line[:9] for line in lines} == {"ok       "}
    assert answer["status"] == "ready"
    assert len(lines) == len(cast("list[object]", answer["checks"]))


@requirement("CLI-EXIT")
def test_doctor_fails_when_a_check_does(repo: MakeRepo, home: str) -> None:
    made = repo(TEA)
    run_cruxe(made.root, "index")
    for folder, _, files in os.walk(os.path.join(home, ".cruxe")):
        for name in files:
            if name == "store.db":
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(b"not a database" * 1000)

    told = run_cruxe(made.root, "doctor")

    assert told.code == 1
    assert "problem  sqlite: " in told.stdout
    assert re.search(r"\d of \d checks failed\n$", told.stderr)


@requirement("CLI-COMMANDS")
def test_gc_drops_refs_that_are_gone_under_either_name(repo: MakeRepo) -> None:
    made = repo(TEA)
    made.branch("old")
    made.write("-- tea/leaf.py\nclass Stem:\n    pass\n")
    made.commit()
    run_cruxe(made.root, "index")
    run_cruxe(made.root, "index", "--ref", "old")
    made.git("branch", "-D", "old")

    dropped = run_cruxe(made.root, "gc", "--json")
    again = run_cruxe(made.root, "prune-overlays", "--older-than", "7")

    assert dropped.answer["dropped_refs"] == ["refs/heads/old"]
    assert (again.code, again.stdout.startswith("nothing to drop")) == (0, True)


@requirement("CLI-COMMANDS")
def test_init_makes_room_for_the_index_and_writes_nothing_into_the_repository(
    repo: MakeRepo,
) -> None:
    made = repo(TEA)

    first = run_cruxe(made.root, "init", "--json")
    again = run_cruxe(made.root, "init")

    assert (first.answer["is_new"], first.answer["ref"]) == (True, "main")
    assert os.listdir(str(first.answer["store"])) == []
    assert "state  registered before" in again.stdout
    assert made.git("status", "--porcelain") == ""


@requirement("CFG-ORIGIN")
def test_config_show_tells_where_each_value_came_from(repo: MakeRepo, home: str) -> None:
    made = repo("-- .cruxe/config.toml\n[index]\nmax_file_size = 2000\n")
    chosen = os.path.join(home, "chosen.toml")
    with open(chosen, "w", encoding="utf-8") as file:
        file.write("[index]\nparallelism = 2\n")

    shown = run_cruxe(
        made.root,
        "config",
        "show",
        "--config",
        chosen,
        "--json",
        CRUXE_SEARCH_FRESHNESS_POLICY="strict",
    )

    settings = cast("list[dict[str, str]]", shown.answer["settings"])
    origins = {row["key"]: (row["value"], row["origin"]) for row in settings}
    assert origins["index.max_file_size"] == (
        "2000",
        f"repository {made.path('.cruxe/config.toml')}",
    )
    assert origins["index.parallelism"] == ("2", f"config_file {chosen}")
    assert origins["search.freshness_policy"][1] == "environment CRUXE_SEARCH_FRESHNESS_POLICY"
    assert origins["index.auto"] == ("true", "default")


@requirement("CFG-SAFETY")
def test_a_repository_that_tries_to_loosen_safety_is_told_of_by_every_command(
    repo: MakeRepo,
) -> None:
    made = repo(TEA)
    made.write(LOOSENING)

    told = run_cruxe(made.root, "sync")
    listed = run_cruxe(made.root, "doctor")
    answer = run_cruxe(made.root, "locate", "Leaf", "--json")
    failure = run_cruxe(made.root, "outline", "nowhere", "--json")

    assert told.stderr.startswith("config: storage.data_dir")
    assert told.stderr.count("\n") == 1
    assert "notice   config: storage.data_dir" in listed.stdout
    for document in (answer, failure):
        metadata = cast("dict[str, list[str]]", document.answer["metadata"])
        assert metadata["warnings"][0].startswith("storage.data_dir")
        assert document.stderr == ""


def test_the_index_goes_where_the_environment_says(repo: MakeRepo, home: str) -> None:
    folder = os.path.join(home, "elsewhere")

    run_cruxe(repo(TEA).root, "index", CRUXE_STORAGE_DATA_DIR=folder)

    assert os.listdir(folder) == ["data"]
    assert not os.path.exists(os.path.join(home, ".cruxe"))
