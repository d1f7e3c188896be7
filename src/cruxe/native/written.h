/* Bytes written one behind the other, with room made as they come. */

#ifndef CRUXE_WRITTEN_H
#define CRUXE_WRITTEN_H

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define MOST_DIGITS 20 /* of a number of 64 bits, with its sign */

typedef struct {
    char *start; /* NULL while there is no room */
    size_t used, room;
} Written;

int grow_room(Written *written, size_t more);

/* See to it that so many bytes more can be put; -1 with an error where there is no memory. */
static inline int make_room(Written *written, size_t more)
{
    return more <= written->room - written->used ? 0 : grow_room(written, more);
}

/* These put what there is room for: a byte, bytes, and a number of up to MOST_DIGITS. */
static inline void put_byte(Written *written, char byte) { written->start[written->used++] = byte; }

static inline void put_bytes(Written *written, const char *bytes, size_t count)
{
    memcpy(written->start + written->used, bytes, count);
    written->used += count;
}

void put_number(Written *written, int64_t number);

/* These make room themselves; -1 with an error. Bytes: */
static inline int write_bytes(Written *written, const char *bytes, size_t count)
{
    if (make_room(written, count) < 0)
        return -1;
    if (count > 0) /* else there may be no memory yet */
        put_bytes(written, bytes, count);
    return 0;
}

/* A text of JSON with its quotes: from UTF-8 where all is printable ASCII (0 where it is not, and
   nothing is put), and from any text. */
int write_plain_json(Written *written, const char *text, size_t length);
int write_json(Written *written, PyObject *text);

/* What was written, as bytes, and appended to a list: 0, or -1 with an error. */
PyObject *written_bytes(const Written *written);
int tell_written(const Written *written, PyObject *list);
/* Let go of it. */
void free_written(Written *written);
/* What was written, as bytes, or NULL if there is an error; either way it is let go of. */
PyObject *take_written(Written *written);

#endif
