"""The locations of configuration files, and the resolution of paths in them."""

import os.path
from collections.abc import Mapping
from typing import Final

from cruxe.config.provenance import DEFAULT_ORIGIN, Layer, Origin
from cruxe.config.settings import SemanticSettings, Settings

ENVIRONMENT_PREFIXES: Final = ("CRUXE_", "CODECOMPASS_")  # strongest first
CONFIG_PATH_VARIABLE: Final = "CRUXE_CONFIG"
_FILE_LAYERS: Final = frozenset({Layer.HOME, Layer.REPOSITORY, Layer.CONFIG_FILE})


def config_file_in(folder: str) -> str:
    """Return the path of the configuration file of a home directory or repository."""
    return os.path.join(folder, ".cruxe", "config.toml")


def has_variables(environ: Mapping[str, str]) -> bool:
    """Return whether the environment may contain settings."""
    return any(name.startswith(ENVIRONMENT_PREFIXES) for name in environ)


def with_absolute_paths(settings: Settings, origins: Mapping[str, Origin], home: str) -> Settings:
    """Make every path in the settings absolute, relative to the file that set it."""
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
    """Resolve a path: `~` is `home`; others are relative to their file or the current folder."""
    if path == "~" or path.startswith(("~/", "~\\")):
        return os.path.normpath(home + path[1:])
    folder = os.path.dirname(origin.source) if origin.layer in _FILE_LAYERS else ""
    return os.path.abspath(os.path.join(folder, path))
