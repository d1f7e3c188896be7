"""The transports (MCP over stdio and HTTP, command line) and the dispatcher that they share."""
