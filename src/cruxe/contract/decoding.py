"""Validates the arguments of a call; an error names the field and the values it accepts."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, cast

from msgspec import ValidationError, convert, to_builtins

from cruxe.contract.catalogue import Tool
from cruxe.contract.requests import Request
from cruxe.contract.schemas import Schema, input_schema
from cruxe.model.choices import nearest_hint, not_a_choice, spelled_as
from cruxe.model.errors import EngineError, ErrorValue, InvalidInputError, InvalidMaxTokensError

Arguments = dict[str, object]

_UNKNOWN: Final = re.compile(r"unknown field `(?P<field>.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"missing required field `(?P<field>.*)`", re.DOTALL)
_PLACE: Final = re.compile(r"at `\$\.(?P<field>\w+)`")
_ARTICLES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
_SHOWN_CHARACTERS: Final = 80


def read_arguments(tool: Tool, sent: object) -> Arguments:
    """Validate the arguments of a call and return them without omitted or null ones."""
    if not isinstance(sent, Mapping):
        raise InvalidInputError("arguments is not an object", data={"field": "arguments"})
    given = cast("Mapping[object, object]", sent)
    readable = {_readable(name): _readable(value) for name, value in given.items()}
    try:
        request = convert(readable, tool.request)
    except ValidationError:
        request = _leniently(tool, cast("Arguments", readable))
    values = cast("Arguments", to_builtins(request))
    return {name: value for name, value in values.items() if value is not None}


def _leniently(tool: Tool, sent: Arguments) -> Request:
    """Accept what is said without loss in another form: `"5"`, `"true"`, `"Function"`."""
    properties = cast("dict[str, Schema]", input_schema(tool.request)["properties"])
    spelled = {name: _spelled(value, properties.get(name, {})) for name, value in sent.items()}
    try:
        return convert(spelled, tool.request, strict=False)
    except ValidationError as error:
        raise _explained(tool, sent, str(error)) from None


def _spelled(value: object, schema: Schema) -> object:
    choices = cast("list[str]", schema.get("enum", []))
    return spelled_as(value, choices) if choices and isinstance(value, str) else value


def _readable(value: object) -> object:
    """Return the value; replace lone surrogates in text, which JSON allows, by question marks."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "replace").decode()


def _explained(tool: Tool, sent: Mapping[str, object], reason: str) -> EngineError:
    """Convert the validator's message to an error that names the field and its valid values."""
    properties = cast("dict[str, Schema]", input_schema(tool.request)["properties"])
    if found := _UNKNOWN.search(reason):
        return _unknown_field(tool, found["field"], properties)
    if found := _MISSING.search(reason):
        field = found["field"]
        return InvalidInputError(
            f"{field} is missing",
            remedy=f"give {field}, {_wanted(properties[field])}",
            data={"field": field},
        )
    if found := _PLACE.search(reason):
        field = found["field"]
        return _bad_value(field, sent[field], properties[field])
    return InvalidInputError(f"the arguments cannot be used: {reason}", data={"field": "arguments"})


def _unknown_field(tool: Tool, field: str, known: Iterable[str]) -> EngineError:
    names = list(known)
    shown = shortened(field)
    return InvalidInputError(
        f"{tool.name} has no argument {shown!r}{nearest_hint(field, names)}",
        remedy=f"use only {', '.join(names)}",
        data={"field": shown, "choices": tuple(names)},
    )


def _bad_value(field: str, value: object, schema: Schema) -> EngineError:
    choices = cast("list[str]", schema.get("enum", []))
    if choices and isinstance(value, str):
        return not_a_choice(field, shortened(value), choices)
    data: dict[str, ErrorValue] = {"field": field}
    if choices:
        data["choices"] = tuple(choices)
    kind = InvalidMaxTokensError if field == "max_tokens" else InvalidInputError
    return kind(f"{field} is {_told(value)}", remedy=f"use {_wanted(schema)}", data=data)


def _wanted(schema: Schema) -> str:
    """Describe in words the values that a field accepts."""
    if "enum" in schema:
        return f"one of {', '.join(cast('list[str]', schema['enum']))}"
    wanted = _ARTICLES[str(schema["type"])]
    if "maximum" in schema:
        return f"{wanted} from {schema['minimum']} to {schema['maximum']}"
    return f"{wanted} from {schema['minimum']} up" if "minimum" in schema else wanted


def _told(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() | float():
            return shortened(str(value))
        case str():
            return repr(shortened(value))
        case list():
            return "a list"
        case _:
            return "an object"


def shortened(text: str) -> str:
    """Cut a caller's text to the length that an error message quotes."""
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
