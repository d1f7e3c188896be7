"""The project's files name no one's machine and no package registry."""

import re

import pytest

from tests.shape.project import project_files, read_bytes

# Each pattern is written so that it does not match itself.
FOREIGN_TEXT = {
    "a home directory": rb"(/hom[e]/|/User[s]/|C:\\+User[s]\\+)[A-Za-z0-9_.-]+|/roo[t]/",
    "a package registry": (
        rb"pyp[i]\.org|pythonhoste[d]\.org|npmj[s]\.org|deb\.debia[n]\.org"
        rb"|crate[s]\.io|prox[y]\.golang\.org|repo[1]?\.mave[n]"
    ),
}


@pytest.mark.parametrize("what", FOREIGN_TEXT)
def test_no_file_names(what: str) -> None:
    pattern = re.compile(FOREIGN_TEXT[what])
    found = {
        f"{path}:{number}": line.strip()
        for path in project_files()
        for number, line in enumerate(read_bytes(path).splitlines(), start=1)
        if pattern.search(line)
    }

    assert found == {}
