"""How honest answers are about what a repository does not hold."""
