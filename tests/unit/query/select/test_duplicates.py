"""Duplicates among hits: what is kept, what it tells of the rest, and what stays as it was."""

from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.hits import SearchHit, StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.query.select.gather import Distinct, DuplicateFilter, Taken, identity_of
from cruxe.text.minhash import fingerprint_of
from tests.requirements import requirement

LONG = "def total(cart):\n    return sum(line.price * line.count for line in cart.lines)"
TEXTS = (LONG, LONG.replace("cart", "basket"), f"{LONG}  # as agreed", "x = 1", "")


def hit(path: str, line: int, symbol: StoredSymbol | None = None) -> SearchHit:
    key = VersionKey(sum(map(ord, path)))
    return SearchHit(key, path, "python", line, line + 1, symbol, 0, 0.5, ())


def symbol(ordinal: int) -> StoredSymbol:
    place = VersionKey(1), ordinal, "a.py", "python", "f", "a.f", "function", "callable", "public"
    return StoredSymbol(*place, None, 1, 2, 1, "def f()", "", "")


Hits = list[tuple[SearchHit, str]]
HITS = st.lists(
    st.tuples(
        st.builds(hit, st.sampled_from(["a.py", "b.py", "c.py"]), st.integers(1, 4)),
        st.sampled_from(TEXTS),
    ),
    max_size=12,
)


def drop(hits: Hits) -> list[Distinct[tuple[SearchHit, str]]]:
    kept = DuplicateFilter[tuple[SearchHit, str]]()
    for each in hits:
        kept.take(each, each[0], fingerprint_of(each[1]))
    return kept.distinct


@requirement("FR-105b")
@given(hits=HITS)
def test_dropping_twice_drops_nothing_more(hits: Hits) -> None:
    once = [each.item for each in drop(hits)]

    assert drop(once) == [Distinct(item, ()) for item in once]


@requirement("FR-105b")
@given(hits=HITS)
def test_what_is_kept_keeps_its_order_and_nothing_is_lost(hits: Hits) -> None:
    distinct = drop(hits)
    places = {f"{each.path}:{each.line_start}" for each, _ in hits}
    told = [place for each in distinct for place in each.also_at]
    shown = [f"{each.item[0].path}:{each.item[0].line_start}" for each in distinct]

    remaining = iter(hits)
    assert all(any(each.item is other for other in remaining) for each in distinct)
    assert sorted({*shown, *told}) == sorted(places)
    assert len(shown) + len(told) == len(places)


@given(path=st.sampled_from(["b.py", "sub/c.py"]), text=st.text(min_size=1))
def test_the_same_text_in_another_file_always_gives_way(path: str, text: str) -> None:
    text = f"{text} x"
    first, copy = (hit("a.py", 1), text), (hit(path, 7), text)

    assert drop([first, copy]) == [Distinct(first, (f"{path}:7",))]


def test_the_same_text_in_the_same_file_stays() -> None:
    both = [(hit("a.py", 1), LONG), (hit("a.py", 10), LONG)]

    assert drop(both) == [Distinct(each, ()) for each in both]


def test_texts_that_share_little_more_than_half_stay_apart() -> None:
    both = [(hit("a.py", 1), LONG), (hit("b.py", 1), LONG.replace("cart", "basket"))]

    assert drop(both) == [Distinct(each, ()) for each in both]


@requirement("S000-DEDUP-ONE")
def test_one_symbol_is_one_result_whatever_lines_of_it_are_hit() -> None:
    first, second = hit("a.py", 1, symbol(3)), hit("a.py", 40, symbol(3))
    kept = DuplicateFilter[int]()

    assert identity_of(first) == identity_of(second) != identity_of(hit("a.py", 1, symbol(4)))
    assert [
        kept.take(1, first, fingerprint_of("a")),
        kept.take(2, second, fingerprint_of("b")),
    ] == [Taken.KEPT, Taken.REPEATED]
    assert kept.distinct == [Distinct(1, ())]


def test_without_room_a_copy_is_taken_and_news_are_not() -> None:
    kept = DuplicateFilter[int]()
    kept.take(1, hit("a.py", 1), fingerprint_of(LONG))

    assert kept.take(2, hit("b.py", 1), fingerprint_of(LONG), has_room=False) is Taken.COPIED
    assert kept.take(3, hit("c.py", 1), fingerprint_of("x = 1"), has_room=False) is Taken.REFUSED
    assert kept.distinct == [Distinct(1, ("b.py:1",))]
