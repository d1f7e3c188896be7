/* A memo of words, for those that look words up in several at once. */

#ifndef CRUXE_WORDS_H
#define CRUXE_WORDS_H

#include "kernels.h"
#include "memo.h"
#include "written.h"

/* Words that are looked up together. */
#define HANDFUL 32

typedef struct WordMemo {
    PyObject_HEAD
    PyObject *make; /* turns the bytes of a word into those of its value */
    char separator; /* between two values; none where it is NUL */
    Py_ssize_t most_words;
    Memo known;
    /* Of words whose values are kept with those of another memo, if there are pairs; else NULL. What
     * is found there is neither made nor kept again. */
    const Memo *paired;
    /* How names are taken apart; without `parts` they are not. */
    struct WordMemo *parts;
    PyObject *whole; /* does what `make` does, for a name of several parts; NULL: not wanted */
    Py_ssize_t most_name_bytes, most_part_bytes, most_digits;
    int is_ascii; /* whether words with other letters are no names */
} WordMemo;

/* Of the first value of a pair, which stands behind it and before the second. */
typedef uint16_t FirstLength;

static inline Text first_of_pair(Text pair)
{
    FirstLength length;
    memcpy(&length, pair.bytes, sizeof length);
    return (Text){pair.bytes + sizeof length, length};
}

/* Append a value of a memo, which is copied together with what is behind it: most are short. */
static inline int words_append_value(Written *written, Text value)
{
    if (make_room(written, value.length + MARGIN) < 0)
        return -1;
    memcpy(written->start + written->used, value.bytes, MARGIN);
    if (value.length > MARGIN)
        memcpy(written->start + written->used, value.bytes, value.length);
    written->used += value.length;
    return 0;
}

/* Append what stands between two values of a memo. */
static inline int words_append_separator(const WordMemo *memo, Written *written)
{
    return write_bytes(written, &memo->separator, memo->separator != 0);
}

/* Append the value of a word without looking it up or keeping it; Python may be asked. */
int words_append_made(const WordMemo *memo, Written *written, Text word);
/* Up to a handful of the next words before `end`; `*next` is moved behind them. */
size_t words_read(const char **next, const char *end, Py_ssize_t most, Word words[HANDFUL]);
/* Let the processor fetch what a handful of words is found by, before any of it is waited for. */
void words_expect(const Memo *known, const Word words[HANDFUL], size_t count);

#endif
