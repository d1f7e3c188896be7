"""The words that an explanation has for signals."""

from cruxe.query.rank.pasted import PASTED_TABLE
from cruxe.query.rank.policy import PENALTIES
from cruxe.query.rank.signals import NAME_SIGNALS, PATH_SIGNAL, hybrid_table
from cruxe.respond.explain_answer import SIGNAL_MEANINGS

# What is taken from later parts of a file, and what a reranker says.
_AFTERWARDS = {"further_definition", "saturation", "rerank", "literal_match", "answering_part"}


def test_every_signal_of_the_table_has_a_meaning_and_none_is_left_over() -> None:
    named = {each.name for each in (*hybrid_table(1.0).signals, PATH_SIGNAL)} | NAME_SIGNALS.keys()
    named |= {each.name for each in PENALTIES} | {each.name for each in PASTED_TABLE.signals}

    assert set(SIGNAL_MEANINGS) == named | _AFTERWARDS
