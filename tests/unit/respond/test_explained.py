"""The words that an explanation has for signals."""

from cruxe.query.dense_signals import DENSE_SIGNALS
from cruxe.query.signals import PATH_SIGNAL, PENALTIES, SIGNALS
from cruxe.respond.explained import SIGNAL_MEANINGS

# What is taken from later parts of a file, and what a reranker says.
_AFTERWARDS = {"further_definition", "saturation", "rerank"}


def test_every_signal_of_the_table_has_a_meaning_and_none_is_left_over() -> None:
    signals = (*SIGNALS, *DENSE_SIGNALS, PATH_SIGNAL)
    named = {each.name for each in (*signals, *PENALTIES)}

    assert set(SIGNAL_MEANINGS) == named | _AFTERWARDS
