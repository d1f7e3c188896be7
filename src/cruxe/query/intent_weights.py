"""The weights of the intent classifier, one row a sign, one column a shape. Data only.

Printed by `python -m benchmarks.intent.fit` from the labelled queries that are not held out; the
suite `intent` judges them on the others.
"""

from typing import Final

from cruxe.query.intent_features import Feature

# symbol, prose, mixed, path, url, error: the order of `QueryShape`.
WEIGHTS: Final[dict[Feature, tuple[float, ...]]] = {
    "always": (2.2, 1.0, -1.4, -0.5, -0.6, -0.8),
    "many_words": (0.4, -1.9, 0.1, -1.9, -1.0, 4.3),
    "one_lower": (1.6, 1.8, -0.6, -1.0, -1.0, -0.9),
    "one_abstract": (-2.3, 2.7, -0.1, -0.1, -0.1, -0.1),
    "one_capital": (1.8, -1.2, -0.3, -0.6, -0.5, 0.8),
    "one_foreign": (-1.5, 2.6, -0.2, -0.3, -0.3, -0.3),
    "one_name": (2.9, -1.9, -0.6, -1.0, -1.0, 1.6),
    "plain_words": (-2.1, 4.8, 1.8, -2.1, -1.5, -0.9),
    "function_words": (-1.3, -0.3, 1.6, 1.9, -0.5, -1.4),
    "question": (-1.3, 1.5, 1.1, -0.4, -0.1, -0.9),
    "name_among_words": (-0.2, -2.2, 3.3, -0.6, -0.5, 0.4),
    "opens_as_code": (3.7, -3.0, 0.1, -0.1, -0.1, -0.6),
    "kind_keyword": (4.1, -3.3, -0.5, 0.0, 0.0, -0.2),
    "punctuation": (2.3, -1.6, -1.2, 0.2, -0.1, 0.4),
    "statement": (4.2, -1.9, -2.0, -0.1, 0.0, -0.2),
    "paths": (-2.7, -1.8, 0.5, 6.1, -0.7, -1.4),
    "path_among_words": (-0.8, -3.0, 1.9, 0.7, -0.2, 1.3),
    "slash_among_words": (-1.3, 1.0, -0.4, 1.4, -0.3, -0.4),
    "url_first": (-2.3, -1.4, -0.4, -0.7, 5.5, -0.7),
    "url_among_words": (-0.2, -2.0, 2.5, 0.0, 0.0, -0.2),
    "error_head": (-0.9, -2.3, -1.5, -0.1, -0.1, 4.9),
    "trace": (-0.4, -0.2, -2.2, -0.1, 0.0, 2.9),
    "failure_words": (-3.2, -3.5, -0.4, -0.2, -0.1, 7.4),
    "error_code": (-2.4, -2.2, 1.4, -0.1, 0.2, 3.0),
    "quoted_text": (-0.5, -3.4, -1.2, -0.1, -0.1, 5.2),
}
