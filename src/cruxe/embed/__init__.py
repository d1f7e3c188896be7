"""Embedding models: the package's static table, local transformers, external providers."""


class EmbeddingUnavailableError(Exception):
    """No embedding model is available, or it does not answer; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        """Take the problem and its remedy."""
        super().__init__(message)
        self.remedy = remedy
