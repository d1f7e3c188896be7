"""Words of questions that say nothing, or little, about the code asked for."""

from typing import Final

from cruxe.text.stems import stem_of

# Left out of a sentence, where other words remain.
_FUNCTION_WORDS: Final = (
    "a an the of in on at to for from by with and or not is are was were be been being do does did"
    " how what where which who whom whose when why this that these those it its as into over under"
    " up out off than then there here can could should would will shall may might must i we you he"
    " she they them our your their my me us if else but so no yes any all each every some such via"
    " per about between within without during through across after before get gets use used uses"
    " using work works"
)
FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS.split())
# Every repository has these everywhere; in a sentence they count half.
_GENERIC_WORDS: Final = (
    "handle type value function create base core implement implementation define class method"
    " module file code support set make object data main logic different various provide"
)
GENERIC_STEMS: Final = frozenset(map(stem_of, _GENERIC_WORDS.split()))
GENERIC_WEIGHT: Final = 0.5
# Nor do the words of the repository's own name tell its files apart.
OWN_NAME_WEIGHT: Final = 0.15
