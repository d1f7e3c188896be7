"""The user's redaction rules; the configuration provides them, this package applies them."""

from typing import NamedTuple, Protocol


class RedactionRule(NamedTuple):
    """A user's pattern for text that must not appear in an answer."""

    name: str
    pattern: str
    category: str = "custom"
    placeholder: str = "[REDACTED]"


class RedactionRules(Protocol):
    """Whether secrets are replaced, and the user's rules; `SecuritySettings` implements it."""

    @property
    def redaction_enabled(self) -> bool:
        """If False, every text is returned unchanged."""
        ...

    @property
    def custom_redaction_rules(self) -> tuple[RedactionRule, ...]:
        """The user's rules, applied in this order before the built-in ones."""
        ...
