"""The names of compact results: without what the path says already."""

import pytest

from cruxe.respond.compact import compact_name


@pytest.mark.parametrize(
    ("qualified_name", "name", "path", "short"),
    [
        ("shop.cart.Cart.total", "total", "src/shop/cart.py", ".Cart.total"),
        ("shop.cart.Cart", "Cart", "src/shop/cart.py", ""),
        ("src/shop.Cart.total", "total", "src/shop.ts", ".Cart.total"),
        ("src/shop.test.total", "total", "src/shop.test.ts", ""),
        ("org.shop.Cart", "Cart", "main/java/org/shop/Cart.java", ""),
        ("org.shop.Cart.total", "total", "main/java/org/shop/Cart.java", ""),
        ("Shop\\Cart.total", "total", "lib/Shop/Cart.php", ""),
        ("docs/guide > Start > Install", "Install", "docs/guide.md", " > Start > Install"),
        ("total", "total", "src/cart.c", ""),
        ("Shop::Cart.total", "total", "lib/shop/cart.rb", "Shop::Cart.total"),
        ("art.total", "total", "src/cart.py", "art.total"),
        ("cart.cart.cart", "cart", "cart.py", ".cart.cart"),
        (".PHONY", ".PHONY", "Makefile", ""),
    ],
)
def test_a_compact_name_leaves_out_what_the_path_says(
    qualified_name: str, name: str, path: str, short: str
) -> None:
    assert compact_name(qualified_name, name, path) == short
