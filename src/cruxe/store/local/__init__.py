"""The store in a folder: SQLite, Tantivy and files of vectors."""
