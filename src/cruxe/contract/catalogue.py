"""The table of tools, in the order in which they are listed, one row per tool.

A tool runs the `Repository` method of the same name; only `switch_ref` is handled by the
dispatcher. The request type in its row defines its arguments and its schema.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.contract import requests


class Profile(StrEnum):
    """Which tools a server shows: those of everyday work, or all."""

    CORE = "core"
    FULL = "full"


class Tool(NamedTuple):
    """One tool."""

    name: str
    title: str
    profile: Profile  # the smallest profile that includes it
    request: type[requests.Request]
    description: str
    is_read_only: bool = True
    reports_progress: bool = False
    fits_format: bool = False  # its method takes the format, as its size limit depends on it


TOOLS: Final = (
    Tool(
        name="search_code",
        title="Search code",
        profile=Profile.CORE,
        request=requests.SearchCode,
        description=(
            "Find code by meaning, words, names, paths or an error message: ranked definitions"
            " and regions, each with path, lines and signature. First choice when you do not"
            " know where something is. Quotes ask for exact text, -word excludes, AND/OR/NOT"
            " work."
        ),
    ),
    Tool(
        name="locate_symbol",
        title="Locate a symbol",
        profile=Profile.CORE,
        request=requests.LocateSymbol,
        description=(
            "Where a name is defined: every definition, exact first, then other spellings and"
            " typing errors, each labelled. Use it when you know the name of a function, class"
            " or constant."
        ),
    ),
    Tool(
        name="read_symbol",
        title="Read a symbol",
        profile=Profile.CORE,
        request=requests.ReadSymbol,
        description=(
            "The source of one symbol or region as the file has it now. Cheaper than reading"
            " the file."
        ),
    ),
    Tool(
        name="get_file_outline",
        title="Outline a file",
        profile=Profile.CORE,
        request=requests.GetFileOutline,
        fits_format=True,
        description=(
            "The nested symbols of a file with signatures and lines. Use it before reading a file."
        ),
    ),
    Tool(
        name="search_text",
        title="Search text",
        profile=Profile.CORE,
        request=requests.SearchText,
        description=(
            "Every line that holds a text or matches a regex, counted, in path order: grep over"
            " the index, uncommitted edits included. Use it for exact strings, for all"
            " occurrences, and to prove that something does not occur."
        ),
    ),
    Tool(
        name="index_status",
        title="Index status",
        profile=Profile.CORE,
        request=requests.IndexStatus,
        description=("What is indexed, how fresh it is, and running or interrupted jobs."),
    ),
    Tool(
        name="health_check",
        title="Health check",
        profile=Profile.CORE,
        request=requests.HealthCheck,
        description=(
            "Whether the server, its stores and its grammars are sound. Use it when answers fail."
        ),
    ),
    Tool(
        name="sync_repo",
        title="Sync the index",
        profile=Profile.CORE,
        request=requests.SyncRepo,
        description=(
            "Bring the index of the working tree, or of another ref, up to date. Rarely needed:"
            " answers say when they are stale."
        ),
        is_read_only=False,
        reports_progress=True,
    ),
    Tool(
        name="index_repo",
        title="Index a repository",
        profile=Profile.FULL,
        request=requests.IndexRepo,
        description=(
            "Index a ref, trying again the files that failed before; force starts from nothing."
        ),
        is_read_only=False,
        reports_progress=True,
    ),
    Tool(
        name="explain_ranking",
        title="Explain a ranking",
        profile=Profile.FULL,
        request=requests.ExplainRanking,
        description=(
            "Why a line of a file ranks where it does for a query, number by number, and what"
            " beat it; or why it is not among the results."
        ),
    ),
    Tool(
        name="list_refs",
        title="List refs",
        profile=Profile.FULL,
        request=requests.ListRefs,
        description=("The branches, commits and working trees that have an index."),
    ),
    Tool(
        name="switch_ref",
        title="Switch the ref",
        profile=Profile.FULL,
        request=requests.SwitchRef,
        description=(
            "Make later calls of this session use another indexed ref unless they name one; the"
            " name of the branch checked out goes back to the working tree. Without a session"
            " it checks the ref and returns the one to pass."
        ),
        is_read_only=False,
    ),
)


def tools_of(profile: Profile) -> list[Tool]:
    """Return the tools of a profile, in order."""
    return [tool for tool in TOOLS if profile is Profile.FULL or tool.profile is Profile.CORE]


TOOLS_BY_NAME: Final = {tool.name: tool for tool in TOOLS}
# Tools that take a ref; without one, the ref of the session is used.
REF_TOOLS: Final = frozenset(
    tool.name for tool in TOOLS if issubclass(tool.request, requests.RefRequest)
)
