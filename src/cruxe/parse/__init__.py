"""Parse source text into symbols, sites, imports and chunks. Never fails and never writes."""
