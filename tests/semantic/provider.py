"""A provider of embeddings and reranking on this machine, which answers as it is told to."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from tests.support.models import TOPICS

DIMENSIONS: Final = 64
_SLOW_SECONDS: Final = 3


class FakeProvider:
    """What the server was sent, and how it is to behave."""

    def __init__(self) -> None:
        """Behave well."""
        self.behaviour = "success"
        self.requests: list[dict[str, object]] = []
        self.keys: list[str | None] = []
        self.address = ""
        self.dimensions = DIMENSIONS

    def answer(self, request: dict[str, object]) -> tuple[int, bytes]:
        """The answer to a request, by behaviour."""
        if self.behaviour.isdecimal():
            return int(self.behaviour), b'{"error": "told to"}'
        if self.behaviour == "garbage":
            return 200, b"<html>\xff"
        if self.behaviour == "slow":
            time.sleep(_SLOW_SECONDS)
        answer = self._rerank(request) if "documents" in request else self._embed(request)
        if self.behaviour == "partial":
            for items in answer.values():
                items.pop()
        return 200, json.dumps(answer).encode()

    def _embed(self, request: dict[str, object]) -> dict[str, list[object]]:
        texts = request["input"]
        assert isinstance(texts, list)
        return {
            "data": [
                {"index": index, "embedding": _topics_of(text, self.dimensions)}
                for index, text in enumerate(texts)
            ]
        }

    def _rerank(self, request: dict[str, object]) -> dict[str, list[object]]:
        """The last document is the best."""
        documents = request["documents"]
        assert isinstance(documents, list)
        items: list[object] = [
            {"index": index, "relevance_score": (index + 1) / len(documents)}
            for index in range(len(documents))
        ]
        return {"results": items, "data": list(items)}


@contextmanager
def serve_provider() -> Iterator[FakeProvider]:
    """Serve on the loopback until the block ends."""
    fake = FakeProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            request = json.loads(self.rfile.read(length))
            fake.requests.append(request)
            fake.keys.append(self.headers["Authorization"])
            status, body = fake.answer(request)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    fake.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _topics_of(text: object, dimensions: int) -> list[float]:
    """A number for every topic: how many of its words the text has."""
    words = str(text).lower()
    found = [float(sum(word in words for word in of_topic)) for of_topic in TOPICS.values()]
    spread = [number for number in found for _ in range(12)]
    return spread + [0.1] * (dimensions - len(spread))
