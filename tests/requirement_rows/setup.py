"""The requirements of `cruxe setup`; the sources are sections of the product description."""

from typing import Final

from tests.requirement_rows import Group

SETUP: Final = (
    Group(
        "PRODUCT 11: command line and set-up",
        None,
        {
            "SETUP-CLIENTS": (
                "cruxe setup registers the server with each client in its own format and place,"
                " by scope and system, with a skill and a short block of instructions."
            ),
            "SETUP-COMMAND": (
                "The command written down is the absolute path of the installed cruxe, or the"
                " running interpreter with -m cruxe, or the one given with --command."
            ),
            "SETUP-ROUND-TRIP": (
                "Uninstall after install gives exactly the bytes before: missing files and folders,"
                " final newlines, CRLF, BOM, comments, trailing commas, order and indentation."
            ),
            "SETUP-EDITS": (
                "What someone else wrote into a file between install and uninstall survives, and"
                " so do their comments."
            ),
            "SETUP-IDEMPOTENT": "A second install changes nothing and says so.",
            "SETUP-RENEW": (
                "An install by a newer or moved Cruxe renews what an earlier one wrote, and"
                " uninstall still gives back what was there before the first."
            ),
            "SETUP-FOREIGN": (
                "What someone else wrote under our name, or changed by hand, is left alone and told"
                " about with a way out; --force replaces it, and uninstall brings it back."
            ),
            "SETUP-SHARED": (
                "A file that several clients read is written once, and the last of them to be"
                " uninstalled takes it out."
            ),
            "SETUP-DRY-RUN": "A dry run shows a diff of each file and writes nothing at all.",
            "SETUP-ATOMIC": (
                "A file is replaced as a whole, by rename, keeping its mode and links; a crash"
                " leaves the old file or the new one, and running set-up again finishes."
            ),
            "SETUP-REFUSE": (
                "Invalid, read-only, changing or unusual files, and links that lead out of the"
                " project, are refused with a way out, and then no file at all is written."
            ),
            "SETUP-GUIDANCE": (
                "Skill and instructions are short, say which tool serves which question and when"
                " to use grep, and name only commands that exist."
            ),
            "SETUP-LATE": "No other command imports anything of set-up.",
        },
    ),
)
