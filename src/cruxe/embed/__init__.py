"""Embedding models: the package's static table, local transformers, external providers."""
