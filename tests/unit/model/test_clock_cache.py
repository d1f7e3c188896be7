"""A cache stays within its bytes."""

import threading

from cruxe.model.clock_cache import ClockCache


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    cache: ClockCache[int, str] = ClockCache(100)

    cache.put(1, "one", 40)
    cache.put(2, "two", 40)
    assert cache.get(1) == "one"
    cache.put(3, "three", 50)
    cache.put(4, "too large to keep", 101)

    assert [cache.get(number) for number in (1, 2, 3, 4)] == ["one", None, "three", None]


def test_what_nobody_asks_for_any_more_makes_room_though_it_was_asked_for_once() -> None:
    cache: ClockCache[int, int] = ClockCache(3)
    for number in range(3):
        cache.put(number, number, 1)
        cache.get(number)

    cache.put(3, 3, 1)
    cache.get(1)
    cache.put(4, 4, 1)

    assert [number for number in range(5) if cache.get(number) is not None] == [1, 3, 4]


def test_what_is_kept_again_takes_its_room_once() -> None:
    cache: ClockCache[str, int] = ClockCache(100)

    for size_bytes in (60, 70, 50):
        cache.put("same", size_bytes, size_bytes)
    cache.put("other", 1, 50)

    assert (cache.get("same"), cache.get("other")) == (50, 1)


def test_threads_that_keep_and_ask_at_once_stay_within_the_room() -> None:
    cache: ClockCache[int, int] = ClockCache(50)

    def use(first: int) -> None:
        for number in range(first, first + 2_000):
            cache.put(number % 120, number % 120, 1)
            assert cache.get(number * 7 % 120) in (None, number * 7 % 120)

    threads = [threading.Thread(target=use, args=(first,)) for first in (0, 17, 60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(cache.get(number) is not None for number in range(120)) == 50
