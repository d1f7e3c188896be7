"""How large it is: installed, on disk, in tokens."""
