"""Floors: the least that the work takes, as programs of their own."""
