"""Sync a ref: worker processes, writing, collection."""
