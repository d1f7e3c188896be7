"""Methods and accessors that a call with literal names defines."""

from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import SymbolKind
from cruxe.parse.language import MAX_SIGNATURE_CHARACTERS, Definition
from cruxe.text.lines import fold_head, fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_RAKE_FILES: Final = (".rake", "rakefile", "rakefile.rb")
_LITERAL_MACROS: Final = ("alias_method", "define_method", "define_singleton_method")
_MEMBER_MAKERS: Final = ("new", "define")


def defined_name(definition: Definition, name: str, source: "SourceText") -> str:
    """Return the name that the macro defines, or an empty string; also sets the kind."""
    macro = _macro_of(definition, source)
    if macro == "task":
        return name if source.path.lower().endswith(_RAKE_FILES) else ""
    if macro == "test":
        return name if definition.node.child_by_field_name("block") is not None else ""
    if macro in _LITERAL_MACROS:
        literal = definition.capture("name")
        return "" if literal is not None and literal.type == "hash_key_symbol" else name
    if macro.startswith("def_delegator"):
        definition.kind = SymbolKind.FUNCTION
        return name if _is_delegated(definition.node, macro) else ""
    if macro == "delegate":
        definition.kind = SymbolKind.FUNCTION
        options = _options(_call_around(definition.node), source)
        # The real name starts with a prefix that is often known only at run time.
        return "" if any(option.startswith("prefix:") for option in options) else name
    return name


def signature(definition: Definition, source: "SourceText") -> str:
    """Return the macro with this name and the options; a block up to its parameters."""
    node = definition.node
    if node.type == "call":
        end = end_of_call_head(node, node.end_byte)
        return fold_head(source.text_between(node.start_byte, end))[:MAX_SIGNATURE_CHARACTERS]
    macro = _macro_of(definition, source)
    if macro in _MEMBER_MAKERS:
        return source.text_of(node)
    call = _call_around(node)
    if call is not None and macro == "def_delegator":
        return fold_head(source.text_of(call))[:MAX_SIGNATURE_CHARACTERS]
    pieces = [source.text_of(node), *_options(call, source)]
    if macro == "def_delegators":
        pieces[:0] = _target(node, source)
    return f"{macro} {fold_white_space(', '.join(pieces))}"[:MAX_SIGNATURE_CHARACTERS]


def end_of_call_head(call: "Node | None", otherwise: int) -> int:
    """Return where a call's block begins, or after the parameters of the block."""
    block = None if call is None else call.child_by_field_name("block")
    if block is None:
        return otherwise
    parameters = block.child_by_field_name("parameters")
    return block.start_byte if parameters is None else parameters.end_byte


def _macro_of(definition: Definition, source: "SourceText") -> str:
    node = definition.capture("macro")
    return "" if node is None else source.text_of(node)


def _is_delegated(symbol: "Node", macro: str) -> bool:
    """Return whether the symbol names a method, not the target (first) or an alias (last)."""
    before = symbol.prev_named_sibling
    if before is None:
        return False
    return macro == "def_delegators" or symbol.next_named_sibling is None


def _call_around(symbol: "Node") -> "Node | None":
    arguments = symbol.parent
    return None if arguments is None else arguments.parent


def _target(symbol: "Node", source: "SourceText") -> list[str]:
    """Return the delegation target: the first argument."""
    arguments = symbol.parent
    first = None if arguments is None else arguments.named_child(0)
    return [] if first is None else [source.text_of(first)]


def _options(call: "Node | None", source: "SourceText") -> list[str]:
    arguments = None if call is None else call.child_by_field_name("arguments")
    if arguments is None:
        return []
    return [source.text_of(each) for each in arguments.named_children if each.type == "pair"]
