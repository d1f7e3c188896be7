"""Which definition in a chunk answers: what it must hold, and what decides between several."""

from cruxe.model.hits import StoredSymbol
from cruxe.model.identity import VersionKey
from cruxe.model.stored import StoredChunk
from cruxe.query.select.verify import FileText, answering_symbol
from cruxe.text.lines import LinedText

TEXT = """\
class Lamp:
    def light(self):
        burn(oil)

    def dim(self):
        wick.lower()

    def trim(self):
        wick.cut()
"""


def symbol(ordinal: int, name: str, lines: tuple[int, int], doc: str = "") -> StoredSymbol:
    place = VersionKey(1), ordinal, "lamp.py", "python", name, f"Lamp.{name}"
    kind = "method", "callable", "public", None
    return StoredSymbol(*place, *kind, *lines, lines[0], f"def {name}(self)", doc, "")


LAMP, LIGHT = symbol(0, "Lamp", (2, 10)), symbol(1, "light", (3, 4), "Set on fire.")
DIM, TRIM = symbol(2, "dim", (6, 7)), symbol(3, "trim", (9, 10))
CHUNK = StoredChunk(2, 10, None, (LAMP, LIGHT, DIM, TRIM))


def answering(
    weights: dict[str, float], chunk: StoredChunk = CHUNK, text: FileText | None = None
) -> str | None:
    """The name of what answers; the chunk starts on the second line."""
    found = answering_symbol(chunk, text or lamp(), weights)
    return None if found is None else found.name


def lamp() -> FileText:
    return FileText("lamp.py", LinedText(f"import oil\n{TEXT}"), None)


def test_the_smallest_definition_that_holds_all_of_it_answers() -> None:
    assert answering({"burn": 1.0, "oil": 1.0}) == "light"
    assert answering({"wick": 1.0}) == "dim"  # the first of two that are as short
    assert answering({"wick": 1.0, "cut": 0.2}) == "trim"


def test_one_that_holds_most_answers_but_not_one_that_holds_less() -> None:
    inner = CHUNK._replace(inside=(LIGHT, DIM, TRIM))

    assert answering({"burn": 3.0, "wick": 1.0}, inner) == "light"
    assert answering({"burn": 2.0, "wick": 1.0}, inner) is None
    assert answering({"burn": 2.0, "wick": 1.0}) == "Lamp"


def test_a_definition_that_is_named_so_comes_before_one_that_only_holds_it() -> None:
    outer, inner = symbol(0, "lamp", (2, 10)), symbol(1, "light", (2, 10))
    chunk = CHUNK._replace(inside=(outer, inner))

    assert answering({"light": 1.0}, chunk) == "light"


def test_a_doc_says_what_the_lines_do_not() -> None:
    assert answering({"fire": 1.0}) is None  # the chunk does not hold it
    assert answering({"fire": 1.0, "oil": 1.0, "self": 1.0}) == "light"


def test_nothing_answers_where_nothing_is_held_or_nothing_is_inside() -> None:
    assert answering({"candle": 1.0}) is None
    assert answering({}) is None
    assert answering({"wick": 1.0}, CHUNK._replace(inside=())) is None


def test_what_is_remembered_of_a_text_answers_as_before_however_much_was_asked() -> None:
    text = lamp()
    before = [answering({"oil": 1.0}, text=text), answering({"wick": 1.0, "cut": 0.2}, text=text)]
    for number in range(250):
        assert answering({f"word{number}": 1.0}, text=text) is None

    again = [answering({"oil": 1.0}, text=text), answering({"wick": 1.0, "cut": 0.2}, text=text)]

    assert before == again == ["light", "trim"]


def test_another_text_of_the_same_lines_is_looked_at_by_itself() -> None:
    other = FileText("lamp.py", LinedText(f"import oil\n{TEXT.replace('oil', 'gas')}"), None)

    assert answering({"oil": 1.0}) == "light"
    assert answering({"oil": 1.0}, text=other) is None
    assert answering({"gas": 1.0}, text=other) == "light"
