"""The extension in C; all else that a build needs to know is in pyproject.toml."""

import sys
from glob import glob

from setuptools import Extension, setup

FOLDER = "src/cruxe/native"
# Fused products would make machines differ; MSVC fuses none by itself.
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-std=c11", "-ffp-contract=off"]

setup(
    ext_modules=[
        Extension(
            "cruxe.native._kernels",
            sorted(glob(f"{FOLDER}/*.c")),
            depends=sorted(glob(f"{FOLDER}/*.h")),
            extra_compile_args=FLAGS,
            py_limited_api=True,
            optional=True,  # without a compiler Python does the same, more slowly
        )
    ]
)
