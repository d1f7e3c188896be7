"""Parsing survives anything: whatever the bytes, what comes out fits the file."""

import os
import subprocess
import sys
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cruxe.parse.languages import registry
from tests.requirements import requirement
from tests.shape.project import ROOT
from tests.support.garbling import (
    LANGUAGES,
    fixture_paths,
    garbled_files,
    parse_misfits,
    read_fixture,
)
from tests.support.programs import SOURCE_FOLDER

GARBLED_FILES: Final = 50_000
BATCH_FILES: Final = 500
# A batch takes a few seconds; a file that would hang the indexer takes more than all of this.
BATCH_SECONDS: Final = 120


@requirement("PARSE-CHUNKS", "PARSE-STABLE-ID")
@pytest.mark.parametrize("path", fixture_paths())
def test_a_fixture_is_parsed_to_something_that_fits(path: str) -> None:
    data, inner = read_fixture(path), path.partition("/")[2]

    assert parse_misfits(data, registry().detect(inner, data), inner) == []


@requirement("PARSE-ROBUST", "PARSE-CHUNKS", "PARSE-STABLE-ID")
@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.binary(max_size=400))
@settings(max_examples=15)
@example(data=b"")
@example(data=b"\n")
@example(data=b"\r")
@example(data=b"\0\n\0")
@example(data="\ufeff\u2028\u0085".encode())
def test_random_bytes_are_parsed_to_something_that_fits(name: str, data: bytes) -> None:
    assert parse_misfits(data, LANGUAGES[name]) == []


@requirement("PARSE-ROBUST", "PARSE-CHUNKS", "PARSE-STABLE-ID")
@pytest.mark.parametrize("name", LANGUAGES)
def test_files_that_were_cut_spliced_and_garbled_are_parsed_to_something_that_fits(
    name: str,
) -> None:
    for data in garbled_files(name, "short", 20):
        assert parse_misfits(data, LANGUAGES[name]) == [], data


@requirement("PARSE-ROBUST")
@pytest.mark.long
@pytest.mark.parametrize("name", LANGUAGES)
def test_tens_of_thousands_of_garbled_files_neither_crash_nor_hang_the_parser(name: str) -> None:
    batches = -(-GARBLED_FILES // (len(LANGUAGES) * BATCH_FILES))

    assert [told for batch in range(batches) for told in _parse_apart(name, f"long {batch}")] == []


def _parse_apart(name: str, seed: str) -> list[str]:
    """What went wrong with a batch of files in a process of its own."""
    command = [sys.executable, "-m", "tests.support.garbling", name, seed, str(BATCH_FILES)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((ROOT, SOURCE_FOLDER))}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        try:
            printed, failure = program.communicate(timeout=BATCH_SECONDS)
        except subprocess.TimeoutExpired:
            program.kill()
            printed, failure = program.communicate()
            failure = f"stopped after {BATCH_SECONDS} s {failure}"
    lines = printed.splitlines()
    misfits = [f"{seed}, file {line}" for line in lines if not line.isdigit()]
    if program.returncode:
        last = lines[-1] if lines else "none"
        misfits.append(f"{seed}, file {last}: exit code {program.returncode}: {failure[-2000:]}")
    return misfits
