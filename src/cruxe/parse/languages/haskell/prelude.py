"""Predeclared names of Haskell: the Prelude and what nearly all modules import."""

from typing import Final

_FUNCTIONS: Final = (
    *("abs", "all", "and", "any", "concat", "concatMap", "const", "div", "drop", "dropWhile"),
    *("elem", "either", "error", "even", "filter", "flip", "fmap", "foldl", "foldr", "foldMap"),
    *("fromIntegral", "fst", "head", "id", "init", "last", "length", "lines", "lookup", "map"),
    *("mapM", "mapM_", "mappend", "maybe", "max", "maximum", "mconcat", "mempty", "min"),
    *("minimum", "mod", "negate", "not", "notElem", "null", "odd", "or", "otherwise", "print"),
    *("product", "pure", "putStr", "putStrLn", "read", "repeat", "replicate", "return"),
    *("reverse", "round", "seq", "sequence", "sequence_", "show", "snd", "span", "splitAt"),
    *("sum", "tail", "take", "takeWhile", "traverse", "truncate", "uncurry", "undefined"),
    *("unlines", "unwords", "words", "zip", "zipWith", "when", "unless", "forM", "forM_"),
)
_TYPES: Final = (
    *("Bool", "Char", "Double", "Either", "Float", "IO", "Int", "Integer", "Maybe", "Ordering"),
    *("String", "Word", "True", "False", "Just", "Nothing", "Left", "Right", "LT", "EQ", "GT"),
    *("Applicative", "Bounded", "Enum", "Eq", "Foldable", "Functor", "Integral", "Monad"),
    *("Monoid", "Num", "Ord", "Read", "Real", "Semigroup", "Show", "Traversable"),
    *("Generic", "Data", "Typeable", "NFData"),
)
PRELUDE: Final = frozenset((*_FUNCTIONS, *_TYPES))
