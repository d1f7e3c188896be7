from enum import StrEnum

class ModelSource:
    def __init__(self, hf: str | None = None, url: str | None = None) -> None: ...

class PoolingType(StrEnum):
    CLS = "CLS"
    MEAN = "MEAN"
    LAST_TOKEN = "LAST_TOKEN"
    DISABLED = "DISABLED"
