"""Secrets in text, and text that addresses agents."""
