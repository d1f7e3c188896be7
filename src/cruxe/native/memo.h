/* A table from short texts to texts, without Python: what `words.c` and `pieces.c` look up in. Its
   words and slots are those of numbered.h, too. */

#ifndef CRUXE_MEMO_H
#define CRUXE_MEMO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const char *bytes;
    size_t length;
} Text;

/* A text with what it is found by. Its bytes are taken as numbers of eight bytes each; the last has
 * fewer, or none, and zeros for the others. */
typedef struct {
    Text text;
    uint64_t last;
    uint32_t hash;
} Word;

typedef struct {
    uint32_t hash;
    uint32_t place; /* of the entry in `bytes`, or a number from one on; zero is free */
} Slot;

/* All zero is an empty one. */
typedef struct {
    Slot *slots;
    size_t slot_count, word_count; /* a power of two, and at most half of it */
    char *bytes; /* the entries: two lengths, the numbers of the word, its value; then a margin */
    size_t used, capacity;
} Memo;

typedef struct {
    uint16_t word, value;
} Lengths;

/* So many bytes behind a value may be read, whatever is there. */
#define MARGIN 16

#define EMPTY_HASH 14695981039346656037u

static inline uint64_t hash_step(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32; /* what the last letters changed is in the lower half, too */
}

/* A word whose full numbers came to a hash. */
static inline Word word_from(Text text, uint64_t hash, uint64_t last)
{
    hash = hash_step(hash, last) * 0x9E3779B97F4A7C15u;
    return (Word){text, last, (uint32_t)(hash >> 32)};
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOWEST_FIRST(bits, number) __builtin_bswap##bits(number)
#else
#define LOWEST_FIRST(bits, number) (number)
#endif

/* Eight bytes as a number, the first lowest. */
static inline uint64_t number_at(const char *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return LOWEST_FIRST(64, number);
}

/* The same of less than eight: four from either end; or the first, the middle one and the last. */
static inline uint64_t last_number(const char *bytes, size_t count)
{
    if (count >= sizeof(uint32_t)) {
        uint32_t first, last;
        memcpy(&first, bytes, sizeof first);
        memcpy(&last, bytes + count - sizeof last, sizeof last);
        return LOWEST_FIRST(32, first) |
               (uint64_t)LOWEST_FIRST(32, last) << 8 * (count - sizeof last);
    }
    const unsigned char *each = (const unsigned char *)bytes;
    return count == 0 ? 0
                      : each[0] | (uint64_t)each[count / 2] << 8 * (count / 2) |
                            (uint64_t)each[count - 1] << 8 * (count - 1);
}

static inline Word memo_word(Text text)
{
    const char *next = text.bytes;
    uint64_t hash = EMPTY_HASH;
    size_t rest = text.length;
    for (; rest >= sizeof hash; rest -= sizeof hash, next += sizeof hash)
        hash = hash_step(hash, number_at(next));
    return word_from(text, hash, last_number(next, rest));
}

/* What the numbers of a word take in its entry. */
static inline size_t padded(size_t length)
{
    return (length / sizeof(uint64_t) + 1) * sizeof(uint64_t);
}

static inline Lengths memo_lengths(const Memo *memo, uint32_t place)
{
    Lengths lengths;
    memcpy(&lengths, memo->bytes + place, sizeof lengths);
    return lengths;
}

static inline int is_at(const Memo *memo, uint32_t place, const Word *word)
{
    if (memo_lengths(memo, place).word != word->text.length)
        return 0;
    const char *known = memo->bytes + place + sizeof(Lengths), *own = word->text.bytes;
    size_t rest = word->text.length;
    for (; rest >= sizeof word->last; rest -= sizeof word->last) {
        if (memcmp(known, own, sizeof word->last) != 0)
            return 0;
        known += sizeof word->last;
        own += sizeof word->last;
    }
    return memcmp(known, &word->last, sizeof word->last) == 0;
}

/* The slot of a word, or the free one where it belongs. */
static inline Slot *memo_slot(const Memo *memo, const Word *word)
{
    size_t mask = memo->slot_count - 1;
    for (size_t number = word->hash & mask;; number = (number + 1) & mask) {
        Slot *slot = memo->slots + number;
        if (slot->place == 0 || (slot->hash == word->hash && is_at(memo, slot->place, word)))
            return slot;
    }
}

/* Whether a word is there; then `value` is set, to what holds until the memo changes. */
static inline int memo_find(const Memo *memo, const Word *word, Text *value)
{
    const Slot *slot = memo->slots == NULL ? NULL : memo_slot(memo, word);
    if (slot == NULL || slot->place == 0)
        return 0;
    value->bytes = memo->bytes + slot->place + sizeof(Lengths) + padded(word->text.length);
    value->length = memo_lengths(memo, slot->place).value;
    return 1;
}

/* Make room for one more where so many slots are taken, and keep half of them free: 0, or -1 without
   an error. Their number is a power of two. */
int grow_slots(Slot **slots, size_t *slot_count, size_t taken, size_t fewest);
/* Remember a word, unless it is there or long; to fail at it is no error. */
void memo_keep(Memo *memo, const Word *word, Text value);
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
