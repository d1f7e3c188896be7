"""The product's words: identities, sources, symbols, levels and errors. Imports nothing of ours."""
