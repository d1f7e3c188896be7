"""The README: what can be typed works, what it names exists, and its figures are those measured."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from runpy import run_path
from xml.etree import ElementTree as ET

import pytest

from benchmarks.harness.readme_tables import END, START, readme_tables, with_tables
from benchmarks.harness.report import load_results
from cruxe.config.load import load_settings
from cruxe.contract.catalogue import Profile, tools_of
from cruxe.serve.cli.command import CATALOGUE, load_command
from cruxe.serve.cli.parser import parser_of
from tests.requirements import requirement
from tests.shape.project import ROOT, project_files, read_bytes
from tests.support.command import environment, run_cruxe
from tests.support.repositories import MakeRepo, Repo

README = read_bytes("README.md").decode()
PAGES = [path for path in project_files() if re.fullmatch(r"[A-Z]+\.md|docs/.*\.md", path)]
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
INSTALLERS = re.compile(r"\b(?:pip|pipx|uv tool|uv pip) install ([^`\n]+)")
# A server runs until its input ends or it is interrupted.
ENDLESS = ("serve",)
PROJECT = """
    -- src/config.py
    class Config:
        def __init__(self, values: dict) -> None:
            self.values = values

    def parse_config(text: str) -> Config:
        '''Parse the configuration from toml.'''
        return Config(read_values(text))
    -- src/values.py
    def read_values(text: str) -> dict:
        '''How a value is parsed: read the file line by line.'''
        return dict(line.split("=") for line in text.splitlines())
"""


@pytest.fixture
def project(repo: MakeRepo) -> Repo:
    return repo(PROJECT)


@requirement("README-RUNS")
def test_its_commands_work_when_typed(project: Repo) -> None:
    typed = [words for words in _commands() if words[1] not in ENDLESS]
    failed = {}
    for words in typed:
        finished = run_cruxe(project.root, *words[1:])
        if finished.code != 0:
            failed[shlex.join(words)] = finished.stderr or finished.stdout

    assert failed == {}
    assert {"search", "locate", "setup", "serve-mcp"} <= {words[1] for words in typed}


@requirement("README-RUNS")
def test_its_python_works_when_typed(project: Repo) -> None:
    [sample] = [text for language, text in FENCED.findall(README) if language == "python"]
    # Each expression is an answer, and none of them is empty.
    checked = re.sub(r"^(repo\..*\])(?=\s|$)", r"assert \1", sample, flags=re.MULTILINE)
    # What stands behind a value is what it is.
    checked = re.sub(r"^(assert .*?) +# ('.*')$", r"\1 == \2", checked, flags=re.MULTILINE)

    finished = subprocess.run(
        [sys.executable, "-c", checked],
        cwd=project.root,
        env=environment(),
        check=False,
        capture_output=True,
        encoding="utf-8",
    )

    assert checked.count("assert") >= 5
    assert (finished.returncode, finished.stderr) == (0, "")


@requirement("README-RUNS")
def test_its_settings_are_taken_without_a_notice(project: Repo, home: str) -> None:
    [sample] = [text for language, text in FENCED.findall(README) if language == "toml"]
    with open(os.path.join(home, "sample.toml"), "w", encoding="utf-8") as file:
        file.write(sample)

    loaded = load_settings(project.root, os.path.join(home, "sample.toml"), {}, home)

    assert loaded.notices == ()


@requirement("README-RUNS")
def test_every_command_and_option_it_names_exists() -> None:
    named = {
        words[1]
        for text in _typed_or_quoted()
        if (words := text.split()) and words[0] == "cruxe" and len(words) > 1
    }
    helps = "".join(
        parser_of(name, entry.summary, load_command(name)).format_help()
        for name, entry in CATALOGUE.items()
    )
    options = {option for text in _typed_or_quoted() for option in re.findall(r"--[a-z-]+", text)}

    assert sorted(named - set(CATALOGUE)) == []
    assert sorted(option for option in options if option not in helps) == []
    # And the other way round: no command is left out.
    assert sorted(set(CATALOGUE) - named) == []


@requirement("README-RUNS")
def test_every_tool_is_named() -> None:
    assert [tool.name for tool in tools_of(Profile.FULL) if f"`{tool.name}`" not in README] == []


@requirement("README-RUNS")
@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_installed_by_a_name_that_no_registry_has(page: str) -> None:
    targets = {each.strip() for each in INSTALLERS.findall(read_bytes(page).decode())}

    assert {each for each in targets if "cruxe" in each} == set()


@requirement("README-RUNS")
@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file(page: str) -> None:
    text = read_bytes(page).decode()
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
    folder = os.path.dirname(os.path.join(ROOT, page))

    assert [each for each in targets if not os.path.exists(os.path.join(folder, each))] == []


@requirement("README-RUNS")
def test_its_make_targets_exist_and_stand_on_the_first_screen() -> None:
    makefile = read_bytes("Makefile").decode()
    targets = re.findall(r"^ {4}make ([a-z-]+)", README, re.MULTILINE)

    assert targets == ["demo", "test"]
    assert [each for each in targets if f"\n{each}:" not in makefile] == []
    assert all(f"make {each}" in "\n".join(README.split("\n")[:12]) for each in targets)


@requirement("README-FIGURES")
def test_its_figures_are_those_of_the_kept_results() -> None:
    assert README.count(START) == README.count(END) == 1
    # If this fails: python -m benchmarks.harness.readme_tables
    assert with_tables(README, readme_tables(load_results())) == README


@requirement("README-FIGURES")
def test_losses_are_among_its_figures() -> None:
    failed = [each.suite for each in load_results() if each.has_failed]
    shown = README.partition(START)[2].partition(END)[0]

    assert "Where semble is ahead" in shown
    assert [suite for suite in failed if f"| {suite} " not in shown] == []


@requirement("README-RUNS")
def test_its_picture_shows_commands_that_exist() -> None:
    texts = _lines_of_picture(read_bytes("docs/pictures/terminal.svg"))
    commands = [text.removeprefix("$ ").split() for text in texts if text.startswith("$ ")]

    assert len(commands) >= 4
    assert [words for words in commands if words[0] != "cruxe" or words[1] not in CATALOGUE] == []


@requirement("README-RUNS")
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_script_draws_what_a_terminal_shows(project: Repo) -> None:
    script = run_path(os.path.join(ROOT, "docs", "pictures", "make_terminal.py"))

    picture: str = script["make_picture"](project.root, ("cruxe index", "cruxe locate Config"))

    lines = _lines_of_picture(picture.encode())
    assert lines[0] == "$ cruxe index"
    assert [line for line in lines if "files," in line] == []  # the progress bar is gone
    assert lines[-2:] == [
        "$ cruxe locate Config",
        "src/config.py:1classconfig.Configclass Config",
    ]


def _lines_of_picture(picture: bytes) -> list[str]:
    """The text of each line, without spaces that only part one style from the next."""
    root = ET.fromstring(picture)  # noqa: S314 - drawn by our own script
    texts = root.iter("{http://www.w3.org/2000/svg}text")
    return ["".join(each.itertext()) for each in texts]


def _commands() -> Iterator[list[str]]:
    """Every line of a shell sample that calls Cruxe."""
    for language, text in FENCED.findall(README):
        if language == "sh":
            for line in text.splitlines():
                words = shlex.split(line, comments=True)
                if words[:1] == ["cruxe"]:
                    yield words


def _typed_or_quoted() -> Iterator[str]:
    """Shell samples by line, and what stands in backticks in the text."""
    for language, text in FENCED.findall(README):
        if language == "sh":
            yield from (line for line in text.splitlines() if line.startswith("cruxe"))
    prose = FENCED.sub("", README)
    yield from INLINE.findall(prose)
