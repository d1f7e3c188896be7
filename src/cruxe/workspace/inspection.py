"""One path of the working tree, by its name and one lstat: a file to index, or why not."""

import os
import stat

from cruxe.model.source import DiscoveryRules, ListedFile, SkipReason
from cruxe.workspace.ignore import IgnoreFile, IgnoreTree
from cruxe.workspace.path_rules import classify_path
from cruxe.workspace.stamps import stamps_of


class PathInspector:
    """Looks at paths below one root; opens nothing."""

    def __init__(self, root: str, rules: DiscoveryRules) -> None:
        """Take the root and the rules for all paths."""
        self._prefix = os.fsencode(root) + b"/"
        self._max_file_bytes = rules.max_file_bytes
        self._include_generated = rules.include_generated
        self._allowed_secrets = IgnoreTree()
        self._allowed_secrets.add("", IgnoreFile(rules.allowed_secrets, "allowed_secrets"))

    def inspect(self, path: str) -> ListedFile | None:
        """List a path; nothing where it does not exist. A folder is listed as a submodule is."""
        try:
            status = os.lstat(self._prefix + path.encode())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            return ListedFile(path, skip=SkipReason.UNREADABLE)
        if not stat.S_ISREG(status.st_mode):
            return ListedFile(path, skip=_reason_of_mode(status.st_mode))
        skip = self.judge_name(path)
        if skip is None and status.st_size > self._max_file_bytes:
            skip = SkipReason.TOO_LARGE
        return ListedFile(path, stamps_of(status), None, skip)

    def judge_name(self, path: str) -> SkipReason | None:
        """Tell by its name why a file is not read, unless the rules allow it."""
        reason = classify_path(path)
        if reason is SkipReason.GENERATED and self._include_generated:
            return None
        if reason is SkipReason.SECRET and self._allowed_secrets.ignores(path):
            return None
        return reason


def _reason_of_mode(mode: int) -> SkipReason:
    if stat.S_ISLNK(mode):
        return SkipReason.SYMLINK
    return SkipReason.SUBMODULE_UNAVAILABLE if stat.S_ISDIR(mode) else SkipReason.NOT_REGULAR
