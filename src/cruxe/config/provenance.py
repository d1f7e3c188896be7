"""Settings with where each came from and what was not taken as given."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.config.settings import Settings


class Layer(StrEnum):
    """A place that gives settings, weakest first."""

    DEFAULT = "default"
    HOME = "home"
    REPOSITORY = "repository"
    CONFIG_FILE = "config_file"
    ENVIRONMENT = "environment"


class Origin(NamedTuple):
    """The layer a value came from, with the file or the environment variable."""

    layer: Layer
    source: str = ""  # empty for defaults

    def __str__(self) -> str:
        """Read as `repository /path/to/config.toml`."""
        return f"{self.layer} {self.source}".rstrip()


class Notice(NamedTuple):
    """Something in the configuration that was not taken as given."""

    key: str  # as it was written; empty when the notice is about a whole file
    given: str  # empty where it must not or need not be shown
    used: str  # the value in force; empty where there is none
    why: str
    origin: Origin

    def __str__(self) -> str:
        """Read as one line for a person."""
        given = f" = {self.given}" if self.given else ""
        used = f"; using {self.used}" if self.used else ""
        subject = f"{self.key}{given}: " if self.key else ""
        return f"{subject}{self.why}{used} ({self.origin})"


class LoadedSettings(NamedTuple):
    """Settings, where each came from, and what was not taken as given."""

    settings: Settings
    origins: Mapping[str, Origin]  # by key; one that is not listed has its default
    notices: tuple[Notice, ...]


DEFAULT_ORIGIN: Final = Origin(Layer.DEFAULT)
