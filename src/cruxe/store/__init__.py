"""What an index keeps, behind an interface."""
