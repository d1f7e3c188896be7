"""From a question and a snapshot to an outcome. Knows no wire format and starts nothing."""
