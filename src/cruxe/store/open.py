"""Choose the backend that holds a repository's index."""

from typing import TYPE_CHECKING

from cruxe.model.identity import StoreLocation

if TYPE_CHECKING:
    from cruxe.store.api import Store


def open_store(location: StoreLocation) -> "Store":
    """Return the store at a location; nothing is opened or created yet."""
    from cruxe.store.local.backend import LocalStore

    return LocalStore(location)


def required_version() -> str:
    """Return the schema and extraction version that this program reads and writes."""
    from cruxe.store.local.schema import REQUIRED_VERSION

    return REQUIRED_VERSION
