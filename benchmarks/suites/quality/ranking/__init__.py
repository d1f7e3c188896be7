"""Search quality: annotated queries on public repositories, and the fit of the ranking's weights.

The queries and the repositories are not part of this project. `CRUXE_QUALITY` names the file of
queries (the development half of the peer semble's MIT-licensed benchmark, with its repositories at
fixed revisions), `CRUXE_QUALITY_REPOSITORIES` the folder of their work trees.
`CRUXE_QUALITY_STORES` may name a folder where their indexes are kept for another run.
"""
