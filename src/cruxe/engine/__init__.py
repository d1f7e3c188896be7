"""Joins the stages: discovery, parsing and store for writing; queries and answers for reading."""
