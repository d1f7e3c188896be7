"""The description of an embedding model, and the error for one that cannot be used."""

from typing import Final, NamedTuple

# Names for the package's own model: its name, the default that configurations for other models
# start from, and none.
SHIPPED_NAMES: Final = ("codevec-static-256", "NomicEmbedTextV15Q", "")


class EmbeddingModel(NamedTuple):
    """The model that makes vectors. It is sent to the workers, so it holds no API key."""

    version: str
    dimensions: int
    folder: str = ""  # of a model on this machine
    address: str = ""  # of an external provider
    name: str = ""
    provider: str = ""
    batch_size: int = 1
    is_transformer: bool = False  # a model on this machine that fastembed runs

    @property
    def is_quick(self) -> bool:
        """Return whether vectors cost less than reading a file, so they are made with the index."""
        return bool(self.folder) and not self.is_transformer


class EmbeddingUnavailableError(Exception):
    """No embedding model is available, or it does not answer; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        """Take the problem and its remedy."""
        super().__init__(message)
        self.remedy = remedy
