"""Models that were downloaded: where they lie, and how one gets there.

Each has a folder of its own. A note in it says where the model is, and that all of it is there.
"""

import os
from typing import Final

_NOTE: Final = "downloaded.txt"


def downloaded_folder(models_dir: str, name: str) -> str | None:
    """The folder of a model that was downloaded; nothing where it was not, or is gone."""
    place = _place_of(models_dir, name)
    try:
        with open(os.path.join(place, _NOTE), encoding="utf-8") as file:
            folder = os.path.join(place, file.read().strip())
    except (OSError, ValueError):
        return None
    return folder if os.path.isdir(folder) else None


def fetch_model(models_dir: str, name: str) -> str:
    """Download one of fastembed's models; gives its folder.

    Reaches out to where fastembed gets its models from: the caller has asked for consent.
    """
    from cruxe.embed.embedding_model import EmbeddingUnavailableError
    from cruxe.embed.transformer import download

    place = _place_of(models_dir, name)
    try:
        os.makedirs(place, exist_ok=True)
        folder = download(name, place)
        with open(os.path.join(place, _NOTE), "w", encoding="utf-8") as file:
            file.write(os.path.relpath(folder, place))
    except OSError as error:
        raise EmbeddingUnavailableError(f"{name}: {error.strerror or error}") from error
    return folder


def _place_of(models_dir: str, name: str) -> str:
    plain = "".join(each if each.isalnum() or each in "-_." else "--" for each in name.lower())
    return os.path.join(models_dir, plain.strip(".") or "unnamed")
