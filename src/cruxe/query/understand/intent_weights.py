"""The weights of the intent classifier, one row a feature, one column a shape. Data only.

Printed by `python -m benchmarks.suites.quality.intent.fit` from the labelled queries that are not
held out; the suite `intent` judges them on the others.
"""

from typing import Final, Literal

Feature = Literal[
    "always",  # but for a query that says nothing
    "many_words",
    "one_lower",  # a lone word in lower case
    "one_abstract",  # and it ends as abstract nouns do
    "one_capital",
    "one_foreign",  # a lone run of letters outside ASCII
    "one_name",
    "plain_words",
    "function_words",
    "question",
    "name_among_words",
    "opens_as_code",
    "kind_keyword",
    "punctuation",
    "statement",
    "paths",
    "path_among_words",
    "slash_among_words",
    "url_first",
    "url_among_words",
    "error_head",  # `error:` and the like, with a message to follow
    "trace",
    "failure_words",
    "error_code",
    "quoted_text",
]

# symbol, prose, mixed, path, url, error: the order of `QueryShape`.
WEIGHTS: Final[dict[Feature, tuple[float, ...]]] = {
    "always": (1.8, 0.8, -1.2, -0.4, -0.6, -0.4),
    "many_words": (0.2, -0.8, 0.3, -1.4, -0.9, 2.6),
    "one_lower": (1.6, 1.7, -0.6, -0.9, -0.9, -0.9),
    "one_abstract": (-2.0, 2.4, -0.1, -0.1, -0.1, -0.1),
    "one_capital": (1.7, -1.0, -0.3, -0.5, -0.5, 0.6),
    "one_foreign": (-1.2, 2.2, -0.2, -0.3, -0.3, -0.3),
    "one_name": (2.9, -1.5, -0.6, -0.9, -0.8, 1.0),
    "plain_words": (-1.8, 3.7, 1.3, -1.8, -1.4, 0.0),
    "function_words": (-1.2, 0.3, 1.6, 1.2, -0.4, -1.4),
    "question": (-0.9, 1.6, 1.3, -0.2, -0.1, -1.8),
    "name_among_words": (0.0, -2.4, 3.1, -0.6, -0.5, 0.4),
    "opens_as_code": (2.8, -1.2, -0.6, -0.1, -0.1, -0.7),
    "kind_keyword": (3.5, -2.5, -0.4, 0.0, 0.0, -0.4),
    "punctuation": (2.2, -1.6, -1.2, 0.2, 0.0, 0.5),
    "statement": (3.6, -1.7, -1.7, -0.1, 0.0, -0.1),
    "paths": (-2.2, -1.6, 0.2, 5.5, -0.7, -1.2),
    "path_among_words": (-0.6, -2.8, 1.7, 0.7, -0.2, 1.1),
    "slash_among_words": (-1.1, 0.9, -0.5, 1.0, -0.2, -0.1),
    "url_first": (-1.9, -1.2, -0.4, -0.7, 4.9, -0.8),
    "url_among_words": (-0.1, -1.8, 2.1, 0.0, 0.0, -0.2),
    "error_head": (-0.7, -1.5, -1.5, -0.1, -0.1, 3.9),
    "trace": (-0.3, -0.2, -1.9, -0.1, 0.0, 2.5),
    "failure_words": (-2.3, -1.1, -1.7, -0.2, -0.1, 5.5),
    "error_code": (-1.9, -2.0, 1.1, -0.1, 0.2, 2.7),
    "quoted_text": (-0.3, -3.0, -1.1, -0.1, 0.0, 4.6),
}
