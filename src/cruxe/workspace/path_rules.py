"""What a path alone tells: secret, binary, minified or generated, without opening the file.

Every path of every listing passes through here, so there is one look at the name and its
extension, and a few more only where the extension is one that has them.
"""

from typing import Final

from cruxe.model.source import SkipReason

_BINARY_EXTENSIONS: Final = """
    7z a apk avi avif bmp bz2 class deb dex dll dmg docx dylib ear eot exe flac gif gz heic icns
    ico iso jar jpeg jpg lib lz4 m4a m4v mkv mo mov mp3 mp4 msi npy npz o obj ogg otf parquet pdf
    png pptx psd pyc pyd pyo rar rpm so sqlite sqlite3 tar tgz tif tiff ttf war wasm wav webm webp
    whl woff woff2 xls xlsx xz zip zst
"""
_KEY_EXTENSIONS: Final = "jks kdbx key keystore p12 p8 pem pfx ppk tfstate"
_LOCK_FILES: Final = """
    bun.lock cargo.lock composer.lock conan.lock deno.lock flake.lock gemfile.lock go.sum
    go.work.sum gradle.lockfile mix.lock npm-shrinkwrap.json package-lock.json package.resolved
    packages.lock.json pdm.lock pipfile.lock pnpm-lock.yaml podfile.lock poetry.lock pubspec.lock
    uv.lock yarn.lock
"""
# .npmrc holds settings more often than a token, but where the token is, it is there.
_CREDENTIAL_FILES: Final = """
    .dockercfg .env .git-credentials .htpasswd .netrc .npmrc .pgpass .pypirc _netrc credentials
    credentials.ini credentials.json credentials.toml credentials.xml credentials.yaml
    credentials.yml
"""
_SECRET_PREFIXES: Final = (".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
# Public halves of keys, and files that only show which variables to set.
_HARMLESS_EXTENSIONS: Final = frozenset({"pub", "example", "sample", "template", "dist"})
_DOCKER_SETTINGS: Final = ".docker/config.json"

_BY_EXTENSION: Final = dict.fromkeys(_BINARY_EXTENSIONS.split(), SkipReason.BINARY) | dict.fromkeys(
    _KEY_EXTENSIONS.split(), SkipReason.SECRET
)
_BY_NAME: Final = dict.fromkeys(_LOCK_FILES.split(), SkipReason.GENERATED) | dict.fromkeys(
    _CREDENTIAL_FILES.split(), SkipReason.SECRET
)
_MINIFIED_ENDINGS: Final = (".min.js", ".min.css", ".min.mjs", ".js.map", ".css.map", ".mjs.map")
_GENERATED_ENDINGS: Final = (
    *(".pb.go", ".pb.cc", ".pb.h", ".pb.gw.go", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py"),
    *(".g.dart", ".freezed.dart", ".g.cs", ".designer.cs", "_generated.rs", "_generated.go"),
)
_EXTENSIONS_WITH_ENDINGS: Final = frozenset(
    ending.rpartition(".")[2] for ending in (*_MINIFIED_ENDINGS, *_GENERATED_ENDINGS)
)


def classify_path(path: str) -> SkipReason | None:
    """Tell by its name why a file is not read; nothing where its bytes decide."""
    name = path[path.rfind("/") + 1 :].lower()
    extension = name[name.rfind(".") + 1 :]
    if name in _BY_NAME:
        return _BY_NAME[name]
    if extension in _BY_EXTENSION and extension != name:
        return _BY_EXTENSION[extension]
    if name.startswith(_SECRET_PREFIXES):
        return None if extension in _HARMLESS_EXTENSIONS else SkipReason.SECRET
    if extension in _EXTENSIONS_WITH_ENDINGS or ".generated." in name:
        return _classify_ending(name)
    return SkipReason.SECRET if path.endswith(_DOCKER_SETTINGS) else None


def extension_of(path: str) -> str:
    """Give the extension in lower case, without its dot; empty where there is none."""
    name = path[path.rfind("/") + 1 :].lower()
    return name.rpartition(".")[2] if "." in name else ""


def _classify_ending(name: str) -> SkipReason | None:
    if name.endswith(_GENERATED_ENDINGS) or ".generated." in name:
        return SkipReason.GENERATED
    return SkipReason.MINIFIED if name.endswith(_MINIFIED_ENDINGS) else None
