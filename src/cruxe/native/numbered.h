/* Texts numbered as they first come: what a file says again and again is written once. */

#ifndef CRUXE_NUMBERED_H
#define CRUXE_NUMBERED_H

#include "memo.h"
#include "written.h"

/* All zero is an empty one. */
typedef struct {
    Written texts; /* one behind the other; the one that is still to be numbered stands last */
    Written ends;  /* where each ends, a `size_t` each */
    Slot *slots;   /* a hash, and a number counted from one */
    size_t slot_count, count;
} Numbered;

/* Number what was written to `texts` since the last call. What is known is taken away again. A
   number from zero on, or -1 with an error. */
int64_t number_text(Numbered *numbered);
/* The text of a number that was given. */
Text numbered_text(const Numbered *numbered, size_t number);
void free_numbered(Numbered *numbered);

#endif
