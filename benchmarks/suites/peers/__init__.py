"""The same work done by a peer, in the same run."""
