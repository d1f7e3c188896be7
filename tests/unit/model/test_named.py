"""Named tuples that are made when first needed are what `typing.NamedTuple` makes."""

import copy
import importlib.util
import sys
import types
import typing
from typing import Generic, TypeVar

import pytest

from cruxe.model import named
from cruxe.model.named import NamedTuple
from tests.support.native import without_kernels

T = TypeVar("T")


class Place(NamedTuple):
    """A place in a file."""

    path: str
    line: int = 1
    note: "str | None" = None

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}"


class Original(typing.NamedTuple):
    path: str
    line: int = 1
    note: "str | None" = None


class Box(NamedTuple, Generic[T]):
    content: T


class Nothing(NamedTuple):
    pass


def test_fields_are_given_by_place_and_by_name_and_have_defaults() -> None:
    places = [Place("a.py"), Place("a.py", 7), Place(line=7, path="a.py", note="x")]

    assert [tuple(place) for place in places] == [
        ("a.py", 1, None),
        ("a.py", 7, None),
        ("a.py", 7, "x"),
    ]
    assert [(place.path, place.line, place.note, place.shown) for place in places][1] == (
        *("a.py", 7, None),
        "a.py:7",
    )


def test_the_first_instances_are_like_all_others() -> None:
    class Fresh(NamedTuple):
        path: str
        line: int = 1

    made = [
        each
        for _ in range(40)
        for each in (Fresh("a.py", 1), Fresh("a.py"), Fresh(path="a.py"), Fresh("a.py", line=1))
    ]

    assert made == [("a.py", 1)] * 160
    assert {type(each) for each in made} == {Fresh}


@pytest.mark.parametrize("named", [{}, {"path": "a.py", "lines": 2}, {"line": 2}])
def test_a_first_instance_that_lacks_or_has_another_field_is_refused(named: dict[str, int]) -> None:
    class Fresh(NamedTuple):
        path: str
        line: int = 1

    with pytest.raises(TypeError):
        Fresh(**named)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Fresh("a.py", 1, 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Fresh("a.py", path="b.py")  # type: ignore[misc]


def test_it_tells_of_itself_what_the_original_tells() -> None:
    ours, theirs = Place("a.py", 2), Original("a.py", 2)

    assert tuple(ours) == tuple(theirs)
    assert hash(ours) == hash(theirs)
    assert repr(ours) == repr(theirs).replace("Original", "Place")
    assert ours._asdict() == theirs._asdict()
    assert Place._fields == Original._fields
    assert Place._field_defaults == Original._field_defaults
    assert Place.__match_args__ == Original.__match_args__
    assert typing.get_type_hints(Place) == typing.get_type_hints(Original)
    assert Place.__doc__ == "A place in a file."


def test_copies_changed_and_unchanged_are_of_the_same_class() -> None:
    place = Place("a.py", 2)
    copies = [place._replace(line=3), Place._make(["a.py", 3, None])]

    assert copies == [Place("a.py", 3)] * 2
    assert {type(each) for each in copies} == {Place}
    assert copy.copy(place) == place
    assert copy.deepcopy(place).shown == place.shown


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Place(line=3),  # type: ignore[call-arg]
        lambda: Place("a.py", 1, None, 4),  # type: ignore[call-arg]
        lambda: Place("a.py", lines=4),  # type: ignore[call-arg]
        lambda: Place._make(["a.py"]),
    ],
)
def test_values_that_do_not_fit_are_refused(wrong: typing.Callable[[], Place]) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_a_field_that_does_not_exist_cannot_be_replaced() -> None:
    with pytest.raises((TypeError, ValueError)):
        Place("a.py")._replace(lines=3)  # type: ignore[call-arg]


def test_nothing_can_be_set() -> None:
    place = Place("a.py")

    with pytest.raises(AttributeError):
        place.line = 3  # type: ignore[misc]
    with pytest.raises(AttributeError):
        place.other = 3  # type: ignore[attr-defined]


def test_a_field_without_a_default_cannot_come_after_one_that_has_one() -> None:
    fields = {"__annotations__": {"a": int, "b": int}, "a": 1}

    with pytest.raises(TypeError):
        types.new_class("Wrong", (NamedTuple,), exec_body=lambda body: body.update(fields))


def test_a_class_may_be_generic_or_empty() -> None:
    assert Box("x").content == "x"
    assert Nothing() == ()


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="there the original is used")
def test_without_c_they_are_the_same() -> None:
    spec = importlib.util.spec_from_file_location("named_without_c", named.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with without_kernels():
        spec.loader.exec_module(module)
    fields = {"__annotations__": {"path": str, "line": int}, "line": 1}
    made = types.new_class("Made", (module.NamedTuple,), exec_body=lambda body: body.update(fields))

    for _ in range(40):  # the later ones come from a constructor that was compiled
        places = [made("a.py"), made("a.py", 2), made(line=3, path="a.py")]
        assert places == [("a.py", line) for line in (1, 2, 3)]
        assert {type(each) for each in places} == {made}
        for wrong in ({}, {"path": "a.py", "lines": 2}, {"line": 2}):
            with pytest.raises(TypeError):
                made(**wrong)
    assert not hasattr(made("a.py"), "__dict__")
    assert not hasattr(Place("a.py"), "__dict__")
