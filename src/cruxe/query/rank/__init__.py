"""Scores: signals, their weights, and regions in order."""
