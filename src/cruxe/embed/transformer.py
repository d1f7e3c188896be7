"""Make vectors with a local transformer model, run by fastembed (the `fastembed` extra).

The only module that imports fastembed, and only when a vector is needed. A model is read from its
folder alone; only `download` uses the network. Texts are embedded one at a time on one thread, so
that a vector does not depend on the rest of the batch or on the number of cores.
"""

import os
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from cruxe.embed import EmbeddingUnavailableError
from cruxe.embed.onnx_folder import read_onnx_folder
from cruxe.embed.quantise import quantise_padded, query_vector_of, stored_size
from cruxe.model.stored import Vectors

if TYPE_CHECKING:
    from fastembed import TextEmbedding

_MAX_CHARACTERS: Final = 8_000  # of one text; models read less
# CPU only, on every machine: a GPU adds in another order, so results would differ.
_PROVIDERS: Final = ("CPUExecutionProvider",)
_opening = threading.Lock()


class TransformerModel(NamedTuple):
    """A model in a folder."""

    folder: str
    name: str  # in fastembed's list; empty: the folder's files say how to run it
    version: str  # vectors of different versions are never compared
    dimensions: int  # of a stored vector


class TransformerEncoder:
    """Makes vectors with one model, which is loaded at first use."""

    def __init__(self, model: TransformerModel) -> None:
        """Take the model; nothing is loaded yet."""
        self._model = model

    @property
    def version(self) -> str:
        """Return the model's version."""
        return self._model.version

    def warm_up(self) -> None:
        """Load the model; if that fails, its first use raises the error."""
        try:
            _open(self._model)
        except EmbeddingUnavailableError:
            return

    def query_vector(self, text: str) -> list[int]:
        """Return the vector of a query."""
        with _explained(self._model.folder):
            (found,) = _open(self._model).query_embed(text[:_MAX_CHARACTERS], batch_size=1)
            numbers = self._checked(found.tolist())
        return query_vector_of(numbers, self._model.dimensions)

    def text_vectors(self, texts: Sequence[str], doc: str) -> Vectors:
        """Return the vectors of the texts, then that of the doc: zero if it is empty."""
        wanted = [text[:_MAX_CHARACTERS] or " " for text in (*texts, *([doc] if doc else ()))]
        with _explained(self._model.folder):
            found = _open(self._model).passage_embed(wanted, batch_size=1)
            lists = [self._checked(each.tolist()) for each in found]
        if not doc:
            lists.append([0.0] * self._model.dimensions)
        return quantise_padded(lists, self._model.dimensions)

    def _checked(self, numbers: list[float]) -> list[float]:
        if stored_size(len(numbers)) != self._model.dimensions:
            raise ValueError(f"it gives vectors of {len(numbers)} numbers")
        return numbers


def is_installed() -> bool:
    """Return whether fastembed is installed, without importing it."""
    from importlib.util import find_spec

    return find_spec("fastembed") is not None


@cache
def runtime_version() -> str:
    """Return the major and minor version of fastembed, which may change a model's vectors."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return ".".join(version("fastembed").split(".")[:2])
    except PackageNotFoundError:
        return "0"


def download(name: str, folder: str) -> str:
    """Download one of fastembed's models below a folder; return the model's own folder."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    with _explained(name):
        from fastembed import TextEmbedding

        known = {str(each["model"]).lower(): each for each in TextEmbedding.list_supported_models()}
        if name.lower() not in known:
            raise ValueError("fastembed knows no such model")
        TextEmbedding(name, cache_dir=folder, lazy_load=True)
        found = [each for each in _below(folder) if read_onnx_folder(each) is not None]
        if not found:
            raise ValueError("nothing was downloaded")
        # There may be several snapshots; the newest is the one just downloaded.
        return max(found, key=lambda each: (os.stat(each).st_mtime_ns, each))


@cache
def _opened(model: TransformerModel) -> "TextEmbedding | EmbeddingUnavailableError":
    try:
        with _explained(model.folder):
            return _load(model)
    except EmbeddingUnavailableError as error:
        return error


def _open(model: TransformerModel) -> "TextEmbedding":
    """Return the model, loaded once per process; a failed load is not retried."""
    with _opening:
        opened = _opened(model)
    if isinstance(opened, EmbeddingUnavailableError):
        raise opened
    return opened


def _load(model: TransformerModel) -> "TextEmbedding":
    with _without_sockets():
        from fastembed import TextEmbedding

    if model.name:
        return TextEmbedding(
            model.name, specific_model_path=model.folder, threads=1, providers=_PROVIDERS
        )
    return _load_by_its_files(model)


def _load_by_its_files(model: TransformerModel) -> "TextEmbedding":
    """Return a model that is not in fastembed's list, configured from its folder's files."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    held = read_onnx_folder(model.folder)
    if held is None or not held.graph:
        raise ValueError("it holds no graph, or several")
    # If the folder states no pooling, try the mean of the tokens, then a graph that pools itself.
    poolings = (held.pooling,) if held.pooling else ("MEAN", "DISABLED")
    problem: ValueError | None = None
    for pooling in poolings:
        name = f"cruxe/{model.version}/{pooling}"
        TextEmbedding.add_custom_model(
            name,
            PoolingType(pooling),
            normalization=True,
            sources=ModelSource(url=model.folder),
            dim=model.dimensions,
            model_file=held.graph,
        )
        opened = TextEmbedding(
            name, specific_model_path=model.folder, threads=1, providers=_PROVIDERS
        )
        try:
            list(opened.embed(["a word"], batch_size=1))
        except ValueError as error:
            problem = error
        else:
            return opened
    raise ValueError("its output is not understood") from problem


@contextmanager
def _without_sockets() -> Generator[None]:
    """Prevent a socket while fastembed is imported: its HTTP client would probe for IPv6."""
    import socket

    before = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        yield
    finally:
        socket.has_ipv6 = before


def _below(folder: str) -> Iterator[str]:
    for place, _, files in os.walk(folder):
        if "tokenizer.json" in files:
            yield place


@contextmanager
def _explained(what: str) -> Generator[None]:
    """Convert all errors of fastembed and its dependencies to `EmbeddingUnavailableError`.

    They also raise bare `Exception`, for example for a broken tokenizer file or graph.
    """
    try:
        yield
    except EmbeddingUnavailableError:
        raise
    except Exception as error:
        told = str(error).partition("\n")[0] or type(error).__name__
        raise EmbeddingUnavailableError(f"{what}: {told}") from error
