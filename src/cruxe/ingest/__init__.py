"""Bring a ref up to date: worker processes, writing, collection."""
