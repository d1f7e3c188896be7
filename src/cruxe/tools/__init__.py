"""One module per tool, named as on the wire, and the modules that tools share."""
