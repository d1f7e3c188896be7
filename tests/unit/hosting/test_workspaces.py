"""Which workspaces a server serves, and which it keeps open."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from cruxe.hosting.workspaces import ServingOptions, Workspaces
from cruxe.model.errors import EngineError, ErrorCode
from cruxe.repository import open_repository
from tests.requirements import requirement
from tests.support.repositories import MakeRepo, Repo

FILE = "-- a.py\ndef lantern():\n    pass\n"


@contextmanager
def serving(options: ServingOptions) -> Generator[Workspaces]:
    workspaces = Workspaces(options)
    try:
        yield workspaces
    finally:
        workspaces.close()


def refusal(workspaces: Workspaces, workspace: str | None) -> EngineError:
    with pytest.raises(EngineError) as caught:
        workspaces.open(workspace)
    return caught.value


def roots_of(workspaces: Workspaces) -> list[str]:
    return [served.context.workspace.root for served in workspaces.members]


def discovering(made: Repo) -> ServingOptions:
    return ServingOptions(auto_workspace=True, allowed_roots=(os.path.dirname(made.root),))


@requirement("SERVE-WORKSPACES")
def test_a_server_serves_the_workspace_it_was_started_for_and_any_folder_in_it(
    repo: MakeRepo,
) -> None:
    made = repo("-- src/a.py\nx = 1\n")
    with serving(ServingOptions(workspace=made.path("src"))) as workspaces:
        own = workspaces.open()
        named = workspaces.open(made.path("src"))

        assert own is named
        assert roots_of(workspaces) == [os.path.realpath(made.root)]


@requirement("SERVE-WORKSPACES")
def test_nothing_is_looked_at_before_the_first_call(tmp_path: os.PathLike[str]) -> None:
    with serving(ServingOptions(workspace=os.path.join(tmp_path, "missing"))) as workspaces:
        assert refusal(workspaces, None).code is ErrorCode.INVALID_INPUT


@requirement("SERVE-WORKSPACES")
def test_a_server_without_a_workspace_asks_for_one() -> None:
    with serving(ServingOptions()) as workspaces:
        assert refusal(workspaces, None).code is ErrorCode.WORKSPACE_NOT_REGISTERED


@requirement("SERVE-WORKSPACES")
def test_another_workspace_is_not_registered_while_discovery_is_off(repo: MakeRepo) -> None:
    own, other = repo(FILE, name="own"), repo(FILE, name="other")
    with serving(ServingOptions(workspace=own.root)) as workspaces:
        error = refusal(workspaces, other.root)

    assert error.code is ErrorCode.WORKSPACE_NOT_REGISTERED
    assert error.data == {"workspace": os.path.realpath(other.root)}


@requirement("SERVE-WORKSPACES")
def test_an_indexed_workspace_in_an_allowed_root_needs_no_discovery(repo: MakeRepo) -> None:
    own, other = repo(FILE, name="own"), repo(FILE, name="other")
    options = ServingOptions(own.root, allowed_roots=(os.path.dirname(own.root),))
    with serving(options) as workspaces:
        assert refusal(workspaces, other.root).code is ErrorCode.WORKSPACE_NOT_REGISTERED

        open_repository(other.root).sync_repo()

        assert workspaces.open(other.root).context.workspace.root == os.path.realpath(other.root)


@requirement("SERVE-ROOTS")
def test_discovery_serves_what_lies_in_the_allowed_roots_and_nothing_else(repo: MakeRepo) -> None:
    inside, outside = repo(FILE, name="inside"), repo(FILE, name="inside-not")
    options = ServingOptions(auto_workspace=True, allowed_roots=(inside.root,))
    with serving(options) as workspaces:
        assert workspaces.open(inside.root).repository.root == os.path.realpath(inside.root)
        error = refusal(workspaces, outside.root)

    assert error.code is ErrorCode.WORKSPACE_NOT_ALLOWED
    assert error.data == {
        "workspace": os.path.realpath(outside.root),
        "allowed_roots": (os.path.realpath(inside.root),),
    }


@requirement("SERVE-ROOTS")
def test_discovery_without_any_allowed_root_allows_nothing(repo: MakeRepo) -> None:
    made = repo(FILE)
    with serving(ServingOptions(auto_workspace=True)) as workspaces:
        assert refusal(workspaces, made.root).code is ErrorCode.WORKSPACE_NOT_ALLOWED


@requirement("SERVE-ROOTS")
def test_a_folder_of_a_repository_that_is_wider_than_the_allowed_root_is_refused(
    repo: MakeRepo,
) -> None:
    made = repo("-- part/a.py\nx = 1\n")
    options = ServingOptions(auto_workspace=True, allowed_roots=(made.path("part"),))
    with serving(options) as workspaces:
        assert refusal(workspaces, made.path("part")).code is ErrorCode.WORKSPACE_NOT_ALLOWED


@requirement("SERVE-ROOTS")
@pytest.mark.skipif(os.name == "nt", reason="making symlinks needs rights on Windows")
def test_a_symlink_does_not_lead_out_of_the_allowed_roots(
    repo: MakeRepo, tmp_path: os.PathLike[str]
) -> None:
    secret = repo(FILE, name="secret")
    allowed = os.path.join(tmp_path, "allowed")
    os.mkdir(allowed)
    os.symlink(secret.root, os.path.join(allowed, "link"))
    options = ServingOptions(auto_workspace=True, allowed_roots=(allowed,))
    with serving(options) as workspaces:
        code = refusal(workspaces, os.path.join(allowed, "link")).code

    assert code is ErrorCode.WORKSPACE_NOT_ALLOWED


@requirement("SERVE-ROOTS")
@pytest.mark.parametrize("name", ["missing", "nul\0byte"])
def test_a_path_that_cannot_be_resolved_is_not_allowed(repo: MakeRepo, name: str) -> None:
    made = repo(FILE)
    with serving(discovering(made)) as workspaces:
        code = refusal(workspaces, os.path.join(made.root, name)).code

    assert code is ErrorCode.WORKSPACE_NOT_ALLOWED


@requirement("SERVE-ROOTS")
def test_a_relative_path_is_invalid_input(repo: MakeRepo) -> None:
    with serving(discovering(repo(FILE))) as workspaces:
        error = refusal(workspaces, "repo")

    assert (error.code, error.data) == (ErrorCode.INVALID_INPUT, {"field": "workspace"})


@requirement("SERVE-WARM-SET")
def test_the_workspace_not_asked_for_longest_gives_way(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SERVER_MAX_WORKSPACES", "2")
    first, second, third = (repo(FILE, name=name) for name in ("first", "second", "third"))
    with serving(discovering(first)) as workspaces:
        for made in (first, second, first, third):
            workspaces.open(made.root)

        assert roots_of(workspaces) == [os.path.realpath(made.root) for made in (first, third)]


@requirement("SERVE-WARM-SET")
def test_workspaces_in_use_are_not_closed_and_the_next_one_has_to_wait(
    repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRUXE_SERVER_MAX_WORKSPACES", "2")
    own, second, third = (repo(FILE, name=name) for name in ("own", "second", "third"))
    options = discovering(own)._replace(workspace=own.root)
    with serving(options) as workspaces:
        with workspaces.open(second.root):
            error = refusal(workspaces, third.root)

        workspaces.open(third.root)

        assert (error.code, error.data) == (ErrorCode.WORKSPACE_LIMIT_EXCEEDED, {"open": 2})
        assert roots_of(workspaces) == [os.path.realpath(made.root) for made in (own, third)]


def test_a_repository_that_was_deleted_is_named(repo: MakeRepo) -> None:
    made = repo(FILE)
    with serving(ServingOptions(workspace=made.root)) as workspaces:
        workspaces.open()
        shutil.rmtree(made.root)
        error = refusal(workspaces, None)

    assert (error.code, error.message) == (
        ErrorCode.INVALID_INPUT,
        f"{made.root} does not exist",
    )
