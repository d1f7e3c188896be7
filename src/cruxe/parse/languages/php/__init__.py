"""PHP: namespaces, traits, promoted properties, PHPDoc, code between markup."""

from cruxe.parse.language import Language
from cruxe.parse.languages.php.rules import PhpRules

LANGUAGE = Language(
    name="php",
    extensions=(".php", ".phtml", ".php3", ".php4", ".php5", ".php7", ".php8", ".phps", ".phpt"),
    interpreters=("php",),
    grammar="tree_sitter_php:language_php",
    separator="\\",
    rules=PhpRules(),
    predeclared=frozenset(
        {
            "__CLASS__",
            "__DIR__",
            "__FILE__",
            "__FUNCTION__",
            "__LINE__",
            "__METHOD__",
            "__NAMESPACE__",
            "PHP_EOL",
            "die",
            "empty",
            "eval",
            "exit",
            "isset",
            "never",
            "parent",
            "self",
            "static",
        }
    ),
)
