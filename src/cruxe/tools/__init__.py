"""One module a tool, named as on the wire; what tools share beside them."""
