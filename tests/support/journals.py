"""Change journals in tests: what is known of a tree before something happens to it."""

import os
from array import array

from cruxe.workspace.read import stamps_of
from tests.support.fingerprints import Watched


def known_stamps(watched: Watched) -> "array[int]":
    """The stamps of all listed files as they are now."""
    numbers = array("q")
    for path in watched.listing.decode().split("\0")[:-1]:
        numbers.extend(stamps_of(os.lstat(watched.repo.path(path))))
    return numbers
