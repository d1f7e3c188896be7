"""The storage of an index, behind Protocols with several backends."""
