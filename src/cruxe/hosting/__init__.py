"""What a long-lived process keeps: workspaces, warm readers, background indexing."""
