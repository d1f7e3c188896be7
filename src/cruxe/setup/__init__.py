"""Registers Cruxe with coding clients by edits to their files that can be undone exactly."""
