/* Words as they are read from a text: see words.h. */

#include "words.h"

#define EACH_BYTE 0x0101010101010101u

/* The word at `start`, which is no space: it ends before the next one, or at `end`. */
static Word read_word(const char *start, const char *end)
{
    const char *next = start;
    uint64_t hash = EMPTY_HASH;
    for (;;) {
        size_t rest = (size_t)(end - next);
        uint64_t number = rest >= sizeof number ? number_at(next) : last_number(next, rest);
        uint64_t unlike = number ^ ' ' * EACH_BYTE; /* a space has a byte of zeros */
        uint64_t spaces = (unlike - EACH_BYTE) & ~unlike & 0x80 * EACH_BYTE;
        if (rest < sizeof number)
            spaces |= (uint64_t)0x80 << 8 * rest;
        if (spaces != 0) {
            uint64_t before = ((spaces & (0 - spaces)) >> 7) - 1; /* of the first; others may err */
            next += ((before & EACH_BYTE) * EACH_BYTE) >> 56;
            return word_from((Text){start, (size_t)(next - start)}, hash, number & before);
        }
        hash = hash_step(hash, number);
        next += sizeof number;
    }
}

size_t words_read(const char **next, const char *end, Py_ssize_t most, Word words[HANDFUL])
{
    size_t count = 0;
    const char *place = *next;
    for (; count < HANDFUL && (Py_ssize_t)count < most; count++) {
        while (place < end && *place == ' ')
            place++;
        if (place == end)
            break;
        words[count] = read_word(place, end);
        place += words[count].text.length;
    }
    *next = place;
    return count;
}

void words_expect(const Memo *known, const Word words[HANDFUL], size_t count)
{
    for (size_t number = 0; number < count; number++)
        memo_expect_slot(known, words[number].hash);
    for (size_t number = 0; number < count; number++)
        memo_expect_entry(known, words[number].hash);
}
