/* What is done with every candidate of a question: see index/lexical_reader.py, query/scoring.py. */

#include "kernels.h"
#include <stdint.h>
#include <stdlib.h>

/* A document that matched. */
typedef struct {
    double negated; /* its score, so that the best sorts first */
    uint64_t version;
    int64_t chunk;
    Py_ssize_t place; /* where it stands in the columns */
} Hit;

static int in_order(const void *one, const void *other)
{
    const Hit *a = one, *b = other;
    if (a->negated != b->negated)
        return a->negated < b->negated ? -1 : 1;
    if (a->version != b->version)
        return a->version < b->version ? -1 : 1;
    if (a->chunk != b->chunk)
        return a->chunk < b->chunk ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int is_list_of(PyObject *list, Py_ssize_t count)
{
    if (PyList_Check(list) && PyList_Size(list) == count)
        return 1;
    PyErr_SetString(PyExc_ValueError, "columns are lists of the same length");
    return 0;
}

/* The hits of columns in the order of their ranking; NULL and an error where they are no numbers. */
static Hit *read_hits(PyObject *scores, PyObject *versions, PyObject *chunks, Py_ssize_t count)
{
    Hit *hits = PyMem_Malloc((size_t)(count + 1) * sizeof *hits);
    if (hits == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        hits[i] = (Hit){
            -PyFloat_AsDouble(PyList_GetItem(scores, i)),
            PyLong_AsUnsignedLongLong(PyList_GetItem(versions, i)),
            PyLong_AsLongLong(PyList_GetItem(chunks, i)),
            i,
        };
    if (PyErr_Occurred()) {
        PyMem_Free(hits);
        return NULL;
    }
    qsort(hits, (size_t)count, sizeof *hits, in_order);
    return hits;
}

/* The list under a key, which is made where there is none; borrowed. */
static PyObject *list_under(PyObject *dict, PyObject *key)
{
    PyObject *list = PyDict_GetItemWithError(dict, key);
    if (list != NULL || PyErr_Occurred())
        return list;
    list = PyList_New(0);
    if (list == NULL)
        return NULL;
    int failed = PyDict_SetItem(dict, key, list);
    Py_DECREF(list);
    return failed ? NULL : list;
}

/* Put a hit's row to the others of its version: 0, or -1. */
static int add_row(PyObject *found, const Hit *hit, PyObject **columns, Py_ssize_t most)
{
    PyObject *version = PyList_GetItem(columns[1], hit->place), *rows = list_under(found, version);
    if (rows == NULL)
        return -1;
    if (PyList_Size(rows) >= most)
        return 0;
    PyObject *row = Py_BuildValue(
        "dOOOO", hit->negated, version, PyList_GetItem(columns[2], hit->place),
        PyList_GetItem(columns[3], hit->place), PyList_GetItem(columns[4], hit->place));
    int failed = row == NULL ? -1 : PyList_Append(rows, row);
    Py_XDECREF(row);
    return failed;
}

/* rows_by_version((scores, versions, chunks, first lines, last lines), limit, most) */
PyObject *rows_by_version(PyObject *module, PyObject *args)
{
    PyObject *columns[5];
    Py_ssize_t limit, most;
    (void)module;
    if (!PyArg_ParseTuple(args, "(OOOOO)nn", &columns[0], &columns[1], &columns[2], &columns[3],
                          &columns[4], &limit, &most))
        return NULL;
    Py_ssize_t count = PyList_Check(columns[0]) ? PyList_Size(columns[0]) : 0;
    for (int i = 0; i < 5; i++)
        if (!is_list_of(columns[i], count))
            return NULL;
    Hit *hits = read_hits(columns[0], columns[1], columns[2], count);
    PyObject *found = hits == NULL ? NULL : PyDict_New();
    for (Py_ssize_t i = 0; i < count && i < limit && found != NULL; i++)
        if (add_row(found, &hits[i], columns, most) < 0)
            Py_CLEAR(found);
    PyMem_Free(hits);
    return found;
}

/* Add a column, weighed, to sums: 0, or -1 and an error. */
static int add_column(double *sums, Py_ssize_t count, PyObject *column, double weight)
{
    if (!is_list_of(column, count))
        return -1;
    for (Py_ssize_t i = 0; i < count; i++)
        sums[i] += weight * PyFloat_AsDouble(PyList_GetItem(column, i));
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *list_of(const double *numbers, Py_ssize_t count)
{
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; i < count && list != NULL; i++) {
        PyObject *number = PyFloat_FromDouble(numbers[i]);
        if (number == NULL || PyList_SetItem(list, i, number) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* weighted_sums(columns, weights, count) */
PyObject *weighted_sums(PyObject *module, PyObject *args)
{
    PyObject *columns, *weights, *found = NULL;
    Py_ssize_t count;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOn", &columns, &weights, &count))
        return NULL;
    Py_ssize_t width = PyList_Check(columns) ? PyList_Size(columns) : 0;
    if (!is_list_of(columns, width) || !is_list_of(weights, width))
        return NULL;
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "there are no columns of less than nothing");
        return NULL;
    }
    double *sums = PyMem_Calloc((size_t)count + 1, sizeof *sums);
    if (sums == NULL)
        return PyErr_NoMemory();
    int failed = 0;
    for (Py_ssize_t i = 0; i < width && !failed; i++) {
        double weight = PyFloat_AsDouble(PyList_GetItem(weights, i));
        failed = PyErr_Occurred() ? -1 : add_column(sums, count, PyList_GetItem(columns, i), weight);
    }
    if (!failed)
        found = list_of(sums, count);
    PyMem_Free(sums);
    return found;
}
