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
        },
    ),
)
