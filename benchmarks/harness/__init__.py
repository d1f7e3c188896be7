"""What all suites share: corpora, measured processes, temporary stores, figures, the report."""
