"""Get vectors from an external provider through OpenAI's or Voyage's API, and quantise them.

Both APIs take texts and return one list of numbers for each.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from cruxe.embed.provider_calls import Provider, ProviderError, post_json
from cruxe.embed.quantise import quantise_padded, query_vector_of, stored_size
from cruxe.model.stored import Vectors

_MAX_CHARACTERS: Final = 8_000  # of one text
# Failed calls in a row before a run stops calling: a whole repository would wait for each.
_PATIENCE: Final = 3


class ExternalModel(NamedTuple):
    """A model that an external provider runs."""

    provider: Provider
    name: str
    version: str  # vectors of different versions are never compared
    dimensions: int  # of a stored vector
    batch_size: int
    has_input_types: bool  # Voyage distinguishes documents and queries


class ExternalEncoder:
    """Makes vectors by calling a provider."""

    def __init__(self, model: ExternalModel) -> None:
        """Take the model; no call is made."""
        self._model = model
        self._failures = 0

    @property
    def version(self) -> str:
        """Return the model's version."""
        return self._model.version

    def warm_up(self) -> None:
        """Do nothing: there is nothing to load."""

    def query_vector(self, text: str) -> list[int]:
        """Return the vector of a query."""
        (numbers,) = self._ask([text], "query")
        return query_vector_of(numbers, self._model.dimensions)

    def text_vectors(self, texts: Sequence[str], doc: str) -> Vectors:
        """Return the vectors of the texts, then that of the doc: zero if it is empty."""
        wanted = [*texts, doc] if doc else list(texts)
        lists: list[list[float]] = []
        size = self._model.batch_size
        for start in range(0, len(wanted), size):
            lists += self._ask(wanted[start : start + size], "document")
        if not doc:
            lists.append([0.0] * self._model.dimensions)
        return quantise_padded(lists, self._model.dimensions)

    def _ask(self, texts: Sequence[str], input_type: str) -> list[list[float]]:
        shortened = [text[:_MAX_CHARACTERS] or " " for text in texts]
        payload: dict[str, object] = {"model": self._model.name, "input": shortened}
        if self._model.has_input_types:
            payload["input_type"] = input_type
        if self._failures >= _PATIENCE:
            raise ProviderError("given_up")
        self._failures += 1
        answer = post_json(self._model.provider, payload)
        found = _numbers(answer, len(texts), self._model.dimensions)
        self._failures = 0
        return found


def _numbers(answer: dict[str, object], count: int, dimensions: int) -> list[list[float]]:
    """Return the lists of an answer in the order of the texts; raise if it is incomplete."""
    data = answer.get("data")
    items = cast("list[object]", data) if isinstance(data, list) else []
    if len(items) != count:
        raise ProviderError("partial")
    found: dict[int, list[float]] = {}
    for item in items:
        entry = cast("dict[str, object]", item) if isinstance(item, dict) else {}
        index, numbers = entry.get("index"), entry.get("embedding")
        if isinstance(index, int) and _is_vector(numbers, dimensions):
            found[index] = cast("list[float]", numbers)
    if sorted(found) != list(range(count)):
        raise ProviderError("garbage")
    return [found[index] for index in range(count)]


def _is_vector(numbers: object, dimensions: int) -> bool:
    if not isinstance(numbers, list):
        return False
    if stored_size(len(cast("list[object]", numbers))) != dimensions:
        return False
    # NaN and infinity are not valid JSON, but Python's parser accepts them.
    return all(
        isinstance(each, int | float) and abs(each) < float("inf")
        for each in cast("list[object]", numbers)
    )
