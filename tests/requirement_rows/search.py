"""The requirements of ranked search; the sources are sections of the product description."""

from typing import Final

from tests.requirement_rows import Group

SEARCH: Final = (
    Group(
        "PRODUCT 3: decisions",
        None,
        {
            "SEARCH-REFS": (
                "A search is about one ref: hits come from its file versions alone, whatever other"
                " refs the store holds."
            ),
            "SEARCH-SHAPE-ONLY": (
                "detail_level, compact and ranking_explain_level change neither the hits nor their"
                " order."
            ),
            "SEARCH-SUM": (
                "Scores lie in 0..1, final_score is the result's score, and it is the sum of the"
                " effective contributions that full prints."
            ),
            "SEARCH-BYTES": (
                "The same store and the same request give the same bytes, in any process."
            ),
            "SEARCH-ORDER": "Best score first; ties are broken by path, line and symbol.",
            "SEARCH-VERIFY": (
                "Before an answer leaves, the files behind it are looked at: a definition that"
                " moved is told with its present lines, what is gone is dropped and counted in"
                " dropped_stale, and the answer is stale."
            ),
            "SEARCH-EMPTY": (
                "An empty answer says why: no_match, stale, language_not_parsed, or filtered_out"
                " with what each filter takes away; the next actions follow from the reason."
            ),
            "SEARCH-ABSENT": (
                "One word or one phrase that no file of the ref holds is confirmed_absent: the case"
                " rule, the files searched and those skipped are told, changed files are read, and"
                " past the deadline it is not_proven."
            ),
            "SEARCH-UNKNOWN-TERMS": (
                "Identifiers of a query that occur nowhere in the ref, in any spelling, are listed"
                " in unknown_terms; a question that names one has low_confidence, a pasted text"
                " only if nothing that it names occurs."
            ),
            "LOCATE-ABSENT": (
                "A name that no file holds is confirmed_absent for locate_symbol, with what was"
                " searched; similar names given instead are low_confidence."
            ),
            "SEARCH-NO-CIRCLE": (
                "What an answer suggests leads neither back to it nor to a name that does not"
                " exist."
            ),
            "SEARCH-CONFIDENCE": (
                "An answer is low_confidence if and only if its confidence is below the threshold;"
                " the very name or path that was asked for has confidence 1, a question about"
                " something else is low."
            ),
            "FILTER-LANGUAGE-NAMES": (
                "A language is given by name, alias or extension in any case; another text is"
                " invalid_input with the nearest name."
            ),
            "SEARCH-BLANK": (
                "A query without words is invalid_input; with a filter it lists all that passes, by"
                " path and line."
            ),
            "EMPTY-REASON": "Every list that a tool gives has an empty_reason when it is empty.",
            "ERROR-METADATA": (
                "The metadata of an error are what an answer would have said of the index."
            ),
            "SEARCH-SAFE-SIGNATURES": (
                "A secret in a signature is redacted in search_code, locate_symbol and"
                " get_file_outline."
            ),
            "SEARCH-SAFE-NAMES": (
                "A secret that is a name, such as a key of data or a heading, is redacted by every"
                " tool that tells names, and so are the names around it."
            ),
            "SAFE-FORMATS": (
                "A token of a vendor's format is redacted wherever it stands in a file, and what is"
                " nearly one is not."
            ),
            "SAFE-KEYS": (
                "A private key is redacted in PEM, SSH2 and PuTTY files, in the literals of any"
                " language, without its end marker, and wrapped in base64; no line moves."
            ),
            "SAFE-ASSIGNED": (
                "At least 95 % of random values that are assigned to a secret name are redacted,"
                " in the syntax of code, shells, configuration, markup and addresses."
            ),
            "SAFE-TOOLS": (
                "No tool tells a secret of a file, at no level of detail, and the index holds none."
            ),
            "SAFE-TEXT": (
                "search_text finds nothing in a secret, counts secrets as redacted, and proves an"
                " absence outside of them; columns are those of the file."
            ),
            "SAFE-SETTINGS": (
                "A change of the redaction rules extracts every file anew; until then nothing is"
                " answered from what was indexed under other rules."
            ),
            "SEARCH-FLAGGED-NAMES": (
                "A name or signature that speaks to agents is flagged wherever signatures are sent,"
                " compact or not."
            ),
            "SEARCH-SUGGESTED-NAME": (
                "A name that an unsure answer suggests to look up has a definition; where none is"
                " known, the text is suggested to search_text."
            ),
            "SEARCH-TEXT-UNICODE": (
                "In a regular expression, word characters, digits, spaces and word boundaries are"
                " those of Unicode, as in ripgrep."
            ),
            "SEARCH-TEXT-ALL": (
                "search_text reads what is not indexed as well: minified, generated and oversized"
                " files. Secret, ignored and binary files stay out and are counted by reason."
            ),
            "SEARCH-TEXT-CAP": (
                "If not all lines are shown without a limit, or not all files were searched, the"
                " answer says so and the command ends with 1."
            ),
            "SEARCH-FIELD-WEIGHTS": (
                "search.field_weights changes what matches in names, docs, bodies and paths count"
                " for, and the explanation still adds up."
            ),
            "SEARCH-SUGGESTED-ACTION": (
                "An unsure answer to a path or an error message suggests what fits such a query and"
                " names nothing unrelated."
            ),
            "SEARCH-NEAREST": (
                "A command, path or folder that does not exist is told with the nearest that does."
            ),
            "CLI-ALIASES": (
                "--lang is --language and --top is --limit, for every command that has them."
            ),
            "SEARCH-BASIC-FULL": (
                "A factor has the same number at the explain levels basic and full."
            ),
            "SEARCH-DEFAULT-REF": (
                "A question without a ref is about search.default_ref, where that exists; one that"
                " does not exist is a notice."
            ),
        },
    ),
    Group(
        "PRODUCT 4: arguments, pages, sizes",
        None,
        {
            "SEARCH-ARGUMENTS": (
                "A wrong argument gives invalid_input with the field, the legal values and the"
                " nearest of them; limit is 1 to 100."
            ),
            "SEARCH-CURSOR": (
                "Pages put together are the whole list, also where the hard limit cut them; a"
                " cursor of another generation or request gives invalid_input with the remedy."
            ),
            "SEARCH-LIMIT-WHOLE": (
                "The hard limit bounds the whole serialized answer, reasons and all; the first"
                " result survives, cut down."
            ),
            "ANSWER-LIMIT": (
                "The hard limit bounds explanations, states, refs and health too: their lists lose"
                " the last entries, the explanation never its rank, and the answer says so."
            ),
            "OUTLINE-LIMIT": (
                "An outline over the hard limit is cut in pre-order and says so; what is left out"
                " is counted, in each symbol around it and in all."
            ),
        },
    ),
    Group(
        "PRODUCT 5",
        None,
        {
            "STALE-COMMITS": (
                "index_stale names the commit that was indexed and the one that is there now, where"
                " there are any."
            ),
            "SEARCH-FRESHNESS": (
                "An uncommitted edit, a new file and a deletion make the working tree's ref stale,"
                " under every policy."
            ),
        },
    ),
    Group(
        "PRODUCT 8",
        None,
        {
            "SEARCH-ANY-TEXT": (
                "Every string with a word or sign is a legal query: none gives an error."
            ),
            "SEARCH-OPERATORS": (
                "Quotes, -term, AND, OR, NOT and parentheses mean what they say of every hit;"
                " written wrongly they are words."
            ),
            "SEARCH-OPERATOR-QUERY": (
                "Operators count only in a query of one line and few words that is well formed;"
                " in any other text they are characters."
            ),
            "SEARCH-RELAXED": (
                "Where other words remain, a demand that nothing satisfies is dropped and named in"
                " `relaxed_demands`; exclusions are never dropped."
            ),
            "SEARCH-PASTED": (
                "A pasted issue, traceback, log or compiler output finds the files it is about;"
                " its paths and frames are resolved whatever folder they lay in."
            ),
            "SEARCH-PASTED-PARTS": (
                "A pasted text is taken apart: title, prose, code, names, paths, literals, frames"
                " and errors of all usual languages and test runners."
            ),
            "SEARCH-LITERAL": (
                "A key, an option, a constant or a message comes first where it stands in code,"
                " a message also where its format string does."
            ),
            "SEARCH-SPELLINGS": (
                "Identifiers are found whole, in any spelling, and by their parts."
            ),
            "SEARCH-FILTERS": (
                "language, kind, role and path let only such results through that match, and are"
                " ANDed."
            ),
            "SEARCH-PATHS": (
                "A file that the query names by its name, its path or the end of it, and the files"
                " of a folder or a glob, come first; filters and refs hold for them as for others."
            ),
            "SEARCH-KNOWN-NAMES": (
                "A query that is nothing but a name, perhaps after a keyword of definition, finds"
                " its definition before what merely holds its words: a type before a callable, and"
                " either before values, in any case and, unsure, with a typing error."
            ),
            "SEARCH-ALIASES": (
                "What only leads to a definition of its name, or is a line that has its letters,"
                " ranks below it."
            ),
            "SEARCH-MEANING-ALONE": (
                "A question hardly any of whose words occur gets the few files nearest in meaning,"
                " marked as such and low in confidence."
            ),
            "SEARCH-FUSION": (
                "search.rrf fuses the channels by reciprocal ranks with its k, search.score_blend"
                " by weighted scores and goes before it; by default the fitted sum of signals"
                " ranks, and the explanation is the score under each."
            ),
            "SEARCH-RANKS": "The target's rank and the first hits of each ranking query are fixed.",
        },
    ),
    Group(
        "reference 1.14: explain_ranking",
        None,
        {
            "EXPLAIN-RANK": (
                "explain_ranking tells the rank of a line for a query, its contributions, which sum"
                " to the score, and what beat it by which signals."
            ),
            "EXPLAIN-UNRANKED": (
                "A line that is no candidate gets the reason: not indexed, a filter, a demand, no"
                " word of the query, another region of the file, too far down."
            ),
            "EXPLAIN-ARGUMENTS": (
                "A file that the ref does not hold is file_not_found; a line that the file does not"
                " have, and a limit out of range, are invalid_input."
            ),
            "EXPLAIN-COMMAND": (
                "`cruxe explain QUERY PATH:LINE` prints rank, signals and rivals; --json is the"
                " API's answer; what does not rank is exit code 1."
            ),
        },
    ),
    Group(
        "PRODUCT 3.7, 4.3 and 8: what is shown is what it is called",
        None,
        {
            "SHOWN-LINES": (
                "A result with a name has the lines of that symbol, which are the same in every"
                " tool and begin below its doc comment; a chunk without a name has its own."
            ),
            "SHOWN-HANDLE": (
                "Results of search_code and locate_symbol have a result_id, and read_symbol gives"
                " exactly the lines shown by it."
            ),
            "SHOWN-SNIPPET": (
                "A snippet is text of the file, of the region or the doc comment above it; a line"
                " with an ellipsis marks what is left out between."
            ),
            "SHOWN-EVIDENCE": (
                "With a filter on symbols a hit holds something of the query in its own lines, name"
                " or doc; only if none does, those that vectors found are given as semantic."
            ),
            "SHOWN-READ-NAME": (
                "read_symbol of a name takes code before tests and examples, those before"
                " documentation, a definition before its declarations, and tells what it passed"
                " over; several definitions are ambiguous."
            ),
            "SHOWN-COPIES": (
                "also_at names copies from signature on; a region of up to five lines hides no"
                " other file."
            ),
            "SHOWN-COPIES-COST": (
                "A file does not pay for its regions that are left out as copies of another file's,"
                " among the first hundred candidates; pages and explain_ranking agree on the order."
            ),
            "SHOWN-SPREAD": (
                "In a question of several words a further definition of a file costs as much as a"
                " further chunk."
            ),
        },
    ),
    Group(
        "PRODUCT 11: search",
        None,
        {
            "SEARCH-COMMAND": (
                "`cruxe search` indexes, answers, explains and pages; nothing found is exit code 1,"
                " wrong usage 2, and --json is the API's answer."
            ),
        },
    ),
)
