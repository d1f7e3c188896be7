/* A table from short texts to texts. Slots are small, so that more of them stay in the cache. */

#include "memo.h"
#include "kernels.h"

#define FEWEST_SLOTS 1024
#define FIRST_BYTES (1 << 16)
#define MOST_BYTES (1u << 31)
/* Longer words are data that does not come again. */
#define MOST_WORD_BYTES 256
#define MOST_VALUE_BYTES UINT16_MAX

int grow_slots(Slot **slots, size_t *slot_count, size_t taken, size_t fewest)
{
    if (2 * (taken + 1) <= *slot_count)
        return 0;
    size_t count = *slot_count ? 2 * *slot_count : fewest;
    Slot *old = *slots, *grown = count > UINT32_MAX ? NULL : PyMem_Calloc(count, sizeof *grown);
    if (grown == NULL)
        return -1;
    for (size_t place = 0; place < *slot_count; place++) {
        size_t number = old[place].hash & (count - 1);
        while (old[place].place != 0 && grown[number].place != 0)
            number = (number + 1) & (count - 1);
        if (old[place].place != 0)
            grown[number] = old[place];
    }
    *slots = grown;
    *slot_count = count;
    PyMem_Free(old);
    return 0;
}

/* Room for so many more bytes: 0, or -1. */
static int grow_bytes(Memo *memo, size_t length)
{
    if (memo->used == 0)
        memo->used = sizeof(Lengths); /* no entry has the place of a free slot */
    if (memo->used + length <= memo->capacity)
        return 0;
    size_t capacity = memo->capacity ? 2 * memo->capacity : FIRST_BYTES;
    while (capacity < memo->used + length)
        capacity *= 2;
    char *grown = capacity > MOST_BYTES ? NULL : PyMem_Realloc(memo->bytes, capacity);
    if (grown == NULL)
        return -1;
    memo->bytes = grown;
    memo->capacity = capacity;
    return 0;
}

void memo_keep(Memo *memo, const Word *word, Text value)
{
    size_t length = word->text.length, whole = length - length % sizeof word->last;
    if (length > MOST_WORD_BYTES || value.length > MOST_VALUE_BYTES ||
        grow_slots(&memo->slots, &memo->slot_count, memo->word_count, FEWEST_SLOTS) < 0 ||
        grow_bytes(memo, sizeof(Lengths) + padded(length) + value.length + MARGIN) < 0)
        return;
    Slot *slot = memo_slot(memo, word);
    if (slot->place != 0) /* made by another thread meanwhile */
        return;
    Lengths lengths = {(uint16_t)length, (uint16_t)value.length};
    *slot = (Slot){word->hash, (uint32_t)memo->used};
    char *next = memo->bytes + memo->used;
    memcpy(next, &lengths, sizeof lengths);
    next += sizeof lengths;
    memcpy(next, word->text.bytes, whole);
    memcpy(next + whole, &word->last, sizeof word->last);
    next += padded(length);
    if (value.length > 0)
        memcpy(next, value.bytes, value.length);
    memo->used = (size_t)(next - memo->bytes) + value.length;
    memo->word_count++;
}

void memo_forget(Memo *memo)
{
    PyMem_Free(memo->slots);
    PyMem_Free(memo->bytes);
    memset(memo, 0, sizeof *memo);
}
