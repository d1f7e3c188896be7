"""JSON Schemas of what each tool takes and answers, made from the types of the contract.

The definitions that a client is given are written to `definitions/` by the test that checks them,
so that a server lists its tools without importing the types. They hold no schemas of results: a
client would pay for them in tokens at every start.
"""

from typing import Final, cast, get_args

from msgspec.inspect import EnumType, Metadata, StructType, Type, UnionType, type_info
from msgspec.json import schema_components

from cruxe.contract.catalogue import Profile, Tool, tools_of
from cruxe.contract.requests import Request

Schema = dict[str, object]

_LAST: Final = ("ref", "workspace")  # what most tools take is told after what each takes


def definitions_text(profile: Profile) -> str:
    """The definitions of a profile as they are kept: a JSON array, one line a tool."""
    from json import dumps

    lines = [
        dumps(definition_of(tool), ensure_ascii=False, separators=(",", ":"))
        for tool in tools_of(profile)
    ]
    return "[" + ",\n".join(lines) + "]\n"


def definition_of(tool: Tool) -> Schema:
    """One tool as it is listed."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": input_schema(tool.request),
        "annotations": _annotations(tool),
    }


def input_schema(request: type[Request]) -> Schema:
    """The schema of a request type, with nothing to look up elsewhere and no `null`."""
    _, components = schema_components([request], ref_template="{name}")
    components |= _closed_choices(request)
    whole = components[request.__name__]
    properties = cast("dict[str, Schema]", whole["properties"])
    order = sorted(properties, key=lambda name: (name in _LAST, name == "workspace"))
    schema: Schema = {
        "type": "object",
        "properties": {name: _plain(properties[name], components) for name in order},
    }
    if required := whole["required"]:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def result_types(tool: Tool) -> tuple[type, ...]:
    """The types of a tool's results; each result is of one of them."""
    from cruxe.contract import results

    declared = getattr(results, f"{tool.request.__name__}Result")
    alternatives = get_args(declared) or (declared,)
    is_question = declared in get_args(results.QuestionResult)
    return (*alternatives, results.IndexingResult) if is_question else alternatives


def result_schema(tool: Tool) -> Schema:
    """The schema of a tool's results."""
    alternatives, components = schema_components(result_types(tool), ref_template="#/$defs/{name}")
    return {"anyOf": list(alternatives), "$defs": components}


def _plain(schema: Schema, components: dict[str, Schema]) -> Schema:
    """A property without its `null` alternative, its empty default and its reference.

    The description of a shared type is for readers of the code; a field has its own or none.
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
    """The enumerations that a request uses, with their values in the order of definition."""
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
