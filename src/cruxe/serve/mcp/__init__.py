"""The Model Context Protocol: messages, revisions, methods and the stdio transport."""
