"""What agents are told: short, true of the command line, and the same each time."""

import re

from cruxe.serve.cli.command import CATALOGUE
from cruxe.setup.guidance import block_text, read_tools, rules_text, skill_text
from tests.requirements import requirement

# Of the whole block, which every session of an agent reads.
MAX_BLOCK_CHARACTERS = 1200
MAX_SKILL_CHARACTERS = 4000


@requirement("SETUP-GUIDANCE")
def test_texts_are_short() -> None:
    assert len(block_text()) <= MAX_BLOCK_CHARACTERS
    assert len(skill_text()) <= MAX_SKILL_CHARACTERS


@requirement("SETUP-GUIDANCE")
def test_every_tool_is_told_once_with_its_question() -> None:
    names = [each["tool"] for each in read_tools()]

    assert re.findall(r"^- `(\w+)`: \w", block_text(), re.MULTILINE) == names
    assert re.findall(r"^\| .+ \| `(\w+)` \| `cruxe .+` \|$", skill_text(), re.MULTILINE) == names


@requirement("SETUP-GUIDANCE")
def test_only_commands_that_exist_are_named() -> None:
    named = {each["command"].split()[1] for each in read_tools()}
    named |= set(re.findall(r"`cruxe (\w+)", skill_text() + block_text()))

    assert named - {*CATALOGUE} == set()


@requirement("SETUP-GUIDANCE")
def test_grep_has_its_place() -> None:
    assert "grep" in block_text()
    assert "## When to use grep and plain reads instead" in skill_text()


@requirement("SETUP-GUIDANCE")
def test_the_skill_has_the_head_that_clients_read() -> None:
    head = re.match(r"---\nname: ([a-z-]+)\ndescription: ([^\n]+)\n---\n\n# ", skill_text())

    assert head is not None
    assert head[1] == "cruxe"  # the name of its folder, as the standard asks
    assert len(head[2]) <= 1024
    assert ": " not in head[2]  # else it would have to be quoted


def test_rules_apply_to_all_files() -> None:
    assert rules_text() == f'---\napplyTo: "**"\n---\n\n{block_text()}'
