"""The requirements of a server that runs for long; the sources are sections of the product."""

from typing import Final

from tests.requirement_rows import Group

ENDURANCE: Final = (
    Group(
        "PRODUCT 3.7: verify before returning",
        None,
        {
            "OUTLINE-VERIFY": (
                "The outline of a file that changed since it was indexed is of what stands in it"
                " now, and the answer is stale; a file that is gone has none."
            ),
            "CONTEXT-VERIFY": (
                "What stands around a definition in a changed file is told where it is now."
            ),
            "SOAK-CHECK": (
                "The soak's check takes an answer that agrees with its files and notices one that"
                " is a line off or shows a line that is not there."
            ),
        },
    ),
    Group(
        "PRODUCT 4: jobs and calls",
        None,
        {
            "PREWARM-YIELDS": (
                "Warming up stands aside before each of its steps while a call is under way, so"
                " that a question sent at once does not wait for it."
            ),
            "SERVER-MEMORY": (
                "A server gives memory that it no longer uses back to the system, unless the"
                " environment says how memory is to be handled."
            ),
            "JOB-CANCEL": (
                "A cancelled sync or index stops its work if nobody else asked for it; what was"
                " published stays, and the next sync goes on from the last checkpoint."
            ),
            "JOB-CANCEL-SHARED": (
                "A job that another call waits for, or the watcher asked for, is finished though"
                " one call that asked for it is cancelled."
            ),
        },
    ),
)
