"""The model that ships: what its card says is so, and what went into it may ship."""

import csv
import json
import os

import numpy as np
import pytest

from cruxe.embed.table import content_version, open_table, shipped_folder
from training.exclusion import excluded_names, is_excluded_package
from training.licences import ALLOWED

MOST_BYTES = 16 * 1024 * 1024
FILES = {"card.json", "scale.npy", "sources.tsv", "table.npy", "vocab.txt"}


@pytest.fixture(scope="module")
def card() -> dict[str, object]:
    with open(os.path.join(shipped_folder(), "card.json"), encoding="utf-8") as file:
        stated: dict[str, object] = json.load(file)
    return stated


@pytest.fixture(scope="module")
def sources() -> list[dict[str, str]]:
    path = os.path.join(shipped_folder(), "sources.tsv")
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_the_version_on_the_card_is_the_digest_of_the_table(card: dict[str, object]) -> None:
    assert card["version"] == content_version(shipped_folder())


def test_the_files_fit_into_sixteen_megabytes() -> None:
    sizes = {
        name: os.path.getsize(os.path.join(shipped_folder(), name))
        for name in os.listdir(shipped_folder())
    }

    assert sizes.keys() == FILES
    assert sum(sizes.values()) <= MOST_BYTES


def test_rows_scales_and_pieces_are_as_many_as_the_card_says(card: dict[str, object]) -> None:
    rows = np.load(os.path.join(shipped_folder(), "table.npy"), mmap_mode="r")
    scales = np.load(os.path.join(shipped_folder(), "scale.npy"))
    table = open_table(shipped_folder())

    assert (rows.shape, rows.dtype) == ((card["pieces"], card["dimensions"]), np.int8)
    assert (scales.shape, scales.dtype) == ((card["pieces"],), np.float16)
    assert len(table.vocabulary) == card["pieces"]
    assert np.isfinite(scales).all()
    assert (scales > 0).all()


def test_no_row_that_a_common_word_needs_is_empty() -> None:
    table = open_table(shipped_folder())
    places = [table.vocabulary.get(word) for word in ("error", "parse", "request")]

    assert [place for place in places if place is None or not any(table.row(place))] == []


def test_every_source_has_an_accepted_licence(sources: list[dict[str, str]]) -> None:
    licences = {part for row in sources for part in row["licence"].split(" AND ")}

    assert licences
    assert licences <= ALLOWED


def test_no_source_is_a_project_that_the_model_is_judged_on(sources: list[dict[str, str]]) -> None:
    assert {"django", "rails", "tokio", "zod"} <= excluded_names()
    assert [row["name"] for row in sources if is_excluded_package(row["name"])] == []


def test_the_card_counts_the_sources(
    card: dict[str, object], sources: list[dict[str, str]]
) -> None:
    registries = [row["registry"] for row in sources]
    counted = {name: registries.count(name) for name in sorted(set(registries))}

    assert card["packages"] == counted
    assert all(int(row["pairs"]) > 0 and len(row["sha256"]) == 64 for row in sources)


def test_the_card_states_recipe_scores_and_limits(card: dict[str, object]) -> None:
    assert {"recipe", "scores", "limits", "start", "licence", "pairs", "languages"} <= card.keys()
