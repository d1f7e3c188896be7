/* A table from short texts to texts, without Python: what `words.c` and `pieces.c` look up in. */

#ifndef CRUXE_MEMO_H
#define CRUXE_MEMO_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *bytes;
    size_t length;
} Text;

typedef struct {
    uint32_t hash;
    uint32_t place; /* of the entry in `bytes`; zero is free */
} Slot;

/* All zero is an empty one. */
typedef struct {
    Slot *slots;
    size_t slot_count, word_count; /* a power of two, and at most half of it */
    char *bytes;                   /* the entries: two lengths, the word, its value */
    size_t used, capacity;
} Memo;

#define EMPTY_HASH 14695981039346656037u
#define HASH_STEP(hash, letter) (((hash) ^ (unsigned char)(letter)) * 1099511628211u)
/* Of the 64 bits those that depend on every letter. */
#define HASH_END(hash) ((uint32_t)((hash) >> 32))

uint32_t memo_hash(Text word);
/* Whether a word is there; then `value` is set, to what holds until the memo changes. */
int memo_find(const Memo *memo, Text word, uint32_t hash, Text *value);
/* Remember a word, unless it is there or long; to fail at it is no error. */
void memo_keep(Memo *memo, Text word, uint32_t hash, Text value);
void memo_forget(Memo *memo);

#ifdef __GNUC__
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* Let the processor fetch where a word is found, and a little later what is found there. */
static inline void memo_expect_slot(const Memo *memo, uint32_t hash)
{
    if (memo->slots != NULL)
        PREFETCH(memo->slots + (hash & (memo->slot_count - 1)));
}

static inline void memo_expect_entry(const Memo *memo, uint32_t hash)
{
    if (memo->slots != NULL)
        PREFETCH(memo->bytes + memo->slots[hash & (memo->slot_count - 1)].place);
}

#endif
