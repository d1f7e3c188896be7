"""Loaded settings with the origin of each value and notices on rejected ones."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.config.settings import Settings


class Layer(StrEnum):
    """A source of settings, weakest first."""

    DEFAULT = "default"
    HOME = "home"
    REPOSITORY = "repository"
    CONFIG_FILE = "config_file"
    ENVIRONMENT = "environment"


class Origin(NamedTuple):
    """The layer that a value comes from, with the file or environment variable."""

    layer: Layer
    source: str = ""  # empty for defaults

    def __str__(self) -> str:
        """Format as `repository /path/to/config.toml`."""
        return f"{self.layer} {self.source}".rstrip()


class Notice(NamedTuple):
    """A configuration value or file that was ignored or replaced."""

    key: str  # as written; empty if the notice is about a whole file
    given: str  # empty if it must not or need not be shown
    used: str  # the effective value; empty if there is none
    why: str
    origin: Origin

    def __str__(self) -> str:
        """Format as one line."""
        given = f" = {self.given}" if self.given else ""
        used = f"; using {self.used}" if self.used else ""
        subject = f"{self.key}{given}: " if self.key else ""
        return f"{subject}{self.why}{used} ({self.origin})"


DEFAULT_ORIGIN: Final = Origin(Layer.DEFAULT)


class LoadedSettings(NamedTuple):
    """The settings, their origins and the notices."""

    settings: Settings
    origins: Mapping[str, Origin]  # by key; keys that are not listed have their default
    notices: tuple[Notice, ...]

    def notice(self, key: str, given: str, why: str, used: str) -> Notice:
        """Return a notice about the value of a key that turned out to be wrong later."""
        origin = self.origins.get(key, DEFAULT_ORIGIN)
        return Notice(key=key, given=given, used=used, why=why, origin=origin)
