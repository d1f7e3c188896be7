"""The state of a long-lived server: open workspaces, warm readers, background indexing."""
