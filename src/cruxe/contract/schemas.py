"""Generates JSON Schemas of requests and results from the types of the contract.

The tool definitions that clients get are written to `definitions/` by the test that checks them,
so a server lists its tools without importing the types. They contain no result schemas, which
would cost every client tokens at each start.
"""

from typing import Final, cast, get_args

from msgspec.inspect import EnumType, Metadata, StructType, Type, UnionType, type_info
from msgspec.json import schema_components

from cruxe.contract.catalogue import Profile, Tool, tools_of
from cruxe.contract.requests import Request

Schema = dict[str, object]

_LAST: Final = ("format", "ref", "workspace")  # arguments that most tools share are listed last


def definitions_text(profile: Profile) -> str:
    """Return the definitions of a profile as stored: a JSON array, one line per tool."""
    from json import dumps

    lines = [
        dumps(definition_of(tool), ensure_ascii=False, separators=(",", ":"))
        for tool in tools_of(profile)
    ]
    return "[" + ",\n".join(lines) + "]\n"


def definition_of(tool: Tool) -> Schema:
    """Return the definition of one tool, as `tools/list` sends it."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": input_schema(tool.request),
        "annotations": _annotations(tool),
    }


def input_schema(request: type[Request]) -> Schema:
    """Return the schema of a request type, with references inlined and without `null`."""
    _, components = schema_components([request], ref_template="{name}")
    components |= _closed_choices(request)
    whole = components[request.__name__]
    properties = cast("dict[str, Schema]", whole["properties"])
    own = [name for name in properties if name not in _LAST]
    order = [*own, *(name for name in _LAST if name in properties)]
    schema: Schema = {
        "type": "object",
        "properties": {name: _plain(properties[name], components) for name in order},
    }
    if required := whole["required"]:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def result_types(tool: Tool) -> tuple[type, ...]:
    """Return the alternative types of a tool's result."""
    from cruxe.contract import results

    declared = getattr(results, f"{tool.request.__name__}Result")
    alternatives = get_args(declared) or (declared,)
    is_question = declared in get_args(results.QuestionResult)
    return (*alternatives, results.IndexingResult) if is_question else alternatives


def result_schema(tool: Tool) -> Schema:
    """Return the schema of a tool's results."""
    alternatives, components = schema_components(result_types(tool), ref_template="#/$defs/{name}")
    return {"anyOf": list(alternatives), "$defs": components}


def _plain(schema: Schema, components: dict[str, Schema]) -> Schema:
    """Simplify a property: drop the `null` alternative and the default, inline the reference.

    The description of a referenced type is dropped: it is written for readers of the code.
    """
    plain = {key: value for key, value in schema.items() if key not in ("default", "title")}
    alternatives = cast("list[Schema]", plain.pop("anyOf", []))
    for alternative in alternatives:
        if alternative != {"type": "null"}:
            plain = _plain(alternative, components) | plain
    name = plain.pop("$ref", None)
    if isinstance(name, str):
        plain = {"enum": components[name]["enum"]} | plain
    return {"type": "string"} | plain if "enum" in plain else plain


def _closed_choices(request: type[Request]) -> dict[str, Schema]:
    """Return the enumerations of a request, with their values in order of definition."""
    described = type_info(request)
    assert isinstance(described, StructType)
    used = [each for field in described.fields for each in _alternatives(field.type)]
    choices = [each.cls for each in used if isinstance(each, EnumType)]
    return {cls.__name__: {"enum": [member.value for member in cls]} for cls in choices}


def _alternatives(described: Type) -> list[Type]:
    match described:
        case Metadata(type=inner):
            return _alternatives(inner)
        case UnionType(types=types):
            return [each for inner in types for each in _alternatives(inner)]
        case _:
            return [described]


def _annotations(tool: Tool) -> Schema:
    hints: Schema = {"readOnlyHint": tool.is_read_only}
    if not tool.is_read_only:
        hints["destructiveHint"] = False
    return hints | {"idempotentHint": True, "openWorldHint": False}
