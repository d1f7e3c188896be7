"""What is kept on disk: SQLite for structure and state, Tantivy for text. Knows no wire format."""
