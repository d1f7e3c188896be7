"""Pure text functions shared by indexing and querying."""
