"""The protocol over streamable HTTP: many clients, each request in a message of its own."""
