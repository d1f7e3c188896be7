/* Columns of candidates: what their chunks come to, and who comes first: see query/retrieve/candidates.py. */

#include "kernels.h"
#include <stdlib.h>

/* As in query/retrieve/candidates.py. */
#define SECOND_CHUNK 0.5
#define THIRD_CHUNK 0.25
#define MOST_CHUNKS 3

/* The negated scores of the first chunks of a file, which are rows: how many, or -1 and an error. */
static Py_ssize_t negated_scores(PyObject *rows, double *scores)
{
    int is_list = PyList_Check(rows);
    Py_ssize_t count = is_list ? PyList_Size(rows) : PyTuple_Check(rows) ? PyTuple_Size(rows) : -1;
    if (count > MOST_CHUNKS)
        count = MOST_CHUNKS;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = is_list ? PyList_GetItem(rows, i) : PyTuple_GetItem(rows, i);
        if (!PyTuple_Check(row) || PyTuple_Size(row) < 1) {
            count = -1;
            break;
        }
        scores[i] = PyFloat_AsDouble(PyTuple_GetItem(row, 0));
    }
    if (count < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "chunks are rows in lists or tuples");
    return PyErr_Occurred() ? -1 : count;
}

static double best_three(const double *negated, Py_ssize_t count)
{
    if (count < 2)
        return count ? -negated[0] : 0.0;
    double total = -negated[0] - SECOND_CHUNK * negated[1];
    return count == 2 ? total : total - THIRD_CHUNK * negated[2];
}

/* Put a number at a place of a new list: 0, or -1. */
static int put_number(PyObject *list, Py_ssize_t place, double value)
{
    PyObject *number = PyFloat_FromDouble(value);
    return number == NULL ? -1 : PyList_SetItem(list, place, number);
}

/* chunk_scores(chunks) */
PyObject *chunk_scores(PyObject *module, PyObject *chunks)
{
    (void)module;
    if (!PyList_Check(chunks)) {
        PyErr_SetString(PyExc_ValueError, "files are in a list");
        return NULL;
    }
    Py_ssize_t count = PyList_Size(chunks);
    PyObject *best = PyList_New(count), *three = PyList_New(count), *both = NULL;
    int failed = best == NULL || three == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; i < count && !failed; i++) {
        double negated[MOST_CHUNKS];
        Py_ssize_t found = negated_scores(PyList_GetItem(chunks, i), negated);
        if (found < 0 || put_number(best, i, found ? -negated[0] : 0.0) < 0 ||
            put_number(three, i, best_three(negated, found)) < 0)
            failed = -1;
    }
    if (!failed)
        both = PyTuple_Pack(2, best, three);
    Py_XDECREF(best);
    Py_XDECREF(three);
    return both;
}

typedef struct {
    double value;
    Py_ssize_t place;
} Placed;

static int falls(const void *one, const void *other)
{
    const Placed *a = one, *b = other;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* The places where a column is above a floor, with the values there; how many, or -1 and an error. */
static Py_ssize_t places_above(PyObject *column, double floor, PyObject *values, Placed *found)
{
    Py_ssize_t count = 0, all = PyList_Size(column);
    for (Py_ssize_t i = 0; i < all; i++)
        if (PyFloat_AsDouble(PyList_GetItem(column, i)) > floor)
            found[count++] = (Placed){PyFloat_AsDouble(PyList_GetItem(values, i)), i};
    return PyErr_Occurred() ? -1 : count;
}

/* The places in a list, and whether two have the same value. */
static PyObject *in_list(const Placed *found, Py_ssize_t count)
{
    PyObject *places = PyList_New(count);
    int has_ties = 0;
    for (Py_ssize_t i = 0; i < count && places != NULL; i++) {
        PyObject *place = PyLong_FromSsize_t(found[i].place);
        if (place == NULL || PyList_SetItem(places, i, place) < 0)
            Py_CLEAR(places);
        has_ties |= i > 0 && found[i].value == found[i - 1].value;
    }
    return places == NULL ? NULL : Py_BuildValue("NO", places, has_ties ? Py_True : Py_False);
}

/* falling_places(column, floor, values) */
PyObject *falling_places(PyObject *module, PyObject *args)
{
    PyObject *column, *values;
    double floor;
    (void)module;
    if (!PyArg_ParseTuple(args, "OdO", &column, &floor, &values))
        return NULL;
    if (!PyList_Check(column) || !PyList_Check(values) ||
        PyList_Size(column) != PyList_Size(values)) {
        PyErr_SetString(PyExc_ValueError, "columns are lists of the same length");
        return NULL;
    }
    Placed *found = PyMem_Malloc((size_t)(PyList_Size(column) + 1) * sizeof *found);
    if (found == NULL)
        return PyErr_NoMemory();
    Py_ssize_t count = places_above(column, floor, values, found);
    PyObject *places = NULL;
    if (count >= 0) {
        qsort(found, (size_t)count, sizeof *found, falls);
        places = in_list(found, count);
    }
    PyMem_Free(found);
    return places;
}
