"""Find and download embedding models.

Each model has its own folder. A note file in it is written last: it holds the model's path and
marks the download as complete.
"""

import os
from typing import Final

_NOTE: Final = "downloaded.txt"


def downloaded_folder(models_dir: str, name: str) -> str | None:
    """Return the folder of a downloaded model, or None if it is missing or incomplete."""
    place = _place_of(models_dir, name)
    try:
        with open(os.path.join(place, _NOTE), encoding="utf-8") as file:
            folder = os.path.join(place, file.read().strip())
    except (OSError, ValueError):
        return None
    return folder if os.path.isdir(folder) else None


def fetch_model(models_dir: str, name: str) -> str:
    """Download one of fastembed's models; return its folder.

    Connects to the host of fastembed's models: the caller must have checked consent.
    """
    from cruxe.embed import EmbeddingUnavailableError
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
