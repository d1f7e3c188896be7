"""Registers Cruxe with coding clients: files edited by position, marked, and put back exactly."""
