/* Heads on one line, for whoever finds where they end. */

#ifndef CRUXE_PROSE_H
#define CRUXE_PROSE_H

#include "kernels.h"

/* A stretch of a text. */
typedef struct {
    const char *start, *end;
} Part;

static inline int is_blank(char character)
{
    return character == ' ' || character == '\t';
}

/* A text on one line, without what opens a body if asked for; None where it is not plain ASCII. */
PyObject *head_of(Part text, Py_ssize_t most, int is_trimmed);

/* Write a text on one line in its own place, as if no line had been broken at a bracket; line feeds
   stand where lines end. Gives the new end. */
char *join_lines(char *text, const char *end);

#endif
