"""What goes wrong on the way to a vector; the caller answers without vectors and says so."""


class EmbeddingUnavailableError(Exception):
    """There is no model to make vectors with, or it does not answer; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str = "") -> None:
        """Take what is wrong and what can be done about it."""
        super().__init__(message)
        self.remedy = remedy
