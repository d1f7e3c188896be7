"""Locations and errors in the output of the languages and test runners that people paste."""

import pytest

from cruxe.query.understand.pasted_text import read_pasted
from cruxe.query.understand.traces import Frame, TraceError, find_errors, find_frames
from tests.requirements import requirement

FRAMES = {
    "python": (
        (
            "Traceback (most recent call last):\n"
            '  File "/srv/app/shop/cart.py", line 36, in total\n    return add(items)\n'
            '  File "/srv/app/shop/sums.py", line 7, in add\n    raise ValueError\n'
        ),
        [Frame("/srv/app/shop/sums.py", 7, "add"), Frame("/srv/app/shop/cart.py", 36, "total")],
    ),
    "ipython": (
        "File ~/src/shop/cart.py:36, in Cart.total(self)\n",
        [Frame("~/src/shop/cart.py", 36, "Cart.total")],
    ),
    "pytest": (
        (
            "shop/cart.py:36: in total\n    return add(items)\n"
            "E   ValueError: no items\n\nshop/sums.py:7: ValueError\n"
        ),
        [Frame("shop/sums.py", 7), Frame("shop/cart.py", 36, "total")],
    ),
    "node": (
        (
            "TypeError: x is not a function\n    at Cart.total (/app/lib/cart.js:36:12)\n"
            "    at async run (/app/lib/run.js:5:3)\n    at /app/index.js:1:1\n"
        ),
        [
            Frame("/app/lib/cart.js", 36, "Cart.total"),
            Frame("/app/lib/run.js", 5, "run"),
            Frame("/app/index.js", 1),
        ],
    ),
    "tsc": (
        "src/cart.ts(36,5): error TS2322: Type 'string' is not assignable to type 'number'.\n",
        [Frame("src/cart.ts", 36)],
    ),
    "go": (
        "panic: boom\n\ngoroutine 1 [running]:\nmain.total(0x1)\n\t/go/src/shop/cart.go:36 +0x1d\n",
        [Frame("/go/src/shop/cart.go", 36)],
    ),
    "go test": ("    cart_test.go:36: got 1, want 2\n", [Frame("cart_test.go", 36)]),
    "rust": (
        (
            "thread 'main' panicked at src/cart.rs:36:9:\nno items\n"
            "   2: shop::cart::total\n             at ./src/cart.rs:36:9\n"
        ),
        [Frame("src/cart.rs", 36), Frame("./src/cart.rs", 36)],
    ),
    "rustc": (
        "error[E0382]: borrow of moved value: `cart`\n  --> src/cart.rs:36:9\n",
        [Frame("src/cart.rs", 36)],
    ),
    "java": (
        (
            'Exception in thread "main" java.lang.IllegalStateException: no items\n'
            "\tat org.shop.Cart$Line.total(Cart.java:36)\n"
            "\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)\n"
        ),
        [
            Frame("org/shop/Cart.java", 36, "Cart.Line.total"),
            Frame("java/util/ArrayList.java", 1511, "ArrayList.forEach"),
        ],
    ),
    "kotlinc": (
        "e: file:///builds/shop/Cart.kt:36:5 Unresolved reference: items\n",
        [Frame("/builds/shop/Cart.kt", 36)],
    ),
    "maven": (
        "[ERROR] /builds/shop/src/main/java/Cart.java:[36,5] cannot find symbol\n",
        [Frame("/builds/shop/src/main/java/Cart.java", 36)],
    ),
    "dotnet": (
        "   at Shop.Cart.Total(Int32 x) in C:\\src\\Shop\\Cart.cs:line 36\n",
        [Frame("C:/src/Shop/Cart.cs", 36, "Shop.Cart.Total")],
    ),
    "csc": ("Cart.cs(36,5): error CS0103: no such name\n", [Frame("Cart.cs", 36)]),
    "ruby": (
        "lib/shop/cart.rb:36:in `total': no items (ArgumentError)\n",
        [Frame("lib/shop/cart.rb", 36, "total")],
    ),
    "php": (
        (
            "PHP Fatal error:  Uncaught TypeError in /var/www/src/Cart.php on line 36\n"
            "#0 /var/www/src/Shop.php(12): Cart->total()\n"
        ),
        [Frame("/var/www/src/Cart.php", 36), Frame("/var/www/src/Shop.php", 12)],
    ),
    "gcc": (
        "src/cart.c:36:5: error: 'items' undeclared\n",
        [Frame("src/cart.c", 36)],
    ),
    "gdb": (
        "#1  0x00005555 in total (items=0x0) at src/cart.c:36\n",
        [Frame("src/cart.c", 36, "total")],
    ),
    "an address is no location": ("see http://example.com/a.html:80 for more\n", []),
}
ERRORS = {
    "ValueError: no items": [TraceError("ValueError", "no items")],
    "E       KeyError: 'cart'": [TraceError("KeyError", "cart")],
    "Caused by: java.io.IOException: closed": [TraceError("IOException", "closed")],
    "src/cart.c:36:5: fatal error: cart.h: No such file": [TraceError("", "cart.h: No such file")],
    "error[E0382]: borrow of moved value": [TraceError("", "borrow of moved value")],
    "thread 'main' panicked at 'no items', src/cart.rs:36": [
        TraceError("", "no items', src/cart.rs:36")
    ],
    "panic: assignment to entry in nil map": [TraceError("", "assignment to entry in nil map")],
    "KeyError: first\nValueError: last": [
        TraceError("ValueError", "last"),
        TraceError("KeyError", "first"),
    ],
    "nothing went wrong": [],
}


@requirement("SEARCH-PASTED-PARTS")
@pytest.mark.parametrize("kind", FRAMES)
def test_the_locations_of_a_trace_are_found_the_innermost_first(kind: str) -> None:
    text, frames = FRAMES[kind]

    assert list(find_frames(text)) == frames


@requirement("SEARCH-PASTED-PARTS")
@pytest.mark.parametrize("text", ERRORS)
def test_the_error_that_ended_a_run_comes_first(text: str) -> None:
    assert list(find_errors(text)) == ERRORS[text]


@requirement("SEARCH-PASTED-PARTS")
@pytest.mark.parametrize("piece", [".", "a", "A.", "a/", "-", " ", "A:", "'a", "(", "[", "1.", "*"])
def test_a_text_of_one_piece_costs_no_time_that_grows_with_its_square(piece: str) -> None:
    text = piece * 20_000

    assert (find_errors(text), find_frames(text)) == ((), ())
    assert read_pasted(f"{text[:2_000]}\n{text[:2_000]}").errors == ()
