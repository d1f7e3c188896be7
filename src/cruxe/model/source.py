"""Where files come from: workspaces, listed files, skip reasons.

Paths are relative to the workspace, with forward slashes on every operating system.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from cruxe.model.identity import BlobId

# Cruxe's own names in a workspace: a folder that is never indexed, and its ignore files.
CRUXE_FOLDER: Final = ".cruxe"
CRUXE_IGNORE: Final = ".cruxeignore"


class SkipReason(StrEnum):
    """Why a path is known but its content is not indexed."""

    BINARY = "binary"
    TOO_LARGE = "too_large"
    MINIFIED = "minified"
    GENERATED = "generated"
    SECRET = "secret"
    IGNORED = "ignored"  # by .cruxeignore; git-ignored paths are not listed at all
    VANISHED = "vanished"
    UNREADABLE = "unreadable"
    SYMLINK = "symlink"  # always: a target inside the workspace is indexed under its own path
    NOT_REGULAR = "not_regular"
    PATH_NOT_UTF8 = "path_not_utf8"
    SUBMODULE_UNAVAILABLE = "submodule_unavailable"
    NESTED_REPOSITORY = "nested_repository"
    LFS_POINTER = "lfs_pointer"
    PARSE_TIMEOUT = "parse_timeout"
    PARSER_CRASHED = "parser_crashed"


# Used as a size if the path was listed without stamps.
NO_SIZE: Final = -1
# Smaller values: no stamps are stored, because those of the folder suffice. For a symlink, and
# for a file that is skipped because of its name.
SYMLINK_SIZE: Final = -2
NAMED_SIZE: Final = -3


class FileStat(NamedTuple):
    """The stamps that detect a change of a file without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class ListedFile(NamedTuple):
    """One path of a working tree or commit, to be indexed unless `skip` is set.

    `stat` is None for committed files and for what is not a regular file. `blob_id` is None for
    working-tree files, whose bytes may differ from any blob.
    """

    path: str
    stat: FileStat | None = None
    blob_id: BlobId | None = None
    skip: SkipReason | None = None


class FileTask(NamedTuple):
    """A file to process, from the working tree or from a blob."""

    path: str
    blob_id: BlobId | None
    stat: FileStat | None  # as listed; None for a blob

    @property
    def is_committed(self) -> bool:
        """Whether the content is read from the blob, not from the working tree."""
        return self.stat is None


class FileBytes(NamedTuple):
    """The content of a file and its stamps while it was read."""

    data: bytes
    stat: FileStat


class DiscoveryRules(NamedTuple):
    """The settings that decide which files are indexed.

    `allowed_secrets` holds .gitignore patterns of secret files to index nevertheless.
    """

    max_file_bytes: int = 1_048_576
    allowed_secrets: tuple[str, ...] = ()
    include_generated: bool = False


class ObjectFormat(StrEnum):
    """The hash function of git's object ids."""

    SHA1 = "sha1"
    SHA256 = "sha256"


class Workspace(NamedTuple):
    """A folder to index: a git working tree or a plain folder.

    `repository_id` is shared by all worktrees of one clone.
    """

    root: str  # real path
    repository_id: str
    git_dir: str | None = None  # differs from the common dir in a linked worktree
    git_common_dir: str | None = None
    object_format: ObjectFormat = ObjectFormat.SHA1


class Head(NamedTuple):
    """What is checked out; no branch if detached, no commit before the first one."""

    branch: str | None
    commit: str | None


class ResolvedRef(NamedTuple):
    """The commit that a ref name given by the caller resolves to."""

    commit: str
    full_name: str  # `refs/heads/main`; the caller's text if it is not the name of a ref
    short_name: str  # `main`; the first twelve digits of the commit if it is not a ref


class Branch(NamedTuple):
    """A local branch and its tip."""

    name: str
    commit: str


class Worktree(NamedTuple):
    """One working tree of a repository and what it has checked out."""

    root: str
    head: Head


class PathStatus(StrEnum):
    """Whether a path is in the index of the working tree."""

    INDEXED = "indexed"
    SKIPPED = "skipped"
    MISSING = "missing"


class PathExplanation(NamedTuple):
    """Why a path is in the index or not.

    `reason` is a `SkipReason`, or one of tracked, untracked, folder, outside, missing, git_ignored,
    built_in. `rule_source` names the rule that decided, as `file:line:pattern`.
    """

    path: str
    status: PathStatus
    reason: str
    detail: str
    rule_source: str | None = None
