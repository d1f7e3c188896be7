/* Texts numbered as they first come: see numbered.h. */

#include "numbered.h"

enum { FEWEST_SLOTS = 64 };

static size_t end_of(const Numbered *numbered, size_t number)
{
    size_t end;
    memcpy(&end, numbered->ends.start + number * sizeof end, sizeof end);
    return end;
}

Text numbered_text(const Numbered *numbered, size_t number)
{
    size_t start = number == 0 ? 0 : end_of(numbered, number - 1);
    return (Text){numbered->texts.start + start, end_of(numbered, number) - start};
}

static int is_text(const Numbered *numbered, size_t number, Text text)
{
    Text known = numbered_text(numbered, number);
    return known.length == text.length && memcmp(known.bytes, text.bytes, text.length) == 0;
}

/* The slot of a text, or the free one where it belongs. */
static Slot *slot_of(const Numbered *numbered, const Word *word)
{
    size_t mask = numbered->slot_count - 1;
    for (size_t number = word->hash & mask;; number = (number + 1) & mask) {
        Slot *slot = numbered->slots + number;
        if (slot->place == 0 ||
            (slot->hash == word->hash && is_text(numbered, slot->place - 1, word->text)))
            return slot;
    }
}

int64_t number_text(Numbered *numbered)
{
    size_t start = numbered->count == 0 ? 0 : end_of(numbered, numbered->count - 1);
    size_t end = numbered->texts.used;
    if (grow_slots(&numbered->slots, &numbered->slot_count, numbered->count, FEWEST_SLOTS) < 0) {
        PyErr_NoMemory();
        return -1;
    }
    Word word = memo_word((Text){numbered->texts.start + start, end - start});
    Slot *slot = slot_of(numbered, &word);
    if (slot->place != 0) {
        numbered->texts.used = start;
        return (int64_t)slot->place - 1;
    }
    if (write_bytes(&numbered->ends, (const char *)&end, sizeof end) < 0)
        return -1;
    *slot = (Slot){word.hash, (uint32_t)++numbered->count};
    return (int64_t)numbered->count - 1;
}

void free_numbered(Numbered *numbered)
{
    free_written(&numbered->texts);
    free_written(&numbered->ends);
    PyMem_Free(numbered->slots);
    *numbered = (Numbered){0};
}
