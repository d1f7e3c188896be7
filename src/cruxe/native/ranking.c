/* What is done with every candidate of a question: see store/local/lexical_reader.py, query/rank/scoring.py. */

#include "kernels.h"
#include "rounding.h"
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

/* A version's key; the function for its very type takes ten times as long. */
static uint64_t key_of(PyObject *number)
{
    return sizeof(size_t) < sizeof(uint64_t) ? PyLong_AsUnsignedLongLong(number)
                                             : PyLong_AsSize_t(number);
}

/* Sort hits, which come best first as a rule: then those alone that are equally good. */
static void sort_hits(Hit *hits, Py_ssize_t count)
{
    Py_ssize_t first = 0;
    for (Py_ssize_t i = 1; i < count; i++)
        if (!(hits[i - 1].negated <= hits[i].negated)) {
            qsort(hits, (size_t)count, sizeof *hits, in_order);
            return;
        }
    for (Py_ssize_t i = 1; i <= count; i++)
        if (i == count || hits[i].negated != hits[first].negated) {
            if (i - first > 1)
                qsort(hits + first, (size_t)(i - first), sizeof *hits, in_order);
            first = i;
        }
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
            key_of(PyList_GetItem(versions, i)),
            PyLong_AsLongLong(PyList_GetItem(chunks, i)),
            i,
        };
    if (PyErr_Occurred()) {
        PyMem_Free(hits);
        return NULL;
    }
    sort_hits(hits, count);
    return hits;
}

/* The rows of a version; borrowed. */
typedef struct {
    uint64_t version;
    PyObject *rows; /* NULL where the slot is free */
} Slot;

/* Slots for so many versions, of which half stay free at least: a power of two. */
static size_t slots_for(Py_ssize_t count)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)count)
        slots *= 2;
    return slots;
}

/* Where a version is among the slots, or may be put. */
static Slot *slot_of(Slot *slots, size_t count, uint64_t version)
{
    size_t place = (size_t)(version * 0x9E3779B97F4A7C15u >> 32) & (count - 1);
    while (slots[place].rows != NULL && slots[place].version != version)
        place = (place + 1) & (count - 1);
    return &slots[place];
}

/* Give a version a list, which the dictionary holds: 0, or -1. */
static int open_slot(PyObject *found, Slot *slot, uint64_t version, PyObject *key)
{
    PyObject *rows = PyList_New(0);
    int failed = rows == NULL ? -1 : PyDict_SetItem(found, key, rows);
    if (!failed)
        *slot = (Slot){version, rows};
    Py_XDECREF(rows);
    return failed;
}

/* Put a hit's row to the others of its version: 0, or -1. */
static int add_row(PyObject *rows, const Hit *hit, PyObject **columns)
{
    Py_ssize_t place = hit->place;
    PyObject *negated = PyFloat_FromDouble(hit->negated), *row = NULL;
    if (negated != NULL)
        row = PyTuple_Pack(
            5, negated, PyList_GetItem(columns[1], place), PyList_GetItem(columns[2], place),
            PyList_GetItem(columns[3], place), PyList_GetItem(columns[4], place));
    int failed = row == NULL ? -1 : PyList_Append(rows, row);
    Py_XDECREF(negated);
    Py_XDECREF(row);
    return failed;
}

/* The rows of hits in their order, by version; NULL and an error without memory. */
static PyObject *group_hits(const Hit *hits, Py_ssize_t count, PyObject **columns, Py_ssize_t most)
{
    size_t slot_count = slots_for(count);
    Slot *slots = PyMem_Calloc(slot_count, sizeof *slots);
    if (slots == NULL)
        return PyErr_NoMemory();
    PyObject *found = PyDict_New();
    int failed = found == NULL ? -1 : 0;
    for (const Hit *hit = hits; hit < hits + count && !failed; hit++) {
        Slot *slot = slot_of(slots, slot_count, hit->version);
        if (slot->rows == NULL)
            failed = open_slot(
                found, slot, hit->version, PyList_GetItem(columns[1], hit->place));
        if (!failed && PyList_Size(slot->rows) < most)
            failed = add_row(slot->rows, hit, columns);
    }
    PyMem_Free(slots);
    if (failed)
        Py_CLEAR(found);
    return found;
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
    if (hits == NULL)
        return NULL;
    count = limit < 0 ? 0 : limit < count ? limit : count;
    PyObject *found = group_hits(hits, count, columns, most);
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

/* Put what a signal gives to the others, if it gives anything: 0, or -1 and an error. */
static int add_point(PyObject *points, PyObject *name, double raw)
{
    PyObject *number = PyFloat_FromDouble(raw);
    PyObject *point = number == NULL ? NULL : PyTuple_Pack(2, name, number);
    int failed = point == NULL ? -1 : PyList_Append(points, point);
    Py_XDECREF(number);
    Py_XDECREF(point);
    return failed;
}

/* The value of a column at a place; -1 and an error where there is none. */
static double value_at(PyObject *column, Py_ssize_t place)
{
    if (PyList_Check(column) && place >= 0 && place < PyList_Size(column))
        return PyFloat_AsDouble(PyList_GetItem(column, place));
    PyErr_SetString(PyExc_ValueError, "no column has such a place");
    return -1;
}

/* exact_points(names, weights, columns, place, most) */
PyObject *exact_points(PyObject *module, PyObject *args)
{
    PyObject *names, *weights, *columns, *found = NULL;
    Py_ssize_t place;
    double most, total = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOnd", &names, &weights, &columns, &place, &most))
        return NULL;
    Py_ssize_t width = PyList_Check(columns) ? PyList_Size(columns) : 0;
    if (!is_list_of(names, width) || !is_list_of(weights, width) || !is_list_of(columns, width))
        return NULL;
    PyObject *points = PyList_New(0);
    int failed = points == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; i < width && !failed; i++) {
        double weight = PyFloat_AsDouble(PyList_GetItem(weights, i));
        double raw = weight * value_at(PyList_GetItem(columns, i), place);
        if (PyErr_Occurred()) {
            failed = -1;
        } else if (raw != 0) {
            failed = add_point(points, PyList_GetItem(names, i), raw);
            total += parts_of(raw / most);
        }
    }
    if (!failed)
        found = Py_BuildValue("Od", points, total);
    Py_XDECREF(points);
    return found;
}
