"""The codes of kinds and visibilities in the rows of symbols."""

from typing import Final

from cruxe.model.symbols import SymbolKind, Visibility

# The codes are in every store, and the names in the views of the local one: a change here needs a
# new `SCHEMA_VERSION`.
KIND_CODES: Final = {kind: code for code, kind in enumerate(SymbolKind)}
VISIBILITY_CODES: Final = {visibility: code for code, visibility in enumerate(Visibility)}
