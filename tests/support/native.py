"""Tests of what is done in C, and of the same in Python."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from cruxe import native

if TYPE_CHECKING:
    from cruxe.native import Kernels

needs_kernels = pytest.mark.skipif(native.kernels() is None, reason="the extension is not built")

needs_folder_events = pytest.mark.skipif(
    not hasattr(native.kernels(), "FolderEvents"), reason="nobody tells what happens in folders"
)


@contextmanager
def without_kernels() -> Generator[None]:
    """Let Python do what C does otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "_loaded", None)
        yield


def in_c() -> "Kernels":
    """The extension of a test that needs it."""
    found = native.kernels()
    assert found is not None
    return found
