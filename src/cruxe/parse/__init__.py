"""From source text to symbols, sites, imports and chunks. Parsing never fails and never writes."""
