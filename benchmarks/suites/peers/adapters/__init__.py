"""Peers: other programs that do comparable work, run as their makers publish them."""
