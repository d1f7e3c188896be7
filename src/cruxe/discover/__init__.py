"""From a folder or a git ref to a list of files, each to be read or with the reason why not."""
