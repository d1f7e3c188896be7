/* Numbers in the direction of a sum of rows: see embed/static_vectors.py, which says why. */

#include "kernels.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

#define LONGEST (1 << 30)

/* Add some rows, each times its factor, to sums that begin with zero; -1 where one is not there. */
static int add_rows(const Py_buffer *rows, Py_ssize_t first_row, const Py_buffer *places,
                    const Py_buffer *factors, int64_t *sums, Py_ssize_t dimensions)
{
    const int64_t *place = places->buf, *factor = factors->buf;
    Py_ssize_t known = (rows->len - first_row) / dimensions;
    for (Py_ssize_t i = 0; i < places->len / (Py_ssize_t)sizeof *place; i++) {
        if (place[i] < 0 || place[i] >= known) {
            PyErr_SetString(PyExc_ValueError, "a piece is not in the table");
            return -1;
        }
        const int8_t *row = (const int8_t *)rows->buf + first_row + place[i] * dimensions;
        for (Py_ssize_t j = 0; j < dimensions; j++) /* unsigned, since nonsense may overflow */
            sums[j] = (int64_t)((uint64_t)sums[j] + (uint64_t)factor[i] * (uint64_t)(int64_t)row[j]);
    }
    return 0;
}

/* Whole numbers in the direction of some others, and of a length; all zeros where those are.
 * Packed, 32 bits each. */
static PyObject *in_direction(
    const int64_t *given, Py_ssize_t count, double fractions, double length)
{
    double *whole = PyMem_Malloc((size_t)count * sizeof *whole), own = 0;
    if (whole == NULL)
        return PyErr_NoMemory();
    uint64_t squares = 0;
    for (Py_ssize_t j = 0; j < count; j++)
        squares += (uint64_t)given[j] * (uint64_t)given[j];
    double given_length = sqrt((double)squares);
    for (Py_ssize_t j = 0; j < count; j++) {
        whole[j] = squares > 0 ? rint((double)given[j] / given_length * fractions) : 0;
        own += whole[j] * whole[j]; /* whole, and below 2**53 */
    }
    double factor = own > 0 ? length / sqrt(own) : 0;
    PyObject *found = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    for (Py_ssize_t j = 0; j < count && found != NULL; j++) {
        int32_t number = (int32_t)rint(whole[j] * factor); /* no longer than the length */
        memcpy(PyBytes_AsString(found) + j * (Py_ssize_t)sizeof number, &number, sizeof number);
    }
    PyMem_Free(whole);
    return found;
}

/* directed((rows, first_row, dimensions), places, factors, fractions, length): see mixing.py. */
PyObject *directed(PyObject *module, PyObject *args)
{
    Py_buffer rows, places, factors;
    Py_ssize_t first_row, dimensions;
    double fractions, length;
    (void)module;
    if (!PyArg_ParseTuple(args, "(y*nn)y*y*dd", &rows, &first_row, &dimensions, &places, &factors,
                          &fractions, &length))
        return NULL;
    PyObject *found = NULL;
    if (first_row < 0 || dimensions <= 0 || dimensions > rows.len || factors.len != places.len ||
        !(fabs(length) < LONGEST)) {
        PyErr_SetString(PyExc_ValueError, "the parts of the table do not fit together");
    } else {
        int64_t *sums = PyMem_Calloc((size_t)dimensions, sizeof *sums);
        if (sums == NULL)
            PyErr_NoMemory();
        else if (add_rows(&rows, first_row, &places, &factors, sums, dimensions) == 0)
            found = in_direction(sums, dimensions, fractions, length);
        PyMem_Free(sums);
    }
    PyBuffer_Release(&rows);
    PyBuffer_Release(&places);
    PyBuffer_Release(&factors);
    return found;
}
