"""The requirements of a long-lived server; the sources are sections of the product description."""

from typing import Final

from tests.requirement_rows import Group

SERVING: Final = (
    Group(
        "PRODUCT 4 and 13: workspaces",
        None,
        {
            "SERVE-WORKSPACES": (
                "A server serves the workspace it was started for and, by the workspace argument,"
                " others that it may; what it does not serve is told with a code and a way out."
            ),
            "SERVE-ROOTS": (
                "Only what lies in an allowed root is served, by real paths, folder by folder."
            ),
            "SERVE-WARM-SET": (
                "As many workspaces stay open as the settings say; the one not asked for longest"
                " gives way, and none that is in use."
            ),
            "SERVE-PYTHON": (
                "cruxe.open starts nothing beside the calls unless background is asked for."
            ),
            "SERVE-THREADS": "Any number of threads may ask while the index changes.",
        },
    ),
    Group(
        "PRODUCT 4: deadline and automatic indexing",
        None,
        {
            "SERVE-COLD": (
                "While the first index is written, tools answer from a scan of the files, say so,"
                " and call nothing absent; strict refuses."
            ),
            "SERVE-AUTO-INDEX": (
                "With index.auto an unindexed workspace is indexed in the background and answers"
                " within the deadline; a server's own workspace is indexed without a question."
                " Without it, it is index_not_ready, or project_not_found if never indexed."
            ),
        },
    ),
    Group(
        "PRODUCT 5: watching",
        None,
        {
            "SERVE-WATCH": (
                "While a server runs, a saved file, a new folder, a deletion and a branch switch"
                " are indexed by themselves; what is ignored costs nothing."
            ),
            "SERVE-SAVE-TO-SEARCHABLE": (
                "What is saved is searchable without anybody asking for it, with or without git."
            ),
            "SERVE-ONE-WATCHER": (
                "Every server drains its own events; one requests syncs of what it sees, whoever"
                " holds the tree's lock, and another takes over when it ends."
            ),
            "SERVE-BASIS": "freshness_basis says what freshness rests on: watcher, stat or head.",
            "SERVE-WATCH-FAILS": (
                "Where watching fails, the reason is told and stamps are compared instead."
            ),
        },
    ),
    Group(
        "PRODUCT 3.10: read your writes",
        None,
        {
            "READ-YOUR-WRITES": (
                "An answer includes every change of the working tree that was complete when the"
                " call arrived, over stdio, HTTP and in Python; none is fresh and wrong."
            ),
            "READ-YOUR-WRITES-BOUND": (
                "Beyond a number of files or a wait an answer is stale and names what it lacks;"
                " strict refuses then, and best_effort neither waits nor syncs."
            ),
            "READ-WHILE-WRITING": (
                "A question on the command line is answered from what is published while another"
                " process writes or the disk is full, and says so."
            ),
            "STALE-BRANCH": (
                "A branch whose tip moved since it was indexed is stale, in answers and in"
                " list_refs."
            ),
        },
    ),
    Group(
        "issue: jobs",
        None,
        {
            "SERVE-NO-ORPHAN": (
                "Whatever ends a server ends its indexing; the job is told as interrupted, and the"
                " next sync mends the index."
            ),
            "SERVE-JOBS": (
                "Indexing runs in another process, one at a time, and never blocks an answer; its"
                " progress and its failures are told."
            ),
        },
    ),
)
