"""What is kept stays within its room."""

from cruxe.model.kept import Kept


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    kept: Kept[int, str] = Kept(100)

    kept.keep(1, "one", 40)
    kept.keep(2, "two", 40)
    assert kept.get(1) == "one"
    kept.keep(3, "three", 50)
    kept.keep(4, "too large to keep", 101)

    assert [kept.get(number) for number in (1, 2, 3, 4)] == ["one", None, "three", None]


def test_what_is_kept_again_takes_its_room_once() -> None:
    kept: Kept[str, int] = Kept(100)

    for size_bytes in (60, 70, 50):
        kept.keep("same", size_bytes, size_bytes)
    kept.keep("other", 1, 50)

    assert (kept.get("same"), kept.get("other")) == (50, 1)
