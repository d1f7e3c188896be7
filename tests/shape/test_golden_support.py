from pathlib import Path

import pytest

from tests.support.golden_files import check_golden


def test_the_same_text_passes(tmp_path: Path) -> None:
    golden = tmp_path / "case.txt"
    golden.write_text("one\n")

    check_golden(golden, "one\n")


def test_another_text_fails_with_the_difference(tmp_path: Path) -> None:
    golden = tmp_path / "case.txt"
    golden.write_text("one\ntwo\n")

    with pytest.raises(pytest.fail.Exception, match=r"-two\n\+three\n"):
        check_golden(golden, "one\nthree\n")


def test_line_endings_count(tmp_path: Path) -> None:
    golden = tmp_path / "case.txt"
    golden.write_bytes(b"one\r\n")

    with pytest.raises(pytest.fail.Exception):
        check_golden(golden, "one\n")


def test_a_missing_golden_file_fails_and_is_not_written(tmp_path: Path) -> None:
    golden = tmp_path / "case.txt"

    with pytest.raises(pytest.fail.Exception, match="there is no golden file"):
        check_golden(golden, "one\n")
    assert not golden.exists()


def test_updating_writes_the_text_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = tmp_path / "cases" / "case.txt"
    monkeypatch.setenv("UPDATE_GOLDEN", "1")

    check_golden(golden, "one\r\n")

    assert golden.read_bytes() == b"one\r\n"
