"""Configuration files as people write them, made up by Hypothesis."""

from typing import Final

from hypothesis import strategies as st

_SPACES: Final = ("", "", " ", "\n", "\n  ", "\r\n", "\t", "  ")
_COMMENTS: Final = ("/* one */", "// line\n", "/*\n two { lines\n*/", '// "cruxe": {},\r\n', "/**/")
_TEXTS: Final = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=["Cs"]), max_size=6
)


def json_documents(*, with_comments: bool) -> st.SearchStrategy[str]:
    """JSON objects, some of which hold servers; with comments also trailing commas."""
    gap = st.sampled_from(_SPACES + (_COMMENTS if with_comments else ()))
    scalars = st.sampled_from(["1", "-0.5e3", "true", "null"]) | _TEXTS.map(_quoted)
    values = st.recursive(scalars, lambda inner: _objects(inner, gap, with_comments=with_comments))
    servers = _objects(values, gap, with_comments=with_comments)
    roots = _objects(values, gap, servers, with_comments=with_comments)
    blank = st.sampled_from(["", "\n", "  \r\n"])
    mark = st.sampled_from(["", "", "\ufeff"])
    return st.builds(lambda *parts: "".join(parts), mark, gap | blank, roots | st.just(""), gap)


def toml_documents() -> st.SearchStrategy[str]:
    """TOML with tables, comments and strings over lines, ended or not."""
    value = st.sampled_from(['"x"', "1", "nan", "[1, # two\n 2]", "'''\n[a]\n'''", "{ a = 1 }"])
    key = st.integers(0, 99).map(lambda number: f"key{number}")
    comment = st.sampled_from(["", " # note", "\n# [mcp_servers.cruxe]", "\n"])
    pairs = st.dictionaries(key, st.tuples(value, comment), max_size=3).map(_pairs)
    names = ["mcp_servers", "mcp_servers.docs", 'projects."a b"', "tui"]
    tables = st.dictionaries(st.sampled_from(names), pairs, max_size=4).map(_tables)
    mark = st.sampled_from(["", "\ufeff"])
    end = st.sampled_from(["", "\n", "\n\n", "# end"])
    whole = st.builds(lambda *parts: "".join(parts), mark, pairs, tables, end)
    return st.builds(_with_breaks, whole, st.sampled_from(["\n", "\r\n"]))


def prose() -> st.SearchStrategy[str]:
    """Markdown, or anything else that people write to an agent."""
    line = st.sampled_from(["# Title", "", "- item", "größe  ", "<!-- cruxe -->", "\t"]) | _TEXTS
    mark = st.sampled_from(["", "\ufeff"])
    joined = st.builds(str.join, st.sampled_from(["\n", "\r\n"]), st.lists(line, max_size=5))
    return st.builds(str.__add__, mark, joined)


def _objects(
    values: st.SearchStrategy[str],
    gap: st.SearchStrategy[str],
    servers: st.SearchStrategy[str] | None = None,
    *,
    with_comments: bool,
) -> st.SearchStrategy[str]:
    @st.composite
    def make(draw: st.DrawFn) -> str:
        names = draw(st.lists(_TEXTS, max_size=3, unique=True))
        members = [(_quoted(name), draw(values)) for name in names if name != "mcpServers"]
        if servers is not None and draw(st.booleans()):
            members.insert(draw(st.integers(0, len(members))), ('"mcpServers"', draw(servers)))
        inside = ",".join(
            f"{draw(gap)}{name}{draw(gap)}:{draw(gap)}{value}{draw(gap)}" for name, value in members
        )
        trailing = "," if with_comments and members and draw(st.booleans()) else ""
        return f"{{{inside}{trailing}{draw(gap)}}}"

    return make()


def _quoted(text: str) -> str:
    from json import dumps

    return dumps(text, ensure_ascii=False)


def _pairs(pairs: dict[str, tuple[str, str]]) -> str:
    return "".join(f"{key} = {value}{comment}\n" for key, (value, comment) in pairs.items())


def _tables(tables: dict[str, str]) -> str:
    return "".join(f"[{name}]\n{inside}" for name, inside in tables.items())


def _with_breaks(text: str, line_break: str) -> str:
    return text.replace("\n", line_break)
