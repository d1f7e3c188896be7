"""Does the index hold its ref as it is now, and what has changed if not."""
