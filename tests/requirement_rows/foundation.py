"""The requirements of the foundation: from a folder of files to a store that answers.

The sources are sections of the product description.
"""

from typing import Final

from tests.requirement_rows import Group

FOUNDATION: Final = (
    Group(
        "PRODUCT 2",
        None,
        {
            "STORE-VERSIONS": (
                "A path with one content is one file version, whose id is a digest of path and"
                " bytes; it is parsed and indexed once, whatever refs hold it."
            ),
            "STORE-REFS": (
                "A ref is a map from path to file version and nothing else: no ref and the name of"
                " the branch checked out mean the working tree with its uncommitted edits; any"
                " other name, HEAD and commits mean the committed tip."
            ),
            "INDEX-WORKTREES": (
                "All worktrees of one clone share one store, found by the real path of the git"
                " common dir, and each sees its own working tree."
            ),
            "PARSE-CHUNKS": (
                "A chunk is a definition with its doc comment or a window of text, and every line"
                " of every text file belongs to at least one chunk."
            ),
            "PARSE-SITES": (
                "Calls, references and inheritance are sites: each has its name, kind, line and"
                " the definition that encloses it."
            ),
            "STORE-READERS": (
                "One request reads one generation, in any number of processes, while a writer"
                " publishes the next."
            ),
        },
    ),
    Group(
        "PRODUCT 3.1",
        None,
        {
            "INDEX-REF": (
                "Any branch or commit is indexed from git objects, at the cost of the file"
                " versions not seen before; Cruxe never checks out and never writes into .git."
            ),
            "DISC-ENDLESS": (
                "A pipe or device in the place of a file of git's is named, in the place of one of"
                " ours left out; nothing waits for it."
            ),
            "DISC-OBJECTS": (
                "The files of a committed ref are read by one git cat-file process, and equal what"
                " a checkout of that ref would index."
            ),
            "STORE-GC": (
                "`cruxe gc` collects the versions that no ref holds; afterwards the store gives"
                " exactly what a fresh index gives."
            ),
            "STORE-SCHEMA": (
                "The store keeps its schema version and the tables or views symbol_relations (with"
                " parent_symbol_id), symbol_edges, file_manifest and index_jobs; a store of"
                " another version is refused with index_incompatible and its remedy."
            ),
        },
    ),
    Group(
        "PRODUCT 3.2",
        None,
        {
            "STORE-PUBLISH": (
                "Lexical data are written first and the transaction that moves the ref's map comes"
                " last: a reader sees the generation before or the one after, never a mixture."
            ),
            "STORE-CRASH": (
                "A crash at any point leaves the previous generation readable, and the next writer"
                " drops what no map names."
            ),
            "STORE-NO-FOREIGN-TEXT": (
                "After a crash between the lexical commit and the publication, with other files"
                " indexed since, no hit ever shows another file's text."
            ),
            "STORE-WRITER-LOCK": (
                "One writer per repository holds an OS lock that dies with its process; a second"
                " writer is told so at once."
            ),
            "STORE-DISK": (
                "Opening changes no data; a read-only medium, a full disk and a corrupt file are"
                " each met with a message of their own."
            ),
            "STORE-INTEGRITY": (
                "`doctor` and a scrub name every damaged byte that counts; until then no answer is"
                " a crash or has wrong lines, and a sync repairs vectors and the lexical index."
            ),
        },
    ),
    Group(
        "PRODUCT 3.5",
        None,
        {
            "INDEX-INCREMENTAL": (
                "After any sequence of edits, deletions, renames and branch switches the"
                " incremental index equals an index built afresh."
            ),
        },
    ),
    Group(
        "PRODUCT 3.6",
        None,
        {
            "LOCATE-AMBIGUOUS": (
                "A name with several definitions gives all of them: two classes of the same name"
                " are two symbols, and none is chosen on a tie."
            ),
        },
    ),
    Group(
        "PRODUCT 4",
        None,
        {
            "LOCATE-ALIKE": (
                "Where no definition has the name, those with all its words come, and where there"
                " are none of those, those that differ by a typing error; each labelled so."
            ),
            "LOCATE-KINDS": (
                "A kind is read by the names that languages have for it (fn, func, def, const, var,"
                " type, mod, import, use), and written by its own."
            ),
            "LOCATE-ORDER": (
                "Within a tier, code comes before tests, examples and vendored copies, types before"
                " the rest; then path and line."
            ),
            "LOCATE-CURSOR": (
                "Pages of definitions put together are all of them, also where the hard limit cut"
                " them; a cursor of another generation or request gives invalid_input with the"
                " remedy."
            ),
            "LOCATE-VERIFY": (
                "A definition is told with the lines that it has in the file now, or not at all."
            ),
            "LOCATE-EXACT": "A name gives its definitions with path, lines, kind and signature.",
            "LOCATE-QUALIFIED": (
                "A qualified name, or the end of one, gives the definitions that carry it."
            ),
            "LOCATE-CASE": (
                "A name that matches only without regard to case is found and labelled so."
            ),
            "OUTLINE-TREE": (
                "The outline of a file is its symbols nested by parent in source order, on every"
                " ref; a file without symbols gives an empty list with the file's metadata."
            ),
        },
    ),
    Group(
        "PRODUCT 4.2",
        None,
        {
            "ERR-REGISTRY": (
                "The 21 error codes of the registry and no others exist, and every expected failure"
                " carries its code, a message with values and a remedy."
            ),
        },
    ),
    Group(
        "PRODUCT 5",
        None,
        {
            "INDEX-RESUME": (
                "Indexing that was interrupted goes on where it stopped: what is already stored is"
                " not parsed again."
            ),
            "INDEX-JOBS": (
                "Each indexing run is a job with state, counts and times, and a job whose process"
                " died is not shown as running."
            ),
        },
    ),
    Group(
        "PRODUCT 6",
        None,
        {
            "DISC-GIT": (
                "In git the files are those that git tracks plus the untracked ones that it does"
                " not ignore."
            ),
            "DISC-NOGIT": (
                "A folder without git is a repository with the single ref `live`, and the nested"
                " .gitignore files in it are obeyed."
            ),
            "DISC-IGNORE": (
                "A .cruxeignore file leaves out further files by the rules of .gitignore, tracked"
                " ones too."
            ),
            "DISC-SUBMODULE": (
                "The files of a submodule are found in the outer repository, which is another"
                " than its own; one that is not checked out, and any other repository inside, is"
                " one skipped path."
            ),
            "DISC-SYMLINK": (
                "A symbolic link is not followed out of the repository nor round in a circle, and"
                " no file is indexed twice through one."
            ),
            "DISC-ENCODING": (
                "Text that is not UTF-8 is decoded, not dropped; a BOM and CRLF do not shift a line"
                " or a column."
            ),
            "DISC-VANISH": (
                "A file that vanishes, turns unreadable or changes while it is read is skipped with"
                " a reason, and the rest goes on."
            ),
            "DISC-REFUSE": "The root of the file system and the home directory are refused.",
            "DISC-SECRET": (
                "Files that hold secrets (.env, private keys) are never indexed unless the user's"
                " own settings allow it."
            ),
            "DISC-CLASSIFY": (
                "Binary, oversized, minified and generated files are skipped, each with its reason."
            ),
            "DISC-WHY": (
                "`cruxe why PATH` says whether a file is indexed and, if not, which rule left it"
                " out."
            ),
            "INDEX-FUSE": (
                "A file whose parsing takes too long is skipped with a reason and tried once more,"
                " and the worker that is stuck is ended alone."
            ),
            "INDEX-BOUNDED": (
                "Memory while indexing is bounded by bytes in flight, not by the size of the"
                " repository or the number of files."
            ),
        },
    ),
    Group(
        "PRODUCT 7",
        None,
        {
            "PARSE-SYMBOLS": (
                "Every definition gives a symbol with kind, qualified name that includes the module"
                " path, whole signature, visibility, parent, doc and lines."
            ),
            "PARSE-IMPORTS": (
                "Every import is recorded with the module named, the name taken and its alias."
            ),
            "PARSE-ROBUST": (
                "Parsing never fails: broken source and random bytes give fewer symbols and a"
                " ParseProblem."
            ),
            "PARSE-LANGUAGE-FOLDER": (
                "A language is a folder with its grammar and queries; the pipeline names none."
            ),
            "PARSE-STABLE-ID": (
                "symbol_stable_id survives moved lines and unrelated edits, and never merges two"
                " symbols of different files."
            ),
            "PARSE-GOLDEN": (
                "For each language a golden file fixes the symbols, sites, imports and chunks of a"
                " sample that shows its constructs."
            ),
        },
    ),
    Group(
        "PRODUCT 11",
        None,
        {
            "CFG-LAYERS": (
                "Settings come from the environment, then --config, then the repository's file,"
                " then the user's, then the defaults, key by key."
            ),
            "CFG-SAFETY": (
                "A repository's own file can never loosen safety: privacy gates, providers,"
                " endpoints, allowed roots, data dir, secret and redaction rules are not taken from"
                " it."
            ),
            "CFG-REPOSITORY-HARMLESS": (
                "Nothing that a repository's own file says makes a question about it fail."
            ),
            "CFG-NORMALIZE": (
                "A bad value becomes the default plus a notice that names the key, the value and"
                " the file; loading never fails on one."
            ),
            "CFG-ORIGIN": "`cruxe config show` tells where each value came from.",
            "CLI-COMMANDS": (
                "index, sync, status, outline, locate, why, doctor, gc and config work in any"
                " folder of a repository, with -C DIR and --ref; a question about a repository not"
                " yet indexed indexes it first."
            ),
            "CLI-JSON": (
                "--json prints the protocol's JSON and nothing else on standard output, failures"
                " included."
            ),
            "CLI-EXIT": "The exit code is 0 for success, 1 for a failure, 2 for wrong usage.",
        },
    ),
    Group(
        "PRODUCT 1",
        None,
        {
            "API-PYTHON": (
                "The Python API opens a repository, brings it up to date and gives the same answers"
                " as the command line."
            ),
            "IMPORT-BUDGET": (
                "`cruxe locate` answers without importing what it does not need: no numpy, asyncio,"
                " msgspec, logging, parser or lexical engine."
            ),
        },
    ),
)
