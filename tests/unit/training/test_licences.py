"""Which licences are accepted, and how a Debian copyright file is read."""

import pytest

from training.licences import (
    CopyrightRule,
    accepted_licence,
    licence_of_all,
    licence_of_file,
    read_copyright,
)

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: somebody
License: Expat

Files: lib/third/*
  lib/other.c
Copyright: somebody else
License: GPL-2+
 long text

Files: debian/*
License: GPL-3+
"""


@pytest.mark.parametrize(
    ("stated", "accepted"),
    [
        ("MIT", "MIT"),
        ("Expat", "MIT"),
        ("(MIT OR GPL-3.0)", "MIT"),
        ("MIT OR Apache-2.0", "MIT"),
        ("GPL-2+ or BSD-3-clause", "BSD-3-Clause"),
        ("Apache-2.0 AND MIT", "Apache-2.0 AND MIT"),
        ("Apache-2.0 AND LGPL-2.1", None),
        ("MPL-2.0", None),
        ("GPL-3.0", None),
        ("LGPL-2.1+", None),
        ("public-domain", None),
        ("SEE LICENSE IN LICENSE.md", None),
        ("", None),
    ],
)
def test_an_expression_is_accepted_if_it_offers_an_accepted_licence(
    stated: str, accepted: str | None
) -> None:
    assert accepted_licence(stated) == accepted


def test_the_last_rule_that_matches_a_file_decides() -> None:
    rules = read_copyright(COPYRIGHT)

    assert rules == (
        CopyrightRule(("*",), "Expat"),
        CopyrightRule(("lib/third/*", "lib/other.c"), "GPL-2+"),
        CopyrightRule(("debian/*",), "GPL-3+"),
    )
    assert licence_of_file("src/main.c", rules) == "MIT"
    assert licence_of_file("lib/third/deep/a.c", rules) is None
    assert licence_of_file("lib/other.c", rules) is None


def test_a_package_counts_as_a_whole_only_if_all_its_files_are_accepted() -> None:
    rules = read_copyright(COPYRIGHT)

    assert licence_of_all(rules) is None
    assert licence_of_all((rules[0], rules[2])) == "MIT"


def test_a_copyright_file_that_no_machine_can_read_allows_nothing() -> None:
    assert read_copyright("This package is under the MIT licence.") == ()
    assert licence_of_all(()) is None
    assert licence_of_file("a.c", ()) is None
