"""The tools, in the order in which they are listed: one row is all that a tool takes here.

A tool is answered by the method of its name on `Repository`, unless the dispatcher has a reason
to treat it apart. What it takes is the type in its row; its schema is made from that.
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
    profile: Profile  # the smaller one that shows it
    request: type[requests.Request]
    description: str
    is_read_only: bool = True
    reports_progress: bool = False


TOOLS: Final = (
    Tool(
        "search_code",
        "Search code",
        Profile.CORE,
        requests.SearchCode,
        "Find code by meaning, words, names, paths or an error message: ranked definitions and"
        " regions, each with path, lines and signature. First choice when you do not know where"
        " something is. Quotes ask for exact text, -word excludes, AND/OR/NOT work.",
    ),
    Tool(
        "locate_symbol",
        "Locate a symbol",
        Profile.CORE,
        requests.LocateSymbol,
        "Where a name is defined: every definition, exact first, then other spellings and typing"
        " errors, each labelled. Use it when you know the name of a function, class or constant.",
    ),
    Tool(
        "read_symbol",
        "Read a symbol",
        Profile.CORE,
        requests.ReadSymbol,
        "The source of one symbol or region as the file has it now. Cheaper than reading the file.",
    ),
    Tool(
        "get_file_outline",
        "Outline a file",
        Profile.CORE,
        requests.GetFileOutline,
        "The nested symbols of a file with signatures and lines. Use it before reading a file.",
    ),
    Tool(
        "search_text",
        "Search text",
        Profile.CORE,
        requests.SearchText,
        "Every line that holds a text or matches a regex, counted, in path order: grep over the"
        " index, uncommitted edits included. Use it for exact strings, for all occurrences, and to"
        " prove that something does not occur.",
    ),
    Tool(
        "index_status",
        "Index status",
        Profile.CORE,
        requests.IndexStatus,
        "What is indexed, how fresh it is, and running or interrupted jobs.",
    ),
    Tool(
        "health_check",
        "Health check",
        Profile.CORE,
        requests.HealthCheck,
        "Whether the server, its stores and its grammars are sound. Use it when answers fail.",
    ),
    Tool(
        "sync_repo",
        "Sync the index",
        Profile.CORE,
        requests.SyncRepo,
        "Bring the index of the working tree, or of another ref, up to date. Rarely needed:"
        " answers say when they are stale.",
        is_read_only=False,
        reports_progress=True,
    ),
    Tool(
        "index_repo",
        "Index a repository",
        Profile.FULL,
        requests.IndexRepo,
        "Index a ref, trying again the files that failed before; force starts from nothing.",
        is_read_only=False,
        reports_progress=True,
    ),
    Tool(
        "explain_ranking",
        "Explain a ranking",
        Profile.FULL,
        requests.ExplainRanking,
        "Why a line of a file ranks where it does for a query, number by number, and what beat it;"
        " or why it is not among the results.",
    ),
    Tool(
        "list_refs",
        "List refs",
        Profile.FULL,
        requests.ListRefs,
        "The branches, commits and working trees that have an index.",
    ),
    Tool(
        "switch_ref",
        "Switch the ref",
        Profile.FULL,
        requests.SwitchRef,
        "Make later calls of this session use another indexed ref unless they name one; the name of"
        " the branch checked out goes back to the working tree. Without a session it checks the"
        " ref and returns the one to pass.",
        is_read_only=False,
    ),
)


def tools_of(profile: Profile) -> list[Tool]:
    """The tools that a profile shows, in order."""
    return [tool for tool in TOOLS if profile is Profile.FULL or tool.profile is Profile.CORE]


TOOLS_BY_NAME: Final = {tool.name: tool for tool in TOOLS}
# The tools about one ref, so that the ref of the session may stand in.
REF_TOOLS: Final = frozenset(
    tool.name for tool in TOOLS if issubclass(tool.request, requests.RefRequest)
)
