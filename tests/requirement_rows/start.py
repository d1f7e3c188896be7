"""The requirements of a fast start; the sources are sections of the product description."""

from typing import Final

from tests.requirement_rows import Group

START: Final = (
    Group(
        "PRODUCT 5: freshness",
        None,
        {
            "FRESH-WITNESS": (
                "Git need not be asked for its listing while the stamps of all that the listing"
                " depends on are what they were; whenever it would list other files, they differ."
            ),
            "FRESH-NO-GIT": (
                "A working tree that has not changed is found fresh without starting git."
            ),
            "FRESH-BY-NAME": (
                "A file that its name alone rules out does not make an index stale by its content,"
                " only by becoming something else."
            ),
            "FRESH-GLANCE": (
                "Where no watcher vouches, a server's question looks at files for a few ms, the"
                " next one goes on from there, and freshness_basis says when not all were seen."
            ),
            "FRESH-LOOK-HANDED-ON": (
                "A sync takes what the question before it saw of the tree, and what changes after"
                " that look is never called fresh."
            ),
            "FRESH-TRAIL": (
                "A process that syncs a tree again looks at what was touched since alone, and at"
                " everything where no change is told of, after a minute, or in doubt."
            ),
            "TREE-ANYWHERE": (
                "A file that is edited, made or deleted anywhere in a large tree is noticed by the"
                " next question."
            ),
            "STORE-EDIT": (
                "Replacing the rows of touched files publishes the same map, with all that is"
                " packed of it, as writing the whole map."
            ),
        },
    ),
)
