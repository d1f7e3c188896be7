"""The product's types: identities, sources, symbols, levels, errors. Imports no other package."""
