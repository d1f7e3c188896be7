"""The extension in C; all else that a build needs to know is in pyproject.toml."""

import sys

from setuptools import Extension, setup

FOLDER = "src/cruxe/native"
SOURCES = ("module", "scan", "stamps", "trigrams", "vectors", "words")
# Fused products would make machines differ; MSVC fuses none by itself.
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-std=c11", "-ffp-contract=off"]

setup(
    ext_modules=[
        Extension(
            "cruxe.native._kernels",
            [
                f"{FOLDER}/{name}.c"
                for name in ("module", "scan", "stamps", "trigrams", "vectors", "words")
            ],
            depends=[f"{FOLDER}/kernels.h"],
            extra_compile_args=FLAGS,
            py_limited_api=True,
            optional=True,  # without a compiler Python does the same, more slowly
        )
    ]
)
