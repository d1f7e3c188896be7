"""The hits of an answer: verified, focused, deduplicated, cut to the limit."""
