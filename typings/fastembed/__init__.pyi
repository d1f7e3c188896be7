from collections.abc import Iterable, Sequence

from fastembed.common.model_description import ModelSource, PoolingType
from numpy import float32
from numpy.typing import NDArray

class TextEmbedding:
    def __init__(
        self,
        model_name: str,
        cache_dir: str | None = None,
        threads: int | None = None,
        providers: Sequence[str] | None = None,
        *,
        lazy_load: bool = False,
        specific_model_path: str | None = None,
    ) -> None: ...
    @classmethod
    def list_supported_models(cls) -> list[dict[str, object]]: ...
    @classmethod
    def add_custom_model(
        cls,
        model: str,
        pooling: PoolingType,
        normalization: bool,
        sources: ModelSource,
        dim: int,
        model_file: str = ...,
    ) -> None: ...
    def embed(
        self, documents: Iterable[str], batch_size: int = ...
    ) -> Iterable[NDArray[float32]]: ...
    def query_embed(self, query: str, *, batch_size: int = ...) -> Iterable[NDArray[float32]]: ...
    def passage_embed(
        self, texts: Iterable[str], *, batch_size: int = ...
    ) -> Iterable[NDArray[float32]]: ...
