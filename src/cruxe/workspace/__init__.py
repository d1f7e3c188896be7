"""List and read the files of a folder or a commit: each has its bytes or a skip reason."""
