"""The Model Context Protocol: messages, revisions, and the methods that a client may call."""
