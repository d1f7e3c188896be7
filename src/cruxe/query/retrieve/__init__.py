"""Channels: the files and definitions that may answer a query."""
