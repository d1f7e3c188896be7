"""Semantic search: what vectors add to the ranking, and what they cost."""
