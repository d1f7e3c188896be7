"""Predeclared names of Elixir: defining and control macros, `Kernel`, core modules."""

from typing import Final

_DEFINING: Final = (
    *("alias", "def", "defdelegate", "defexception", "defguard", "defguardp", "defimpl"),
    *("defmacro", "defmacrop", "defmodule", "defn", "defnp", "defoverridable", "defp"),
    *("defprotocol", "defstruct", "describe", "import", "property", "require", "test", "use"),
)
_CONTROL: Final = (
    *("case", "cond", "for", "if", "quote", "raise", "receive", "reraise", "super", "throw"),
    *("try", "unless", "unquote", "unquote_splicing", "with", "__MODULE__", "__ENV__"),
    "end",  # after a syntax error
)
# Types that no function is named after.
_TYPES: Final = (
    *("arity", "as_boolean", "atom", "charlist", "iodata", "iolist", "maybe_improper_list"),
    *("mfa", "neg_integer", "no_return", "non_neg_integer", "nonempty_list", "pos_integer"),
)
_KERNEL: Final = (
    *("abs", "apply", "binary_part", "bit_size", "byte_size", "ceil", "div", "elem", "exit"),
    *("floor", "get_and_update_in", "get_in", "hd", "inspect", "is_atom", "is_binary"),
    *("is_bitstring", "is_boolean", "is_exception", "is_float", "is_function", "is_integer"),
    *("is_list", "is_map", "is_map_key", "is_nil", "is_number", "is_pid", "is_port"),
    *("is_reference", "is_struct", "is_tuple", "length", "make_ref", "map_size", "max", "min"),
    *("node", "pop_in", "put_elem", "put_in", "rem", "round", "self", "send", "spawn"),
    *("spawn_link", "struct", "struct!", "tap", "then", "tl", "to_charlist", "to_string"),
    *("trunc", "tuple_size", "update_in"),
)
_MODULES: Final = (
    *("Access", "Agent", "Application", "Atom", "Base", "Bitwise", "Code", "Date", "DateTime"),
    *("Enum", "File", "Float", "Function", "GenServer", "IO", "Integer", "Kernel", "Keyword"),
    *("List", "Logger", "Macro", "Map", "MapSet", "Mix", "Module", "NaiveDateTime", "Node"),
    *("Path", "Process", "Range", "Regex", "Registry", "Stream", "String", "Supervisor"),
    *("System", "Task", "Time", "Tuple", "URI", "Version"),
)

PREDECLARED: Final = frozenset((*_DEFINING, *_CONTROL, *_TYPES, *_KERNEL, *_MODULES))
