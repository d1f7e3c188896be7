"""Settings: all defaults, the layers that change them, and where each value came from."""

from cruxe.config.load import load_settings
from cruxe.config.provenance import Layer, LoadedSettings, Notice, Origin
from cruxe.config.settings import Settings

__all__ = ["Layer", "LoadedSettings", "Notice", "Origin", "Settings", "load_settings"]
