"""Whether the index holds its ref as it is now, and what has changed if not.

A call asks a `FreshnessCheck` (`check.py`). `FullCheck` there compares the stamps of all known
files, and asks `listing_fingerprint.py` whether git would list the same ones (`take_fingerprint.py`
takes the fingerprints). A server uses `server_check.py`: if the watcher vouches for the published
state, nothing is looked at; otherwise `budgeted_check.py` looks for a few milliseconds, or all
files are compared. `watcher.py` follows the events of a tree (`tree_watch.py`, `file_events.py`);
the paths that they name are compared by `touched_paths.py`. `mounts.py` names file systems whose
events cannot be trusted. A process that syncs again and again looks only at what
`change_journal.py` names. `changes.py` turns differences into rows to replace and files to read.
"""
