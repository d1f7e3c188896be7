"""The storage of an index: Protocols and the backends that implement them."""
