"""Plain text: the fallback for extensions that other languages claim only by content."""

from cruxe.parse.languages import PLAIN_TEXT

LANGUAGE = PLAIN_TEXT._replace(extensions=(".txt",))
