"""Loads settings from all layers: environment, `--config` file, repository, home, defaults.

Most runs have no configuration, so the modules that read it are imported only if there is some.
"""

import os.path
from collections.abc import Mapping

from cruxe.config.locations import (
    CONFIG_PATH_VARIABLE,
    absolute_path,
    config_file_in,
    has_variables,
    with_absolute_paths,
)
from cruxe.config.provenance import DEFAULT_ORIGIN, LoadedSettings
from cruxe.config.settings import Settings


def load_settings(
    repo_root: str | None, config_path: str | None, environ: Mapping[str, str], home: str
) -> LoadedSettings:
    """Load all layers; without `config_path`, `CRUXE_CONFIG` names the file.

    Raises `InvalidInputError` if a file of the user's own is invalid, or is named but missing.
    An invalid repository file is ignored with a notice.
    """
    home_file = _existing(config_file_in(home))
    repository_file = _existing(config_file_in(repo_root)) if repo_root is not None else None
    chosen_file = config_path or environ.get(CONFIG_PATH_VARIABLE)
    if not (home_file or repository_file or chosen_file or has_variables(environ)):
        return LoadedSettings(with_absolute_paths(Settings(), {}, home), origins={}, notices=())

    from cruxe.config import layers

    collected = [
        layers.collect_home_file(home_file),
        layers.collect_repository_file(_unless_same(repository_file, home_file)),
        layers.collect_chosen_file(
            chosen_file and absolute_path(chosen_file, DEFAULT_ORIGIN, home)
        ),
        layers.collect_environment(environ),
    ]
    return layers.combine(collected, home)


def _existing(path: str) -> str | None:
    return path if os.path.lexists(path) else None


def _unless_same(repository_file: str | None, home_file: str | None) -> str | None:
    # If the repository is the home directory, its file is the user's own.
    if repository_file and home_file:
        is_same = os.path.realpath(repository_file) == os.path.realpath(home_file)
        return None if is_same else repository_file
    return repository_file
