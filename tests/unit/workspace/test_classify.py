"""Which files are binary, minified or generated, by name and by content."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxe.model.source import SkipReason
from cruxe.workspace import classify
from cruxe.workspace.classify import classify_content, classify_path
from tests.requirements import requirement

GO_HEADER = b"// Copyright 2020 Someone.\n// License.\n\n"


@requirement("DISC-SECRET")
@pytest.mark.parametrize(
    "path",
    [
        ".env", "a/.env", ".env.local", ".env.production", ".ENV", "server.pem", "a/b.key", "x.p12",
        "x.pfx", "x.keystore", "id_rsa", ".ssh/id_ed25519", "id_rsa.bak", "id_rsa_work", ".netrc",
        ".npmrc", ".pypirc", "credentials", ".aws/credentials", "credentials.json", ".htpasswd",
        ".docker/config.json", "infra/terraform.tfstate", ".git-credentials",
        ".kube/config", "a/.kube/config", "kubeconfig", "dev.kubeconfig", "kubeconfig.yaml",
        ".aws/config", ".cargo/credentials.toml", ".s3cfg", ".vault-token", "keys.agekey",
        ".m2/settings.xml", ".config/gh/hosts.yml",
    ],
)  # fmt: skip
def test_secret_files_are_known_by_name(path: str) -> None:
    assert classify_path(path) is SkipReason.SECRET


@requirement("DISC-SECRET")
@pytest.mark.parametrize(
    "path",
    [
        ".env.example", ".env.sample", ".env.template", ".env.local.example", "id_rsa.pub",
        "env.py", "environment.ts", "keys.py", "credentials.py", "docker/config.json", "key",
        "pem.go",
        "kube/config", "settings.xml", "hosts.yml", "kubeconfig.go", "x.kube/config",
        "secrets.py", "src/.envrc.md", "monkey", "a/config.json",
    ],
)  # fmt: skip
def test_ordinary_files_are_not_taken_for_secrets(path: str) -> None:
    assert classify_path(path) is None


@requirement("DISC-CLASSIFY")
@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("a.png", SkipReason.BINARY),
        ("A.PNG", SkipReason.BINARY),
        ("lib.so", SkipReason.BINARY),
        ("png", None),
        ("so", None),
        ("jquery.min.js", SkipReason.MINIFIED),
        ("a.min.css", SkipReason.MINIFIED),
        ("app.js.map", SkipReason.MINIFIED),
        ("admin.js", None),
        ("treemap", None),
        ("package-lock.json", SkipReason.GENERATED),
        ("sub/Cargo.lock", SkipReason.GENERATED),
        ("go.sum", SkipReason.GENERATED),
        ("uv.lock", SkipReason.GENERATED),
        ("lock.py", None),
        ("package.json", None),
        ("api.pb.go", SkipReason.GENERATED),
        ("api_pb2.py", SkipReason.GENERATED),
        ("schema.generated.ts", SkipReason.GENERATED),
        ("model.g.dart", SkipReason.GENERATED),
        ("generated.py", None),
        ("test_pb2.md", None),
    ],
)
def test_names_tell_binary_minified_and_generated(path: str, reason: SkipReason | None) -> None:
    assert classify_path(path) is reason
    assert classify_content(path, b"x = 1\n") is reason


@requirement("DISC-CLASSIFY")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", None),
        (b"\n", None),
        (b"x\0y", SkipReason.BINARY),
        ("naïve café\n".encode("latin-1"), None),
        ("日本語のテキスト\n".encode("shift-jis"), None),
        ("x = 'é'\n".encode("utf-16"), None),
        ("x = '😀'\n".encode("utf-32"), None),
        (b"\xfe\xff" + "text\n".encode("utf-16-be"), None),
        ("no mark\n".encode("utf-16-le"), SkipReason.BINARY),
        (b"\xff\xfea\0\0\0", SkipReason.BINARY),
        (b"%PDF-1.4\nobj\n", SkipReason.BINARY),
        (b"\x1b[31mred\x1b[0m\n\f", None),
        (bytes(set(range(1, 256))) * 10, SkipReason.BINARY),
    ],
)  # fmt: skip
def test_bytes_tell_text_from_binary(data: bytes, reason: SkipReason | None) -> None:
    assert classify_content("file", data) is reason


@requirement("DISC-CLASSIFY")
def test_only_the_head_tells_text_from_binary_wherever_it_is_cut() -> None:
    bytes_at_random = random.Random(1).randbytes(100_000)  # noqa: S311  # must be repeatable

    assert classify_content("late", b"x\n" * 4096 + b"\0") is None
    assert classify_content("pairs", ("😀😀\n" * 4000).encode("utf-16")) is None
    assert classify_content("random", bytes_at_random) is SkipReason.BINARY


@requirement("DISC-CLASSIFY")
@pytest.mark.parametrize(
    ("path", "piece", "count", "reason"),
    [
        ("a.js", b"var a=1;", 500, SkipReason.MINIFIED),
        ("a.js", b"var a = 1;\n", 500, None),
        ("a.js", b"var a = 1;\r", 500, None),
        ("a.js", b"f()", 1, None),
        ("a.css", b"a{b:c}" * 100 + b"\n", 5, SkipReason.MINIFIED),
        ("a.json", b'{"a": 1}', 100, None),
        ("a.json", b'{"a": 1}', 1000, SkipReason.MINIFIED),
        ("a.jsonl", b'{"a": "' + b"x" * 900 + b'"}\n', 100, None),
        ("a.md", b"word " * 300 + b"\n\n", 20, None),
        ("a.txt", b"x", 20_000_000, SkipReason.MINIFIED),
    ],
)
def test_long_lines_tell_minified_files(
    path: str, piece: bytes, count: int, reason: SkipReason | None
) -> None:
    assert classify_content(path, piece * count) is reason


@requirement("DISC-CLASSIFY")
@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("a.go", b"// Code generated by protoc-gen-go. DO NOT EDIT.\n"),
        ("a.go", GO_HEADER + b"// Code generated by deepcopy-gen. DO NOT EDIT.\n\npackage a\n"),
        ("a.go", b"/*\nCopyright.\n*/\n\n// Code generated by x. DO NOT EDIT.\npackage a\n"),
        ("a.go", b"//go:build linux\r\n\r\n// Code generated by x. DO NOT EDIT.\r\n"),
        ("a.py", b"#!/bin/x\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n"),
        ("a.js", b"/**\n * @generated SignedSource<<abc>>\n */\n"),
        ("a.js", b"'use strict';\n// @generated\n"),
        ("a.rs", b"// This file is @generated by prost-build.\n"),
        ("a.cs", b"//----------------\n// <auto-generated>\n//     By a tool.\n"),
        ("a.dart", b"// GENERATED CODE - DO NOT MODIFY BY HAND\n"),
        ("a.java", b"/* AUTO-GENERATED FILE.  DO NOT MODIFY.\n *\n */\npackage a;\n"),
        ("a.py", b'"""This file was generated by tool.py.\n\nDo not edit it.\n"""\n'),
        ("a.py", b"'''Generated with tool.\n\nDo not change.\n'''\n"),
        ("a.h", b"/*\n   This file has been automatically generated.\n*/\n"),
        ("a.rb", b"# Autogenerated by Thrift Compiler (0.9.1)\n"),
        ("configure", b"#! /bin/sh\n# Guess.\n# Generated by GNU Autoconf 2.69.\n"),
        ("a.md", b"<!-- This file is generated by docs.py. Do not edit. -->\n# Title\n"),
        ("a.yaml", b"# DO NOT EDIT. This file is generated by make update.\n"),
        ("a.php", b"<?php\n// Generated by x. DO NOT EDIT\n"),
        ("a.sql", b"-- WARNING: this file is generated by x, do not edit\n"),
    ],
)  # fmt: skip
def test_a_marker_in_the_head_comment_tells_generated_files(path: str, head: bytes) -> None:
    assert classify_content(path, head + b"rest\n" * 5) is SkipReason.GENERATED


@requirement("DISC-CLASSIFY")
@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.md", b"# Generated code\n\nFiles say `Code generated by x. DO NOT EDIT.` on top.\n"),
        ("a.md", b"* @generated marks such files\n"),
        ("a.txt", b"Code generated by x. DO NOT EDIT.\n"),
        ("a.py", b'MARKER = "Code generated by x. DO NOT EDIT."\n'),
        ("a.py", b"# Generated by Django 4.2 on 2023-01-01 10:00\n\nfrom django import x\n"),
        ("a.py", b'"""Finds files that are generated and say DO NOT EDIT."""\n'),
        ("a.go", b"// Package gen writes the @generated marker.\npackage gen\n"),
        ("a.go", b"package a\n\nconst t = `\n// Code generated by x. DO NOT EDIT.\n`\n"),
        ("a.py", b"x = 1\n" * 50 + b"# @generated\n"),
        ("a.js", b"// Skips files with @generated or <auto-generated> in them.\n"),
        ("a.c", b"/* The report is generated by print_report(). */\nint main(void) {}\n"),
        ("a.py", b"# Generated code lives in build/. Do not edit it there.\n"),
        ("a.py", b"# Do not edit generated files: run make.\n"),
        ("a.sh", b"# Keys are generated from a seed; see README.\n"),
    ],
)
def test_files_that_only_speak_of_generating_are_not_generated(path: str, data: bytes) -> None:
    assert classify_content(path, data) is None


def test_the_source_of_the_classifier_is_not_generated() -> None:
    with open(classify.__file__, "rb") as file:
        assert classify_content("classify.py", file.read()) is None


@requirement("DISC-CLASSIFY")
def test_an_lfs_pointer_is_not_taken_for_the_file() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 9\n"

    assert classify_content("model.weights", pointer) is SkipReason.LFS_POINTER
    assert classify_content("about.md", pointer + b"prose\n" * 400) is None


@given(data=st.binary(max_size=400), start=st.sampled_from([b"", b"/* generated ", b"\xff\xfe"]))
def test_any_bytes_get_a_verdict(data: bytes, start: bytes) -> None:
    assert classify_content("a.js", start + data) in {None, *SkipReason}


@pytest.mark.parametrize(
    "piece", [b"/* generated ", b"# generated \n", b"generated by ", b'"""', b"\n"]
)
def test_no_head_makes_the_markers_explode(piece: bytes) -> None:
    assert classify_content("a.py", b"# generated\n" + piece * 2000) in {None, SkipReason.MINIFIED}
