"""Enumerations that are made in one go are what `enum.StrEnum` makes."""

import copy
import enum
import pickle
import sys
import types
from collections.abc import Callable

import msgspec
import pytest

from cruxe.model.enums import StrEnum


class Colour(StrEnum):
    """What a wall may have."""

    RED = "red"
    DARK_BLUE = "dark blue"

    @property
    def is_dark(self) -> bool:
        return self.value.startswith("dark")


class Original(enum.StrEnum):
    """What a wall may have."""

    RED = "red"
    DARK_BLUE = "dark blue"

    @property
    def is_dark(self) -> bool:
        return self.value.startswith("dark")


BOTH: tuple[type[enum.StrEnum], ...] = (Colour, Original)


def both(tell: Callable[[type[enum.StrEnum]], object]) -> object:
    """What is true of either, with the name of the original."""
    told = repr(tell(Colour)).replace("Colour", "Original")
    assert told == repr(tell(Original))
    return tell(Colour)


def test_members_are_texts_and_know_their_names() -> None:
    assert both(lambda kind: [(each.name, each.value, str(each), f"{each}") for each in kind])
    assert both(lambda kind: [isinstance(each, kind | str) for each in kind]) == [True, True]
    assert Colour.RED.value == "red"
    assert hash(Colour.RED) == hash("red")
    assert repr(Colour.RED) == "<Colour.RED: 'red'>"
    assert Colour.DARK_BLUE.is_dark


def test_members_are_found_by_value_and_by_name() -> None:
    assert Colour("dark blue") is Colour.DARK_BLUE
    assert Colour["RED"] is Colour.RED
    assert both(lambda kind: (len(kind), [*kind], [*reversed(kind)], dict(kind.__members__)))
    assert Colour.RED in Colour
    if sys.version_info >= (3, 12):
        assert both(lambda kind: ("red" in kind, "green" in kind)) == (True, False)


@pytest.mark.parametrize("kind", BOTH)
def test_what_is_no_member_is_refused(kind: type[enum.StrEnum]) -> None:
    with pytest.raises(ValueError, match=rf"'green' is not a valid {kind.__name__}"):
        kind("green")
    with pytest.raises(KeyError):
        kind["GREEN"]
    with pytest.raises(TypeError):
        types.new_class("More", (kind,))
    with pytest.raises(AttributeError):
        kind.RED = "green"  # type: ignore[attr-defined]


def test_members_stay_the_same_when_copied() -> None:
    member = Colour.RED

    copied = pickle.loads(pickle.dumps(member))  # noqa: S301 - our own bytes

    assert copied is copy.copy(member) is copy.deepcopy(member) is member


def test_members_cross_as_texts() -> None:
    packed = msgspec.json.encode([*Colour])

    assert packed == b'["red","dark blue"]'
    assert msgspec.json.decode(packed, type=list[Colour]) == [*Colour]
    assert all(type(each) is Colour for each in msgspec.json.decode(packed, type=list[Colour]))
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'"green"', type=Colour)


def test_it_can_be_matched() -> None:
    def dark(colour: Colour) -> bool:
        match colour:
            case Colour.RED:
                return False
            case Colour.DARK_BLUE:
                return True

    assert [dark(each) for each in Colour] == [False, True]


def test_it_is_documented_and_shown_like_the_original() -> None:
    assert Colour.__doc__ == Original.__doc__
    assert both(repr)
    assert both(type)
    assert dir(Colour) == dir(Original)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="there it is the original")
def test_two_names_for_one_text_are_refused() -> None:
    with pytest.raises(ValueError, match="two members of one text"):
        types.new_class("Twice", (StrEnum,), exec_body=lambda body: body.update(A="a", B="a"))
