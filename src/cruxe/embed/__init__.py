"""Text to vectors: a static table of word pieces, read from the package and summed."""
