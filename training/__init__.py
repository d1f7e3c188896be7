"""How the shipped embedding model is made; nothing of it is in the package."""
