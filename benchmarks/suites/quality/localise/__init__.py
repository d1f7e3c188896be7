"""Real issues as queries: whether the files and functions of their fixes are found."""
