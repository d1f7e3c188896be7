"""What goes over the wire: the tools, what each takes, and how a request is checked."""
