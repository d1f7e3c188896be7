/* A scan of vectors: what it is given, and the rows that it finds. */

#ifndef CRUXE_SCAN_H
#define CRUXE_SCAN_H

#include "kernels.h"
#include <stdint.h>

typedef struct {
    Py_buffer codes;      /* of all rows, a bit a number */
    Py_buffer numbers;    /* of all rows, a signed byte a number */
    Py_buffer runs;       /* pairs of 64-bit numbers: the first row and how many */
    Py_buffer query;      /* the question's, of 32 bits each */
    /* What is wanted: so many rows at least; of their files those that are known, and others whose
     * nearest chunk is nearer than this. */
    Py_ssize_t least;
    PyObject *known;
    double least_similarity;
    /* What the second and the third nearest chunk of a file count for, how many of its chunks are
     * given, and the parts of one that figures are rounded to. */
    double second_weight, third_weight;
    int chunks_per_file;
    double parts;
    /* Of each version that has rows, in their order, 64-bit numbers: its key, its first row and how
     * many there are, of which the last is that of its docs. */
    Py_buffer keys, firsts, counts;
    long long full_product; /* of two vectors in the same direction */
} Scan;

typedef struct {
    int64_t row, product;
} Near;

/* The fields of `NearFiles`, from rows that come in their order; NULL and an error without memory. */
PyObject *near_files(const Scan *scan, const Near *near, Py_ssize_t count);

#endif
