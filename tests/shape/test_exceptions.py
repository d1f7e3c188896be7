"""Only three places may catch everything: each keeps a long-lived loop alive and logs."""

import ast

import pytest

from tests.shape.project import PACKAGE, package_modules

CATCH_ALL_PLACES = {
    f"{PACKAGE}serve/dispatch.py": "a request that fails must not end the server",
    f"{PACKAGE}ingest/background_process.py": "a job that fails must be recorded as failed",
    f"{PACKAGE}hosting/prewarm.py": "warming up is optional",
}


def test_no_other_place_swallows_every_exception() -> None:
    found = [
        f"{module.path}:{handler.lineno}"
        for module in package_modules()
        if module.path not in CATCH_ALL_PLACES
        for handler in _swallowing_handlers(module.tree)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("clause", "count"),
    [
        ("except Exception: pass", 1),
        ("except (ValueError, BaseException) as error: print(error)", 1),
        ("except: pass", 1),
        ("except ValueError: pass", 0),
        ("except BaseException:\n  undo()\n  raise", 0),
        ("except Exception as error:\n  raise OurError from error", 0),
        ("except Exception as error:\n  raise OurError from None", 1),
    ],
)
def test_a_handler_that_raises_again_swallows_nothing(clause: str, count: int) -> None:
    tree = ast.parse(f"try:\n  work()\n{clause}\n")

    assert len(_swallowing_handlers(tree)) == count


def _swallowing_handlers(tree: ast.Module) -> list[ast.ExceptHandler]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and _catches_all(node) and not _raises_again(node)
    ]


def _catches_all(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    names = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
    return bool(names & {"Exception", "BaseException"})


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """Whether it ends in the same error, or in one of ours that tells of it."""
    last = handler.body[-1]
    if not isinstance(last, ast.Raise):
        return False
    return last.exc is None or (isinstance(last.cause, ast.Name) and last.cause.id == handler.name)
