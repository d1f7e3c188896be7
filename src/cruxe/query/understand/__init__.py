"""What a query says: its terms, names, paths, operators and intent."""
