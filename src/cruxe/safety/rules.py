"""What the user decides about redaction; the configuration provides it, this package applies it."""

from typing import NamedTuple, Protocol


class RedactionRule(NamedTuple):
    """A user's own pattern for text that must not leave in an answer."""

    name: str
    pattern: str
    category: str = "custom"
    placeholder: str = "[REDACTED]"


class RedactionRules(Protocol):
    """Whether secrets are replaced, and the user's own rules; `SecuritySettings` is one."""

    @property
    def redaction_enabled(self) -> bool:
        """False returns every text as it is."""
        ...

    @property
    def custom_redaction_rules(self) -> tuple[RedactionRule, ...]:
        """Applied before the built-in rules, in this order."""
        ...
