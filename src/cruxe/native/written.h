/* Bytes written one behind the other, with room made as they come. */

#ifndef CRUXE_WRITTEN_H
#define CRUXE_WRITTEN_H

#include "kernels.h"
#include <stdint.h>
#include <string.h>

typedef struct {
    char *start;
    size_t used, room;
} Written;

int grow_room(Written *written, size_t more);

/* See to it that so many bytes more can be put; -1 with an error where there is no memory. */
static inline int make_room(Written *written, size_t more)
{
    return more <= written->room - written->used ? 0 : grow_room(written, more);
}

/* These put what there is room for: a byte, bytes, and a number of up to 20 of them. */
static inline void put_byte(Written *written, char byte) { written->start[written->used++] = byte; }

static inline void put_bytes(Written *written, const char *bytes, size_t count)
{
    memcpy(written->start + written->used, bytes, count);
    written->used += count;
}

void put_number(Written *written, int64_t number);

/* These make room themselves. A text of JSON with its quotes: from UTF-8 where all is printable
   ASCII (0 where it is not, and nothing is put), and from any text; -1 with an error. */
int write_plain_json(Written *written, const char *text, size_t length);
int write_json(Written *written, PyObject *text);

/* What was written, as bytes, or NULL if there is an error; either way it is let go of. */
PyObject *take_written(Written *written);

#endif
