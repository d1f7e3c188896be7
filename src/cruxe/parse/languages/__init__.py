"""The registry of languages, one folder each.

To add a language, add a folder whose package defines `LANGUAGE`. No list needs to be changed.
"""

import os
import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Final, NamedTuple

from cruxe.parse.language import Language

PLAIN_TEXT: Final = Language(name="text", aliases=("plain", "plaintext", "txt"), mode="prose")
_HERE: Final = os.path.dirname(__file__)
_folders: dict[str, str] = {}


class Registry(NamedTuple):
    """All languages, indexed by extension, file name and interpreter."""

    languages: tuple[Language, ...]
    by_extension: dict[str, tuple[Language, ...]]
    by_filename: dict[str, Language]
    by_interpreter: dict[str, Language]

    def detect(self, path: str, data: bytes) -> Language:
        """Return a file's language by name, then extension, then `#!` line; else plain text."""
        name = path.rpartition("/")[2].lower()
        if name in self.by_filename:
            return self.by_filename[name]
        candidates = self._candidates(name)
        if len(candidates) == 1:
            return candidates[0]
        for language in candidates:
            if language.recognises is not None and language.recognises(data):
                return language
        for language in candidates:
            if language.recognises is None:
                return language
        return self._by_first_line(data) or PLAIN_TEXT

    def _candidates(self, name: str) -> tuple[Language, ...]:
        dot = name.find(".", 1)
        while dot > 0:
            if found := self.by_extension.get(name[dot:]):
                return found
            dot = name.find(".", dot + 1)
        return ()

    def _by_first_line(self, data: bytes) -> Language | None:
        if not data.startswith(b"#!"):
            return None
        words = data[2:160].splitlines()[0].decode("ascii", "replace").split()
        names = [word.rpartition("/")[2].rstrip("0123456789.") for word in words]
        return next((found for name in names if (found := self.by_interpreter.get(name))), None)


@cache
def registry(extra_folders: tuple[str, ...] = ()) -> Registry:
    """Load all languages, also those in `extra_folders`."""
    found: dict[str, Language] = {}
    for place in (_HERE, *extra_folders):
        for name in sorted(os.listdir(place)):
            folder = os.path.join(place, name)
            if os.path.isfile(os.path.join(folder, "__init__.py")):
                language: Language = _load(place, name).LANGUAGE
                found[language.name] = language
                _folders[language.name] = folder
    return _arrange(tuple(found[name] for name in sorted(found)))


def language_named(text: str) -> str:
    """Return the name of a language by name, alias or extension, in any case."""
    names = _names()
    wanted = text.strip().lower().removeprefix(".")
    if wanted not in names:
        from cruxe.model.choices import not_a_choice

        raise not_a_choice("language", text, sorted(set(names.values())))
    return names[wanted]


@cache
def _names() -> dict[str, str]:
    """Return all names of languages; a language's own name goes before all others."""
    known = registry()
    names = {
        extension.removeprefix("."): languages[0].name
        for extension, languages in known.by_extension.items()
        if len(languages) == 1
    }
    for each in (*known.languages, PLAIN_TEXT):
        names |= dict.fromkeys(each.aliases, each.name)
    return names | {each.name: each.name for each in (*known.languages, PLAIN_TEXT)}


def folder_of(language: Language) -> str:
    """Return the folder that holds a language's query file."""
    if language.name not in _folders:
        registry()
    return _folders[language.name]


def query_text(language: Language) -> str:
    """Return all queries of a language as one text."""
    texts: list[str] = []
    for name in language.queries:
        with open(os.path.join(folder_of(language), name), encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def _load(place: str, name: str) -> ModuleType:
    if place == _HERE:
        return import_module(f"{__name__}.{name}")
    file = os.path.join(place, name, "__init__.py")
    spec = spec_from_file_location(f"{__name__}.{name}", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _arrange(languages: tuple[Language, ...]) -> Registry:
    by_extension: dict[str, tuple[Language, ...]] = {}
    for language in languages:
        for extension in language.extensions:
            by_extension[extension] = (*by_extension.get(extension, ()), language)
    return Registry(
        languages=languages,
        by_extension=by_extension,
        by_filename={name: language for language in languages for name in language.filenames},
        by_interpreter={name: language for language in languages for name in language.interpreters},
    )
