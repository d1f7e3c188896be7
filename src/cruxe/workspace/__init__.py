"""A folder or a commit to its files: each with its bytes, or a reason why it has none."""
