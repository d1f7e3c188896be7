"""Plain text: takes the files whose extension other languages claim only by what is inside."""

from cruxe.parse.languages import PLAIN_TEXT

LANGUAGE = PLAIN_TEXT._replace(extensions=(".txt",))
