"""Which embedding model makes vectors, as it is known everywhere; and that it cannot be used."""

from typing import Final, NamedTuple

# The model of this package, and the name that configurations for other models start from.
SHIPPED_NAMES: Final = ("codevec-static-256", "NomicEmbedTextV15Q", "")


class EmbeddingModel(NamedTuple):
    """The model that makes vectors; crosses to the workers, so it holds no key."""

    version: str
    dimensions: int
    folder: str = ""  # of a model on this machine
    address: str = ""  # of a provider outside it
    name: str = ""
    provider: str = ""
    batch_size: int = 1
    is_transformer: bool = False  # a model on this machine that fastembed runs

    @property
    def is_quick(self) -> bool:
        """Whether its vectors cost less than reading a file does; they come with the index then."""
        return bool(self.folder) and not self.is_transformer


class EmbeddingUnavailableError(Exception):
    """There is no model to make vectors with, or it does not answer; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        """Take what is wrong and what can be done about it."""
        super().__init__(message)
        self.remedy = remedy
