"""The intent classifier: labelled queries, how its weights are fitted, how right and sure it is."""
