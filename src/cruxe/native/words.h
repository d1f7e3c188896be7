/* Reads the words of a text, a handful at a time, and lets their hash table slots be fetched early. */

#ifndef CRUXE_WORDS_H
#define CRUXE_WORDS_H

#include "kernels.h"
#include "memo.h"

/* Words that are looked up together. */
#define HANDFUL 32

/* Up to a handful of the next words before `end`; `*next` is moved behind them. */
size_t words_read(const char **next, const char *end, Py_ssize_t most, Word words[HANDFUL]);
/* Let the processor fetch what a handful of words is found by, before any of it is waited for. */
void words_expect(const Memo *known, const Word words[HANDFUL], size_t count);

#endif
