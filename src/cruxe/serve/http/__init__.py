"""MCP over streamable HTTP, for any number of clients."""
