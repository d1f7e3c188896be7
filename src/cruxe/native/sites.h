/* A mention of a name by its offsets, as `parse/query_matches.py` and `parse/sites.py` know it. */

#ifndef CRUXE_SITES_H
#define CRUXE_SITES_H

#include <stdint.h>

typedef struct {
    int64_t start, end;
    int64_t kind;                           /* a place in `RANKED_KINDS` */
    int64_t qualifier_start, qualifier_end; /* below zero: there is none */
} Site;

#endif
