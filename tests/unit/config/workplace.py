"""A home, a repository and a file for `--config`, each with what a test writes into it."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from cruxe.config import LoadedSettings, load_settings


class Workplace:
    """Three places for configuration files, and the settings they give."""

    def __init__(self, folder: Path) -> None:
        """Use empty folders under `folder`."""
        self.home = folder / "home"
        self.repository = folder / "repository"
        self.home_file = self.home / ".cruxe" / "config.toml"
        self.repository_file = self.repository / ".cruxe" / "config.toml"
        self.chosen_file = folder / "chosen.toml"

    def load(
        self,
        *,
        home: str = "",
        repository: str = "",
        chosen: str = "",
        environ: Mapping[str, str] | None = None,
    ) -> LoadedSettings:
        """Write each text that is given into its file, and load."""
        files = {
            self.home_file: home,
            self.repository_file: repository,
            self.chosen_file: chosen,
        }
        for file, text in files.items():
            if text:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        return load_settings(
            str(self.repository),
            str(self.chosen_file) if chosen else None,
            environ or {},
            str(self.home),
        )

    def load_only(self, layer: str, text: str) -> LoadedSettings:
        """Load with one file alone: `home`, `repository` or `chosen`."""
        texts = {"home": "", "repository": "", "chosen": ""} | {layer: text}
        return self.load(home=texts["home"], repository=texts["repository"], chosen=texts["chosen"])


# A literal that is legal for some settings; together they have another value for every guarded one.
LITERALS = (
    "true",
    "false",
    "100000000",
    "100000",
    "8000",
    "4000",
    "255",
    "90",
    "30",
    "0.9",
    '"https://elsewhere.example/v1"',
    '"voyage"',
    '"external"',
    '"debug"',
    '["/"]',
    '[{name = "ticket", pattern = "T-[0-9]+"}]',
)


def raw_of(literal: str) -> object:
    """Read a TOML literal."""
    return tomllib.loads(f"value = {literal}")["value"]
