"""Settings from all layers: environment, `--config` file, repository, home, defaults.

Most runs find no configuration at all, so what reads it is imported only when there is some.
"""

import os.path
from collections.abc import Mapping
from typing import Final

from cruxe.config.report import DEFAULT_ORIGIN, Layer, LoadedSettings, Origin
from cruxe.config.settings import SemanticSettings, Settings


def load_settings(
    repo_root: str | None, config_path: str | None, environ: Mapping[str, str], home: str
) -> LoadedSettings:
    """Read all layers; `CRUXE_CONFIG` names the file where `config_path` does not.

    Raises `InvalidInputError` for a file of the user's own that is broken, or missing though
    named. A repository's file that is broken is ignored with a notice.
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
    # In the home directory itself the "repository's" file is the user's own.
    if repository_file and home_file:
        is_same = os.path.realpath(repository_file) == os.path.realpath(home_file)
        return None if is_same else repository_file
    return repository_file


ENVIRONMENT_PREFIXES: Final = ("CRUXE_", "CODECOMPASS_")  # strongest first
CONFIG_PATH_VARIABLE: Final = "CRUXE_CONFIG"
_FILE_LAYERS: Final = frozenset({Layer.HOME, Layer.REPOSITORY, Layer.CONFIG_FILE})


def config_file_in(folder: str) -> str:
    """Name the configuration file of a home directory or a repository."""
    return os.path.join(folder, ".cruxe", "config.toml")


def has_variables(environ: Mapping[str, str]) -> bool:
    """Tell whether the environment may hold settings."""
    return any(name.startswith(ENVIRONMENT_PREFIXES) for name in environ)


def with_absolute_paths(settings: Settings, origins: Mapping[str, Origin], home: str) -> Settings:
    """Anchor every path in the settings by where it was written."""
    storage, server = settings.storage, settings.server
    data_dir_origin = origins.get("storage.data_dir", DEFAULT_ORIGIN)
    roots_origin = origins.get("server.allowed_roots", DEFAULT_ORIGIN)
    roots = tuple(absolute_path(root, roots_origin, home) for root in server.allowed_roots)
    return settings.replace(
        storage=storage.replace(data_dir=absolute_path(storage.data_dir, data_dir_origin, home)),
        semantic=_with_model_paths(settings.semantic, origins, home),
        server=server.replace(allowed_roots=roots),
    )


def _with_model_paths(
    semantic: SemanticSettings, origins: Mapping[str, Origin], home: str
) -> SemanticSettings:
    embedding = semantic.embedding
    paths = {"model_path": embedding.model_path.strip(), "models_dir": embedding.models_dir.strip()}
    absolute = {
        key: absolute_path(path, origins.get(f"semantic.embedding.{key}", DEFAULT_ORIGIN), home)
        for key, path in paths.items()
        if path
    }
    return semantic.replace(embedding=embedding.replace(**absolute)) if absolute else semantic


def absolute_path(path: str, origin: Origin, home: str) -> str:
    """Anchor a path: `~` at home, others at the file they are written in, or where we run."""
    if path == "~" or path.startswith(("~/", "~\\")):
        return os.path.normpath(home + path[1:])
    folder = os.path.dirname(origin.source) if origin.layer in _FILE_LAYERS else ""
    return os.path.abspath(os.path.join(folder, path))
