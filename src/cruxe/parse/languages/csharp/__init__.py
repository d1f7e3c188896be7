"""C#: namespaces, types in parts, XML doc comments, conditional code."""

from cruxe.parse.language import Language
from cruxe.parse.languages.csharp.rules import CSharpRules

LANGUAGE = Language(
    name="csharp",
    aliases=("c#",),
    extensions=(".cs", ".csx"),
    interpreters=("dotnet-script",),
    grammar="tree_sitter_c_sharp:language",
    rules=CSharpRules(),
    predeclared=frozenset({"dynamic", "nameof", "notnull", "unmanaged", "value", "var", "_"}),
)
