"""Ruby: open classes and modules, visibility by sections and directives, comments as docs."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from cruxe.model.symbols import Import, SymbolKind, Visibility
from cruxe.parse.language import Definition, Language, Rules, trim_signature
from cruxe.parse.languages.ruby import macros, values, visibility
from cruxe.parse.languages.ruby.docs import doc_text
from cruxe.parse.languages.ruby.requires import imports_of
from cruxe.text.lines import fold_white_space

if TYPE_CHECKING:
    from tree_sitter import Node

    from cruxe.parse.source_text import SourceText

_CLASS: Final = SymbolKind.CLASS
_FUNCTION: Final = SymbolKind.FUNCTION
_METHOD: Final = SymbolKind.METHOD
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE
# Where the head of a definition ends: at the last of these fields that it has.
_HEAD_FIELDS: Final = {
    "class": ("superclass", "name"),
    "method": ("parameters", "name"),
    "module": ("name",),
    "singleton_method": ("parameters", "name"),
}


class RubyRules(Rules):
    """What queries cannot express about Ruby."""

    def settle(self, definitions: list[Definition], source: "SourceText") -> None:
        """Read names, apply `private` and the like, and drop those directives."""
        visibility.settle(definitions, source)

    def name(self, definition: Definition, source: "SourceText") -> str:
        """Return the name that `settle` read; empty for a macro or a local variable."""
        kind, name = definition.kind, definition.name
        if kind is None:
            return ""
        if "macro" in definition.captures:
            return macros.defined_name(definition, name, source)
        if kind is _VARIABLE and _is_no_definition(definition):
            return ""
        if kind is _CLASS or kind is _MODULE:
            _leave_namespace(definition, source)
        elif "object" in definition.captures:
            definition.container = _singleton_owner(definition, source)
        return name

    def kind(self, definition: Definition, source: "SourceText") -> SymbolKind:
        """Make all functions of a class or module methods."""
        del source
        kind = definition.kind
        assert kind is not None
        if kind is _FUNCTION and _is_in_namespace(definition):
            return _METHOD
        return kind

    def visibility(self, definition: Definition, source: "SourceText") -> Visibility:
        """Return the visibility by sections and directives; the default is public."""
        del source
        return visibility.visibility_of(definition)

    def signature(self, definition: Definition, source: "SourceText") -> str:
        """Return the head with its modifier, a constant's value, or an accessor's macro."""
        node = definition.node
        fields = _HEAD_FIELDS.get(node.type)
        if fields is not None:
            return _head(definition, fields, source)
        if "macro" in definition.captures:
            return macros.signature(definition, source)
        if node.type == "alias":
            return fold_white_space(source.text_of(node))
        return values.signature(definition, source)

    def doc(self, definition: Definition, source: "SourceText", above: list[str]) -> str:
        """Return the comment above without tool directives."""
        del definition, source
        return doc_text(above) if above else ""

    def imports(self, node: "Node", source: "SourceText") -> Iterable[Import]:
        """Return the bindings of `require "a/b"`, `require_relative "c"`, `autoload :D, "d"`."""
        return imports_of(node, source)


def _is_no_definition(variable: Definition) -> bool:
    """Return whether a variable is assigned in a method or built into Ruby."""
    parent = variable.parent
    is_in_method = parent is not None and parent.kind is _FUNCTION
    return is_in_method or values.is_own_global(variable.name)


def _leave_namespace(definition: Definition, source: "SourceText") -> None:
    """Detach `class ::Top` from its enclosing definitions."""
    name = definition.capture("name")
    if definition.parent is None or name is None or "container" in definition.captures:
        return
    if source.data[name.start_byte - 2 : name.start_byte] == b"::":
        definition.parent = None


def _singleton_owner(definition: Definition, source: "SourceText") -> str:
    """Return the object a method is defined on; empty for the enclosing class."""
    node, parent = definition.capture("object"), definition.parent
    owner = "" if node is None else source.text_of(node)
    is_own = owner == "self" or (parent is not None and parent.name == owner)
    return owner if not is_own and owner.replace("::", "").isidentifier() else ""


def _is_in_namespace(definition: Definition) -> bool:
    around = definition.parent
    while around is not None:
        if around.kind is not _FUNCTION:
            return True
        around = around.parent
    return bool(definition.container)


def _head(definition: Definition, fields: tuple[str, ...], source: "SourceText") -> str:
    node, start = definition.node, definition.start_byte
    last = next((found for field in fields if (found := node.child_by_field_name(field))), node)
    text = source.text_between(start, last.end_byte)
    if "#" not in text or "\n" not in text:
        return trim_signature(text)
    pieces: list[str] = []
    for child in last.named_children:
        if child.type == "comment":
            pieces.append(source.text_between(start, child.start_byte))
            start = child.end_byte
    return trim_signature("".join([*pieces, source.text_between(start, last.end_byte)]))


# Names that are used like keywords; mentions of them are no sites.
_PREDECLARED: Final = frozenset(
    (
        *("alias_method", "attr", "attr_accessor", "attr_reader", "attr_writer", "autoload"),
        *("binding", "block_given?", "define_method", "extend", "include", "lambda", "loop"),
        *("module_function", "prepend", "private", "private_class_method", "private_constant"),
        *("proc", "protected", "public", "public_class_method", "raise", "require"),
        *("require_relative", "end"),  # the latter after a syntax error
    )
)

LANGUAGE = Language(
    name="ruby",
    extensions=(
        *(".rb", ".rbi", ".rbw", ".rake", ".gemspec", ".podspec", ".ru", ".thor"),
        *(".jbuilder", ".rabl", ".builder"),
    ),
    filenames=(
        *("appraisals", "berksfile", "brewfile", "buildfile", "capfile", "dangerfile"),
        *("fastfile", "gemfile", "guardfile", "podfile", "puppetfile", "rakefile", "steepfile"),
        *("thorfile", "vagrantfile", ".irbrc", ".pryrc", ".simplecov"),
    ),
    interpreters=("ruby", "jruby", "truffleruby", "rbx", "rake", "irb"),
    grammar="tree_sitter_ruby:language",
    separator="::",
    rules=RubyRules(),
    predeclared=_PREDECLARED,
)
