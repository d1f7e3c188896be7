"""Every number that decides about order: weights, shares, cut-offs and how many are looked at.

Channels, signals, storage and C get these numbers from here. Each group names the benchmark suite
that set it; `benchmarks/REPORT.md` has the figures. What a user may set is in
`config/settings.py`; thresholds for near-duplicates are with deduplication in `select/gather.py`.
"""

from math import log1p
from typing import Final, NamedTuple

from cruxe.model.hits import MatchTier
from cruxe.text.paths import PathRole

# What query words count for (suite `search_quality`).

# A word that every repository has everywhere, in a sentence.
GENERIC_WORD_WEIGHT: Final = 0.5
# A word of the repository's own name, in a sentence: it does not tell its files apart.
OWN_NAME_WEIGHT: Final = 0.15

# How many candidates each channel gives (suite `search_quality`).

# Recall is complete well before: of the dev queries' targets 0.998 are among these.
LEXICAL_CHUNKS: Final = 300
LEXICAL_FILES: Final = 80
# More definitions of one name than this are no help to anyone.
NAMED_DEFINITIONS: Final = 200
# Chunks of one file that are ranked and may be shown.
CHUNKS_PER_FILE: Final = 4
# A folder may hold thousands of paths; the best of these by `PATH_…` are taken.
NAMED_PATHS: Final = 80
# The first lexical hit is in one of so many files by their words, or defines a name asked for.
LEADING_FILES: Final = 10

# The dense channel (suite `semantic`).

# Rows whose exact similarity is computed: more do not change the order of files.
STANDARD_ROWS: Final = 500
DEEP_ROWS: Final = 1_000
# Of the dev queries' targets that words miss, all are among these.
DENSE_FILES: Final = 40
# Questions about nothing in a repository come this near to it one time in thirty; of the targets
# of the dev queries one in thirty is further away.
LEAST_SIMILARITY: Final = 0.3
# If less than this share of a question's words occurs anywhere, and in fewer files than these, the
# nearest files join those, however far they are. Not more: most of them have nothing to say.
OCCURRING_SHARE: Final = 0.5
NEAREST_FILES: Final = 5
# Of the dev queries whose first lexical hit scores this, that hit is right.
SURE_SCORE: Final = 0.9

# What a file's chunks count for after its best one (suites `search_quality` and `semantic`).

SECOND_CHUNK_WEIGHT: Final = 0.5
THIRD_CHUNK_WEIGHT: Final = 0.25

# Signals: points at full value (suite `search_quality`, repositories left out).

LEXICAL_WEIGHTS: Final = {
    "bm25": 2.1,
    "bm25_rank": 3.0,
    "defined_names": 0.95,
    "file_head": 0.55,
    "definition_boost": 0.95,
    "exact_match": 1.7,
    "qualified_name": 1.0,
    "path_affinity": 2.5,
    "file_name": 1.2,
}
# Replace the others where the query is nothing but a name and the code defines it (suite
# `known_names`): whatever words say, the definition comes before what merely holds its words. Of
# a name that only a test defines the test is the answer: penalties take none of these points.
KNOWN_NAME_WEIGHTS: Final = {"exact_match": 8.0, "kind_match": 6.0}
# The same for a name that occurs nowhere: a definition a typing error away.
MISSPELT_NAME_WEIGHTS: Final = {"fuzzy": 6.0, "kind_match": 4.0}
# Joins the others only if the query names an existing path. It outweighs what words can say for
# other files: a query that names a file wants that one.
PATH_MATCH_WEIGHT: Final = 9.0

# With vectors (suite `semantic`, dev queries in natural language, repositories left out): a
# question in words trusts single words less. No question can tell what the signals of names are
# worth (`exact_match`, `qualified_name`, `file_name`): they weigh what keeps scores where they
# were.
HYBRID_LEXICAL_WEIGHTS: Final = {
    "bm25": 1.3,
    "bm25_rank": 1.35,
    "defined_names": 0.7,
    "file_head": 0.7,
    "definition_boost": 1.2,
    "exact_match": 0.4,
    "qualified_name": 0.9,
    "path_affinity": 1.55,
    "file_name": 0.05,
    "file_size": 1.8,
}
DENSE_WEIGHTS: Final = {
    "semantic_similarity": 1.35,
    "semantic_rank": 1.4,
    "semantic_doc": 0.85,
}
HYBRID_LEXICAL_POINTS: Final = sum(HYBRID_LEXICAL_WEIGHTS.values())
DENSE_POINTS: Final = sum(DENSE_WEIGHTS.values())
# The share of a score that the dense signals give if nothing caps it.
FITTED_RATIO: Final = round(DENSE_POINTS / (DENSE_POINTS + HYBRID_LEXICAL_POINTS), 6)

# Values of signals, 0 to 1 (suite `search_quality`).

# How fast being further down a channel's list costs: the sixth counts half.
RANK_SCALE: Final = 5.0
# A definition by its role: a type is meant before a method of the same letters, and either before
# what only leads to one (an alias) or is only a part of one (a field).
NAMED_ROLE_VALUES: Final = {"type": 1.0, "callable": 0.5, "namespace": 0.3, "alias": 0.2}
# Of the very name asked for: values are named like what they hold more often than asked for.
NAME_OF_VALUE_SHARE: Final = 0.6
# A lone word in lower case (`session`) is a subject as often as a function or value so named.
PLAIN_WORD_SHARE: Final = 0.5
# In another case or with other underscores; of another qualifier; in prose and data.
OTHER_SPELLING_SHARE: Final = 0.5
OTHER_QUALIFIER_SHARE: Final = 0.5
NO_CODE_SHARE: Final = 0.15
# Of a role's value, if the query says another kind: `class save`.
OTHER_KIND_SHARE: Final = 0.5
# A file of so many lines counts as the largest.
LARGEST_FILE: Final = log1p(5_000)
# How far two stems mean the same word: one starts with the other, or they share a long start.
SHORTEST_PREFIX: Final = 3
SHORTEST_PREFIX_VALUE: Final = 0.7
PREFIX_VALUE: Final = 0.9
COMMON_START_LETTERS: Final = 5
COMMON_START_SHARE: Final = 0.6
COMMON_START_VALUE: Final = 0.8
# How far a query names a path: all of it, all but the extension, a folder above it, or a glob.
WHOLE_PATH_VALUE: Final = 1.0
WITHOUT_EXTENSION_VALUE: Final = 0.9
FOLDER_VALUE: Final = 0.6
GLOB_VALUE: Final = 0.6
OTHER_CASE_SHARE: Final = 0.95
# In a sentence a path may be beside the point.
IN_SENTENCE_SHARE: Final = 0.5


class Penalty(NamedTuple):
    """The share of its score that a file loses for the role its path gives it."""

    name: str
    role: PathRole
    share: float


# Penalties (suite `search_quality`).

PENALTIES: Final = (
    Penalty("test_file_penalty", PathRole.TEST, 0.8),
    Penalty("example_penalty", PathRole.EXAMPLE, 0.5),
    Penalty("prose_penalty", PathRole.PROSE, 0.6),
    Penalty("data_penalty", PathRole.DATA, 0.45),
    Penalty("declaration_penalty", PathRole.DECLARATION, 0.3),
)
# Of the penalty for tests, if the query asks for tests: they are still less often meant than the
# code that they test.
ASKED_FOR_TESTS_SHARE: Final = 0.3

# A literal that more files hold tells none apart.
LITERAL_FILES: Final = 25
# A format string that says less of a message fits it by chance.
LITERAL_FORMAT_SHARE: Final = 0.4
# The share of what is left to a full score that a place gets where alone the literal stands.
LITERAL_SHARE: Final = 0.9

# A pasted text (suite `localise`, repositories left out).

# What a term counts for by where the text has it: the sum over its parts, each by the square root
# of how often, up to four times.
PASTED_ZONE_WEIGHTS: Final = {
    "title": 3.0,
    "ticked": 1.0,
    "error": 1.0,
    "prose": 0.7,
    "code": 0.35,
}
# The terms asked for, by weight and rarity.
PASTED_TERMS: Final = 40
# Those of them that are asked for alone, too.
PASTED_KEY_TERMS: Final = 12
# Files of each part's ranking.
PASTED_FILES: Final = 100
# A rank of so many counts half.
PASTED_RANK_SCALE: Final = 11.0
# Names and ends of paths that more files share tell none apart.
PASTED_DEFINERS: Final = 25
PASTED_NAMESAKES: Final = 8
PASTED_WEIGHTS: Final = {
    "title_rank": 2.05,
    "text_rank": 1.9,
    "terms_rank": 1.6,
    "names_rank": 1.7,
    "code_rank": 1.0,
    "error_rank": 1.2,
    "named_definitions": 1.5,
    "literal_match": 0.7,
    "path_match": 2.1,
    # Issues have few tracebacks, and cannot tell what a frame is worth; a pasted one is about it.
    "frame_match": 1.9,
    "stem_in_text": 0.95,
    "folder_in_title": 0.6,
    "recent_change": 2.8,
}

# Of so many leading files the definitions are ranked that the text is about.
PASTED_LEADING_FILES: Final = 10
PASTED_CHUNKS: Final = 120
PASTED_SYMBOLS_PER_FILE: Final = 8
# What a definition counts for, by its evidence.
PASTED_SYMBOL_WEIGHTS: Final = {
    "text": 1.5,  # BM25 of its chunk beside the best of all files
    "rank": 1.4,
    "name": 1.2,  # the share of its name's words that the text mentions
    "named": 0.7,  # the text names it
    "frame": 0.7,  # a line of the traceback is in it
    "callable": 1.2,
}
# The share of a file's score that a definition without any of this loses.
PASTED_FADING: Final = 0.5

# Further regions of one file (suite `search_quality`).

# A further definition of the name asked for is worth nearly as much as the first in its file; a
# further chunk of a file that was shown already is worth a quarter of the one before.
FURTHER_DEFINITION_PENALTY: Final = 0.4
FURTHER_CHUNK_PENALTY: Final = 0.75

# The local reranker (chosen on the dev queries of `semantic`, no bar of their own).

# The share of a reranked score that is the reranker's.
RERANK_SHARE: Final = 0.3
PROXIMITY_WEIGHT: Final = 0.5
MEANING_WEIGHT: Final = 0.5

# Confidence in an answer (suite `honesty`, beside the dev queries of `search_quality`).

# A hit with this score has nearly all that any signal can give.
STRONG_SCORE: Final = 0.6
COVERAGE_SHARE: Final = 0.35
SCORE_SHARE: Final = 0.15
AGREEMENT_SHARE: Final = 0.1
# Of the query's words, those that occur anywhere: questions about something else use other words.
OCCURRENCE_SHARE: Final = 0.4
# The sum of these at which an answer is as likely about something else; it becomes one half.
EVEN_SUM: Final = 0.65
# The very name or path that was asked for is an answer, whatever the other signals say.
CERTAIN_SIGNALS: Final = ("exact_match", "qualified_name", "path_match")
CERTAIN_CONFIDENCE: Final = 0.9
# The definition or file that was asked for is in the answer, but not its first hit.
NAMED_CONFIDENCE: Final = 0.6
# What is left of the confidence in an answer to a query that names what does not occur.
UNKNOWN_SHARE: Final = 0.1
# A pasted text names much that is not in the repository; what is, was found.
PASTED_CONFIDENCE: Final = 0.6
STALE_SHARE: Final = 0.8
CHANNEL_SIGNALS: Final = (
    *("bm25_rank", "defined_names", "file_head", "definition_boost", "path_affinity"),
    "semantic_similarity",
    *("title_rank", "text_rank", "names_rank", "code_rank", "error_rank"),
)
# Of what a channel can give: from this on it agrees.
AGREEING_SHARE: Final = 0.5

# Definitions by name (suite `locate_quality`).

# Each step is worth more than all that follow it together, so the order by score is the order by
# tier, path role, symbol role, body and visibility. The sum of the highest is 1.
TIER_POINTS: Final = {
    MatchTier.EXACT: ("exact_match", 0.8),
    MatchTier.QUALIFIED: ("qualified_name", 0.59),
    MatchTier.CASE_INSENSITIVE: ("case_insensitive", 0.38),
    MatchTier.SUB_WORD: ("sub_word", 0.02),
    MatchTier.FUZZY: ("fuzzy", 0.02),
}
# Only for names that are merely similar: how similar they are.
CLOSENESS_POINTS: Final = 0.15
ORDINARY_PATH_POINTS: Final = 0.145
EXAMPLE_PATH_POINTS: Final = 0.0725
# Plain words: to define the enumerations would cost more than to answer the question.
ROLE_POINTS: Final = {"type": 0.046, "callable": 0.0345, "namespace": 0.023, "alias": 0.0115}
BODY_POINTS: Final = 0.005
VISIBILITY_POINTS: Final = {"public": 0.004, "protected": 0.0025, "internal": 0.001}
# Names that hold all words asked for differ in length, and the chunks with the shortest names come
# first: a query that finds none among so many chunks meant another word.
SUB_WORD_CHUNKS: Final = 200
FUZZY_NAMES: Final = 50
