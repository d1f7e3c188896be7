"""Answers as pages for a person, seen through a view that does not change."""

import os
from typing import TYPE_CHECKING, cast

import pytest

from cruxe.serve.cli.commands import (
    config,
    doctor,
    gc,
    index,
    locate,
    outline,
    status,
    sync,
)
from cruxe.serve.cli.view import Palette, Places, View, ago, by_reason, seconds
from tests.support.golden_files import check_golden

# A page needs only what it shows of a result.
if TYPE_CHECKING:
    from cruxe.contract.results import (
        CollectResult,
        ConfigShowResult,
        DoctorResult,
        GetFileOutlineResult,
        IndexCommandResult,
        IndexStatusResult,
        LocateSymbolResult,
        PublishedSync,
    )

GOLDEN = os.path.join(os.path.dirname(__file__), "..", "..", "golden", "cli")
NOW_NS = 1_700_000_000 * 1_000_000_000
HOUR_NS = 3_600 * 1_000_000_000
PLAIN = View(Palette(is_on=False), None, Places("/r", "/r"), NOW_NS)
METADATA = {"ref": "main", "freshness_status": "fresh"}
JOB = {
    "ref": "main",
    "mode": "full",
    "status": "published",
    "pid": 7,
    "files_total": 5733,
    "files_indexed": 5700,
    "created_at_ns": NOW_NS - 2 * HOUR_NS,
    "updated_at_ns": NOW_NS - HOUR_NS,
    "duration_ms": 41_550,
}
SEMANTIC = {
    "mode": "hybrid",
    "profile": "fast_local",
    "status": "ready",
    "model": "codevec",
    "model_version": "65bd",
}
UNAVAILABLE = {
    "mode": "hybrid",
    "profile": "code_quality",
    "status": "unavailable",
    "problem": "it needs fastembed\x1b[31m",
    "remedy": "run `pip install 'fastembed>=0.9,<1'`",
}


def test_a_status_page_tells_all_that_is_known() -> None:
    answer = cast(
        "IndexStatusResult",
        {
            "repo_root": "/r",
            "ref": "main",
            "index_status": "ready",
            "generation": 12,
            "file_count": 5667,
            "symbol_count": 60_907,
            "skipped": {"binary": 1386, "minified": 28, "too_large": 28},
            "last_indexed_at_ns": NOW_NS - 3 * 24 * HOUR_NS,
            "last_indexed_commit": "03988c5a5ba248c3b9b11ea96fd4fda5e98849aa",
            "recent_jobs": [
                JOB | {"status": "running", "files_indexed": 12},
                JOB | {"status": "failed", "error_message": "OSError: \x1b[31m"},
            ],
            "active_job": JOB | {"status": "running", "files_indexed": 12},
            "interrupted_recovery_report": {
                "interrupted_jobs": 1,
                "recommended_action": "run `cruxe sync`",
            },
            "semantic": SEMANTIC | {"vectors": "missing"},
            "semantic_profile_recommendation": {
                "profile": "code_quality",
                "is_current": False,
                "estimated_minutes": 4,
                "install": "pip install 'fastembed>=0.9,<1'",
            },
            "metadata": METADATA,
        },
    )

    page = status.render(answer, PLAIN)

    assert page.remarks == []
    check_golden(os.path.join(GOLDEN, "status.txt"), "".join(f"{line}\n" for line in page.lines))


def test_a_status_page_tells_how_deep_languages_are_read() -> None:
    answer = cast(
        "IndexStatusResult",
        {
            "repo_root": "/r",
            "ref": "main",
            "index_status": "not_indexed",
            "languages": [
                {
                    "language": "c",
                    "file_count": 1200,
                    "capabilities": {"symbols": True, "docs": False},
                },
                {
                    "language": "go",
                    "file_count": 0,
                    "capabilities": {"symbols": True, "docs": True},
                },
            ],
            "metadata": METADATA,
        },
    )

    assert status.render(answer, PLAIN).lines[-4:] == [
        "",
        "language  files  symbols  docs",
        "c         1,200  yes      -",
        "go        0      yes      yes",
    ]


def test_an_index_that_cannot_be_read_says_why() -> None:
    answer = cast(
        "IndexStatusResult",
        {
            "repo_root": "/r",
            "ref": "main",
            "index_status": "not_ready",
            "compatibility_reason": "the store is of version 9.9",
            "metadata": METADATA,
        },
    )

    assert status.render(answer, PLAIN).lines[-1] == (
        "  index  the store is of version 9.9; `cruxe index --force` builds it anew"
    )


def test_a_narrow_terminal_cuts_signatures_and_never_places() -> None:
    result = {
        "path": "a.py",
        "line_start": 3,
        "kind": "function",
        "name": "greet",
        "qualified_name": "a.greet",
        "signature": "def greet(name: str, greeting: str) -> str",
        "match": "exact",
    }
    answer = cast(
        "LocateSymbolResult",
        {
            "results": [result],
            "matches": {"exact": 1},
            "total_candidates": 1,
            "metadata": METADATA,
        },
    )

    whole = "a.py:3  function  a.greet  def greet(name: str, greeting: str) -> str"
    assert locate.render(answer, PLAIN).lines == [whole]
    assert locate.render(answer, PLAIN._replace(columns=50)).lines == [f"{whole[:49]}…"]
    assert locate.render(answer, PLAIN._replace(columns=30)).lines == ["a.py:3  function  a.greet"]


def test_an_outline_that_nests_deeply_is_told_without_recursion() -> None:
    symbol: dict[str, object] = {"name": "f", "kind": "function", "line_start": 1, "line_end": 1}
    for _ in range(5000):
        symbol = {**symbol, "children": [symbol]}
    answer = cast(
        "GetFileOutlineResult",
        {
            "file_path": "a.py",
            "language": "python",
            "symbols": [symbol],
            "metadata": METADATA | {"symbol_count": 5001},
        },
    )

    lines = outline.render(answer, PLAIN).lines

    assert (len(lines), lines[-1]) == (5002, f"1  function  {'  ' * 5000}f")


@pytest.mark.parametrize(
    ("changed", "removed", "line"),
    [
        (0, 0, "main is up to date (generation 4)"),
        (1, 0, "main: 1 file read, 1 parsed in 20 ms (generation 4)"),
        (2, 3, "main: 2 files read, 1 parsed, 3 removed in 20 ms (generation 4)"),
    ],
)
def test_a_sync_is_told_in_one_line(changed: int, removed: int, line: str) -> None:
    answer = cast(
        "PublishedSync",
        {
            "generation": 4,
            "changed_files": changed,
            "indexed_files": 1,
            "removed_files": removed,
            "duration_ms": 20,
            "metadata": METADATA,
        },
    )

    assert sync.render(answer, PLAIN).lines == [line]


def test_a_collection_names_the_refs_that_it_dropped() -> None:
    answer = cast(
        "CollectResult",
        {
            "dropped_refs": ["refs/heads/old"],
            "dropped_versions": 14,
            "freed_bytes": 1_234_567,
            "duration_ms": 1500,
        },
    )

    assert gc.render(answer, PLAIN).lines == [
        "dropped 1 ref and 14 file versions, 1.2 MB freed in 1.5 s",
        "  refs/heads/old",
    ]


def test_doctor_names_the_model_in_use_and_gives_the_advice_that_was_asked_for() -> None:
    answer = cast(
        "DoctorResult",
        {
            "status": "ready",
            "checks": [{"check": "semantic", "ok": True}],
            "semantic": SEMANTIC,
            "semantic_profile_recommendation": {
                "profile": "fast_local",
                "is_current": True,
                "estimated_minutes": 0,
            },
            "metadata": {},
            "native": True,
        },
    )

    assert doctor.render(answer, PLAIN).lines == [
        "ok       semantic search: hybrid by codevec (fast_local, version 65bd)",
        "advice   profile fast_local fits this repository, and is in use",
    ]


def test_doctor_says_when_the_inner_loops_are_slow() -> None:
    answer = cast("DoctorResult", {"checks": [], "native": False, "metadata": {}})

    (notice,) = doctor.render(answer, PLAIN).lines

    assert notice.startswith("notice   the inner loops run in Python")
    answer["native"] = True
    assert doctor.render(answer, PLAIN).lines == []


def test_an_index_without_the_vectors_that_were_wanted_says_why() -> None:
    answer = cast(
        "IndexCommandResult",
        {
            "changed_files": 1,
            "indexed_files": 1,
            "removed_files": 0,
            "duration_ms": 20,
            "semantic": UNAVAILABLE,
            "download_problem": "topics/known: nobody there",
            "metadata": METADATA,
        },
    )

    assert index.render(answer, PLAIN).remarks == [
        "the model was not downloaded: topics/known: nobody there",
        (
            "semantic search: hybrid, but answers are lexical: it needs fastembed\\x1b[31m;"
            " run `pip install 'fastembed>=0.9,<1'`"
        ),
    ]


def test_doctor_counts_its_problems_and_lists_the_warnings() -> None:
    answer = cast(
        "DoctorResult",
        {
            "status": "error",
            "checks": [
                {"check": "git", "ok": True},
                {"check": "sqlite", "ok": False, "problem": "bad"},
            ],
            "metadata": {"warnings": ["a: ignored"]},
            "native": True,
        },
    )

    page = doctor.render(answer, PLAIN)

    assert page.lines == [
        "ok       git answers",
        "problem  sqlite: bad",
        "notice   config: a: ignored",
    ]
    assert page.remarks == ["1 of 2 checks failed"]
    assert doctor.exit_code(answer) == 1


def test_settings_stand_in_columns_with_the_warnings_after_them() -> None:
    answer = cast(
        "ConfigShowResult",
        {
            "settings": [
                {"key": "index.auto", "value": "true", "origin": "default"},
                {"key": "index.languages", "value": '["go"]', "origin": "home /h/config.toml"},
            ],
            "metadata": {"warnings": ["a: ignored"]},
        },
    )

    page = config.render(answer, PLAIN)

    assert page.lines == [
        "index.auto       true    default",
        'index.languages  ["go"]  home /h/config.toml',
    ]
    assert page.remarks == ["a: ignored"]


@pytest.mark.parametrize(
    ("passed_seconds", "told"),
    [
        (-5, "just now"),
        (0, "just now"),
        (1, "1 second ago"),
        (59, "59 seconds ago"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (200_000, "2 days ago"),
    ],
)
def test_a_time_is_told_in_the_largest_unit_that_fits(passed_seconds: int, told: str) -> None:
    assert ago(NOW_NS - passed_seconds * 1_000_000_000, NOW_NS) == told


def test_counts_and_durations_are_told_for_people() -> None:
    assert by_reason({}) == "none"
    assert by_reason({"b": 1, "too_large": 1200, "a": 1}) == "1,202 (1,200 too large, 1 a, 1 b)"
    assert [seconds(each) for each in (0, 999, 1000, 12_345)] == [
        "0 ms",
        "999 ms",
        "1.0 s",
        "12.3 s",
    ]
