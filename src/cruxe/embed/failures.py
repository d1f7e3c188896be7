"""What goes wrong on the way to a vector; the caller answers without vectors and says so."""


class EmbeddingUnavailableError(Exception):
    """There is no model to make vectors with, or it does not answer."""
