"""Get vectors from an external provider through OpenAI's or Voyage's API, and quantise them.

Both APIs take texts and return one list of numbers for each.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol, cast

from cruxe.embed.provider_calls import Provider, ProviderError, post_json
from cruxe.embed.quantise import quantise_padded, query_vector_of
from cruxe.model.stored import Vectors

_MAX_CHARACTERS: Final = 8_000  # of one text
# Failed calls in a row before a run stops calling: a whole repository would wait for each.
_PATIENCE: Final = 3


class FileTexts(Protocol):
    """The texts of a file that vectors are made of."""

    @property
    def chunks(self) -> list[str]:
        """The texts of its chunks."""
        ...

    @property
    def docs(self) -> str:
        """All its docs; empty if it has none."""
        ...


class ExternalModel(NamedTuple):
    """A model that an external provider runs."""

    provider: Provider
    name: str
    version: str  # vectors of different versions are never compared
    dimensions: int  # of a stored vector
    answer_dimensions: int  # of a vector as the provider gives it
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

    def vectors_of_files(
        self, files: Sequence[FileTexts], tell: Callable[[str], None]
    ) -> list[Vectors | None]:
        """Return the vectors of each file: of its texts, then of its docs, zero if it has none.

        Texts of several files share a batch. A file of which a batch failed has None, and the
        reason is told.
        """
        texts = [text for file in files for text in _texts_of(file)]
        lists: list[list[float] | None] = []
        for start in range(0, len(texts), self._model.batch_size):
            batch = texts[start : start + self._model.batch_size]
            try:
                lists += self._ask(batch, "document")
            except ProviderError as error:
                tell(error.reason)
                lists += [None] * len(batch)
        following = iter(lists)
        return [self._vectors(file, following) for file in files]

    def _vectors(self, file: FileTexts, following: Iterator[list[float] | None]) -> Vectors | None:
        own = [next(following) for _ in _texts_of(file)]
        lists = [each for each in own if each is not None]
        if len(lists) < len(own):
            return None
        if not file.docs:
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
        found = _numbers(answer, len(texts), self._model.answer_dimensions)
        self._failures = 0
        return found


def _texts_of(file: FileTexts) -> list[str]:
    return [*file.chunks, file.docs] if file.docs else file.chunks


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
        if not isinstance(index, int) or not _is_vector(numbers):
            continue
        found[index] = cast("list[float]", numbers)
        if len(found[index]) != dimensions:
            raise ProviderError("wrong_dimensions")
    if sorted(found) != list(range(count)):
        raise ProviderError("garbage")
    return [found[index] for index in range(count)]


def _is_vector(numbers: object) -> bool:
    if not isinstance(numbers, list):
        return False
    # NaN and infinity are not valid JSON, but Python's parser accepts them.
    return all(
        isinstance(each, int | float) and abs(each) < float("inf")
        for each in cast("list[object]", numbers)
    )
