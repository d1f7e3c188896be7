"""Predeclared names of shell scripts: builtins, everyday utilities, shell variables.

Mentions of them are no sites. Mentions of `git`, `docker` or `curl` are.
"""

from typing import Final

_BUILTINS: Final = (
    *(".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command"),
    *("compgen", "complete", "compopt", "continue", "coproc", "declare", "dirs", "disown", "echo"),
    *("enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "getopts", "hash", "help"),
    *("history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd", "printf", "pushd"),
    *("pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source"),
    *("suspend", "test", "time", "times", "trap", "true", "type", "typeset", "ulimit", "umask"),
    *("unalias", "unset", "wait"),
)
_UTILITIES: Final = (
    *("awk", "basename", "cat", "chmod", "chown", "cmp", "comm", "cp", "cut", "date", "dd", "df"),
    *("diff", "dirname", "du", "egrep", "env", "expr", "fgrep", "find", "fold", "grep", "head"),
    *("hostname", "id", "install", "join", "ln", "ls", "mkdir", "mkfifo", "mktemp", "more", "mv"),
    *("nohup", "nproc", "od", "paste", "ps", "readlink", "realpath", "rm", "rmdir", "sed", "seq"),
    *("sleep", "sort", "split", "stat", "sudo", "tail", "tee", "timeout", "touch", "tput", "tr"),
    *("tty", "uname", "uniq", "wc", "which", "whoami", "xargs", "yes"),
)
_VARIABLES: Final = (
    *("BASH", "BASHPID", "BASH_SOURCE", "BASH_VERSION", "BASH_VERSINFO", "COLUMNS", "EUID"),
    *("FUNCNAME", "HOME", "HOSTNAME", "IFS", "LANG", "LC_ALL", "LINENO", "LINES", "OLDPWD"),
    *("OPTARG", "OPTIND", "OSTYPE", "PATH", "PIPESTATUS", "PPID", "PS1", "PS4", "PWD", "RANDOM"),
    *("REPLY", "SECONDS", "SHELL", "SHLVL", "TERM", "TMPDIR", "UID", "USER"),
)
# Commands that Bats provides.
_TEST_COMMANDS: Final = ("run", "load", "skip", "bats_load_library", "setup", "teardown")
KNOWN_NAMES: Final = frozenset((*_BUILTINS, *_UTILITIES, *_VARIABLES, *_TEST_COMMANDS))
