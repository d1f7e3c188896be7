"""The table of filters is what requests, methods and commands take."""

from argparse import ArgumentParser
from inspect import signature

import pytest
from msgspec import NODEFAULT
from msgspec.structs import fields

from cruxe.contract.catalogue import TOOLS, Tool
from cruxe.model.specs import FILTERS, read_filters
from cruxe.repository import Repository
from cruxe.serve.cli.command import load_command

NAMES = {each.name for each in FILTERS}
# The commands that take all filters of their tool.
COMMANDS = {
    "search": "search_code",
    "locate": "locate_symbol",
    "text": "search_text",
    "explain": "explain_ranking",
}


def filters_of(tool: str) -> set[str]:
    """The filters that a tool takes by the table."""
    return {each.name for each in FILTERS if tool in each.tools}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_request_takes_the_filters_of_the_table(tool: Tool) -> None:
    optional = {each.name for each in fields(tool.request) if each.default is not NODEFAULT}

    assert optional & NAMES == filters_of(tool.name)


@pytest.mark.parametrize("tool", COMMANDS.values())
def test_a_method_takes_the_filters_of_the_table(tool: str) -> None:
    taken = set(signature(getattr(Repository, tool)).parameters)

    assert taken & NAMES == filters_of(tool)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_an_option_for_each_filter(command: str) -> None:
    parser = ArgumentParser()
    load_command(command).declare(parser)
    options = {option for each in FILTERS for option in each.options}
    wanted = {
        option for each in FILTERS if COMMANDS[command] in each.tools for option in each.options
    }

    assert options & set(parser._option_string_actions) == wanted


def test_filters_are_equal_in_whatever_order_they_are_given() -> None:
    one = read_filters(path="src", language="go", kind=None)

    assert one == read_filters(language="go", path="src")
    assert hash(one) == hash(read_filters(language="go", path="src"))
    assert repr(one) == "Filters(values=(('language', 'go'), ('path', 'src')))"
    assert (one.get("path"), one.get("kind")) == ("src", None)
    assert not read_filters(path=None)
