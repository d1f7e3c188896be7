"""Messages that went wrong on the way: valid ones with bytes, values or whole parts spoilt."""

import json
import random
from collections.abc import Iterator
from typing import Final, cast

from tests.contract.parity_requests import parity_requests
from tests.support.wires import initialize

# Whoever writes the index would spend the time of the test on that.
_LEFT_ALONE: Final = (b"sync_repo", b"index_repo")
_STRANGE_VALUES: Final[tuple[object, ...]] = (
    *(None, True, False, 0, -1, 1.5, 10**30, "", "\0", "\ud800", "x" * 2_000, [], {}, [[]]),
    {"a": {"b": [1, 2]}},
)
_STRANGE_BYTES: Final = (
    *(b"\0", b"\xff", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\r", b"\xe2\x82"),
    *(b"NaN", b"1e999", b"\\ud800", b"[" * 2_000, b"9" * 5_000),
)


def spoilt_messages(count: int, seed: int) -> Iterator[bytes]:
    """As many messages as wanted, the same for the same seed; none has a line feed in it."""
    chance = random.Random(seed)  # noqa: S311 - the same for everyone who runs the test
    sound = [message for message in parity_requests() if not _is_left_alone(message)]
    sound.append(initialize())
    for number in range(count):
        message = chance.choice(sound)
        for _ in range(chance.randint(1, 3)):
            spoil = chance.choice((_spoil_value, _spoil_bytes, _spoil_bytes, _cut, _double))
            message = spoil(message, chance)
        message = message.replace(b"\n", b" ")
        yield b"{%d}" % number if _is_left_alone(message) else message


def _is_left_alone(message: bytes) -> bool:
    return any(name in message for name in _LEFT_ALONE)


def _spoil_value(message: bytes, chance: random.Random) -> bytes:
    """Put a strange value, or none, in the place of one somewhere inside."""
    try:
        whole = json.loads(message)
    except (ValueError, RecursionError):
        return message
    place = whole
    while isinstance(place, dict) and place:
        within = cast("dict[str, object]", place)
        key = chance.choice(list(within))
        if isinstance(within[key], dict) and chance.random() < 0.7:
            place = within[key]
        elif chance.random() < 0.2:
            del within[key]
            break
        else:
            within[key] = chance.choice(_STRANGE_VALUES)
            break
    return json.dumps(whole).encode()


def _spoil_bytes(message: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(message) + 1)
    end = min(len(message), start + chance.choice((0, 0, 1, 4)))
    return message[:start] + chance.choice(_STRANGE_BYTES) + message[end:]


def _cut(message: bytes, chance: random.Random) -> bytes:
    return message[: chance.randrange(len(message) + 1)]


def _double(message: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(message) + 1)
    return message[:start] + message[start:] * 2
