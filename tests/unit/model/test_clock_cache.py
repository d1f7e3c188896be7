"""What is kept stays within its room."""

import threading

from cruxe.model.clock_cache import Kept


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    kept: Kept[int, str] = Kept(100)

    kept.keep(1, "one", 40)
    kept.keep(2, "two", 40)
    assert kept.get(1) == "one"
    kept.keep(3, "three", 50)
    kept.keep(4, "too large to keep", 101)

    assert [kept.get(number) for number in (1, 2, 3, 4)] == ["one", None, "three", None]


def test_what_nobody_asks_for_any_more_makes_room_though_it_was_asked_for_once() -> None:
    kept: Kept[int, int] = Kept(3)
    for number in range(3):
        kept.keep(number, number, 1)
        kept.get(number)

    kept.keep(3, 3, 1)
    kept.get(1)
    kept.keep(4, 4, 1)

    assert [number for number in range(5) if kept.get(number) is not None] == [1, 3, 4]


def test_what_is_kept_again_takes_its_room_once() -> None:
    kept: Kept[str, int] = Kept(100)

    for size_bytes in (60, 70, 50):
        kept.keep("same", size_bytes, size_bytes)
    kept.keep("other", 1, 50)

    assert (kept.get("same"), kept.get("other")) == (50, 1)


def test_threads_that_keep_and_ask_at_once_stay_within_the_room() -> None:
    kept: Kept[int, int] = Kept(50)

    def use(first: int) -> None:
        for number in range(first, first + 2_000):
            kept.keep(number % 120, number % 120, 1)
            assert kept.get(number * 7 % 120) in (None, number * 7 % 120)

    threads = [threading.Thread(target=use, args=(first,)) for first in (0, 17, 60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(kept.get(number) is not None for number in range(120)) == 50
