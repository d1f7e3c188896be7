/* The matches of a file, those that mention names as numbers in order: see parse/query_matches.py. */

#include "kernels.h"
#include "sites.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    PyObject *subjects;                      /* a tuple */
    const char *text;
    Py_ssize_t length;
    PyObject *line_starts;                   /* a list */
    PyObject *byte_range, *qualifier, *name; /* words */
    PyObject *definitions, *comments, *others; /* lists of what was found */
    long definition, comment; /* kinds of subjects */
    int64_t last_start; /* of a definition */
    Py_ssize_t last_line;
    Site *sites; /* in the order of matches */
    Py_ssize_t count;
} Sorting;

/* What the pattern of a match is about; the entries of a tuple, all borrowed. */
typedef struct {
    PyObject *capture, *otherwise;
    long kind; /* from zero on: it mentions a name */
    int may_be_qualified;
} Subject;

static int is_strange(void) { return refuse("no match of a query looks like this"); }

static int read_subject(PyObject *told, Subject *subject)
{
    if (told == NULL || !PyTuple_Check(told) || PyTuple_Size(told) != 4)
        return is_strange();
    subject->capture = PyTuple_GetItem(told, 0);
    subject->kind = PyLong_AsLong(PyTuple_GetItem(told, 1));
    subject->may_be_qualified = PyTuple_GetItem(told, 2) == Py_True;
    subject->otherwise = PyTuple_GetItem(told, 3);
    return subject->kind == -1 && PyErr_Occurred() ? is_strange() : 0;
}

/* The first node captured under a name, borrowed; NULL where there is none. */
static PyObject *captured(PyObject *captures, PyObject *name)
{
    PyObject *nodes = PyDict_GetItemWithError(captures, name);
    return nodes != NULL && PyList_Check(nodes) && PyList_Size(nodes) > 0 ? PyList_GetItem(nodes, 0)
                                                                         : NULL;
}

static int find_subject(const Sorting *sorting, PyObject *pattern, PyObject *captures,
                        Subject *subject)
{
    Py_ssize_t number = PyLong_AsSsize_t(pattern);
    if (number < 0) /* what is read without a query counts from the end */
        number += PyTuple_Size(sorting->subjects);
    if (PyErr_Occurred() || read_subject(PyTuple_GetItem(sorting->subjects, number), subject) < 0)
        return is_strange();
    while (subject->otherwise != Py_None) {
        int is_there = PyDict_Contains(captures, subject->capture);
        if (is_there != 0)
            return is_there < 0 ? -1 : 0;
        if (read_subject(subject->otherwise, subject) < 0)
            return -1;
    }
    return 0;
}

static int read_range(const Sorting *sorting, PyObject *node, int64_t *start, int64_t *end)
{
    if (node == NULL)
        return is_strange();
    Py_INCREF(node);
    PyObject *range = PyObject_GetAttr(node, sorting->byte_range);
    Py_DECREF(node);
    int is_pair = range != NULL && PyTuple_Check(range) && PyTuple_Size(range) == 2;
    if (is_pair) {
        *start = PyLong_AsLongLong(PyTuple_GetItem(range, 0));
        *end = PyLong_AsLongLong(PyTuple_GetItem(range, 1));
    }
    Py_XDECREF(range);
    return is_pair && !PyErr_Occurred() ? 0 : is_strange();
}

static int keep_site(Sorting *sorting, const Subject *subject, PyObject *captures)
{
    Site *site = &sorting->sites[sorting->count];
    site->kind = subject->kind;
    site->qualifier_start = site->qualifier_end = -1;
    if (read_range(sorting, captured(captures, subject->capture), &site->start, &site->end) < 0)
        return -1;
    if (site->start < 0 || site->start > UINT32_MAX)
        return is_strange();
    PyObject *before = subject->may_be_qualified ? captured(captures, sorting->qualifier) : NULL;
    if (before != NULL &&
        read_range(sorting, before, &site->qualifier_start, &site->qualifier_end) < 0)
        return -1;
    sorting->count++;
    return 0;
}

static int64_t line_start(const Sorting *sorting, Py_ssize_t line)
{
    return PyLong_AsLongLong(PyList_GetItem(sorting->line_starts, line));
}

/* The line (from 1) of an offset that is in a line or behind it, as grammars count: one begins behind
   the last line feed too. Most offsets are near: steps get longer only where they are not. */
static Py_ssize_t line_of(const Sorting *sorting, int64_t offset, Py_ssize_t line)
{
    Py_ssize_t low = line, step = 1, high = PyList_Size(sorting->line_starts);
    if (offset >= sorting->length && high > 0 && sorting->length > 0 &&
        sorting->text[sorting->length - 1] == '\n')
        return high + 1;
    while (low + step <= high && line_start(sorting, low + step - 1) <= offset) {
        low += step;
        step *= 2;
    }
    high = low + step - 1 < high ? low + step - 1 : high;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        if (line_start(sorting, middle) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static PyObject *tuple_of(const int64_t *numbers, Py_ssize_t count)
{
    PyObject *told = PyTuple_New(count);
    for (Py_ssize_t place = 0; place < count && told != NULL; place++) {
        PyObject *number = PyLong_FromLongLong(numbers[place]);
        if (number == NULL || PyTuple_SetItem(told, place, number) < 0)
            Py_CLEAR(told);
    }
    return told;
}

/* Where a definition starts and ends, by offset and by line, and its name: see `Definition`. */
static PyObject *numbers_of(Sorting *sorting, PyObject *node, PyObject *name)
{
    int64_t start, end, name_start = -1, name_end = -1;
    if (read_range(sorting, node, &start, &end) < 0)
        return NULL;
    if (name != NULL && read_range(sorting, name, &name_start, &name_end) < 0)
        return NULL;
    Py_ssize_t line = line_of(sorting, start, start < sorting->last_start ? 0 : sorting->last_line);
    Py_ssize_t last = line_of(sorting, end, end < start ? 0 : line), name_line = line;
    if (name_start >= 0)
        name_line = line_of(sorting, name_start, name_start < start ? 0 : line);
    sorting->last_start = start;
    sorting->last_line = line;
    /* Some grammars end a node after its line feed. */
    if (last > line && end > 0 && end <= sorting->length && sorting->text[end - 1] == '\n')
        last--;
    int64_t numbers[] = {start, end, line, last, name_start, name_end, name_line};
    return PyErr_Occurred() ? NULL : tuple_of(numbers, 7);
}

static int keep_definition(Sorting *sorting, const Subject *subject, PyObject *captures)
{
    PyObject *node = captured(captures, subject->capture);
    PyObject *numbers = numbers_of(sorting, node, captured(captures, sorting->name));
    PyObject *kept = numbers == NULL ? NULL : PyTuple_Pack(3, subject->capture, captures, numbers);
    int added = kept == NULL ? -1 : PyList_Append(sorting->definitions, kept);
    Py_XDECREF(kept);
    Py_XDECREF(numbers);
    return added;
}

static int keep_comments(Sorting *sorting, const Subject *subject, PyObject *captures)
{
    PyObject *nodes = PyDict_GetItemWithError(captures, subject->capture);
    if (nodes == NULL || !PyList_Check(nodes))
        return is_strange();
    for (Py_ssize_t place = 0; place < PyList_Size(nodes); place++) {
        PyObject *span = PyObject_GetAttr(PyList_GetItem(nodes, place), sorting->byte_range);
        int added = span == NULL ? -1 : PyList_Append(sorting->comments, span);
        Py_XDECREF(span);
        if (added < 0)
            return -1;
    }
    return 0;
}

static int keep_other(Sorting *sorting, const Subject *subject, PyObject *captures)
{
    PyObject *other = PyTuple_Pack(2, subject->capture, captures);
    int kept = other == NULL ? -1 : PyList_Append(sorting->others, other);
    Py_XDECREF(other);
    return kept;
}

static int sort_match(Sorting *sorting, PyObject *match)
{
    Subject subject;
    if (!PyTuple_Check(match) || PyTuple_Size(match) != 2)
        return is_strange();
    PyObject *captures = PyTuple_GetItem(match, 1);
    if (!PyDict_Check(captures))
        return is_strange();
    if (find_subject(sorting, PyTuple_GetItem(match, 0), captures, &subject) < 0)
        return -1;
    if (subject.kind >= 0)
        return keep_site(sorting, &subject, captures);
    if (subject.kind == sorting->definition)
        return keep_definition(sorting, &subject, captures);
    if (subject.kind == sorting->comment)
        return keep_comments(sorting, &subject, captures);
    return keep_other(sorting, &subject, captures);
}

static int sort_all(Sorting *sorting, PyObject *matches, Py_ssize_t count)
{
    for (Py_ssize_t order = 0; order < count; order++) {
        PyObject *match = PyList_GetItem(matches, order);
        if (match == NULL)
            return is_strange();
        Py_INCREF(match);
        int sorted = sort_match(sorting, match);
        Py_DECREF(match);
        if (sorted < 0)
            return -1;
    }
    return 0;
}

static int compare(const void *one, const void *two)
{
    uint64_t left = *(const uint64_t *)one, right = *(const uint64_t *)two;
    return left < right ? -1 : left > right;
}

/* A reference says least, and a mention without its qualifier less than with it. */
static int says_more(const Site *site, const Site *rival)
{
    if (site->kind != rival->kind)
        return site->kind < rival->kind;
    return site->qualifier_start >= 0 && rival->qualifier_start < 0;
}

static int is_in_order(const Sorting *sorting)
{
    for (Py_ssize_t place = 1; place < sorting->count; place++)
        if (sorting->sites[place].start < sorting->sites[place - 1].start)
            return 0;
    return 1;
}

static void reorder(Sorting *sorting, uint64_t *order, Site *sites)
{
    size_t count = (size_t)sorting->count;
    for (size_t place = 0; place < count; place++)
        order[place] = (uint64_t)sorting->sites[place].start << 32 | place;
    qsort(order, count, sizeof *order, compare);
    for (size_t place = 0; place < count; place++)
        sites[place] = sorting->sites[order[place] & UINT32_MAX];
    memcpy(sorting->sites, sites, count * sizeof *sites);
}

/* By offset, of one offset as they came; most files' matches come like this. */
static int put_in_order(Sorting *sorting)
{
    if (is_in_order(sorting))
        return 0;
    uint64_t *order = PyMem_Malloc((size_t)sorting->count * sizeof *order);
    Site *sites = PyMem_Malloc((size_t)sorting->count * sizeof *sites);
    int is_room = order != NULL && sites != NULL;
    if (is_room)
        reorder(sorting, order, sites);
    else
        PyErr_NoMemory();
    PyMem_Free(sites);
    PyMem_Free(order);
    return is_room ? 0 : -1;
}

/* Of those in one place the one that says most, of equals the first. */
static PyObject *sites_of(Sorting *sorting)
{
    Site *sites = sorting->sites;
    Py_ssize_t kept = 0;
    if (put_in_order(sorting) < 0)
        return NULL;
    for (Py_ssize_t place = 0; place < sorting->count; place++) {
        if (kept == 0 || sites[kept - 1].start != sites[place].start)
            sites[kept++] = sites[place];
        else if (says_more(&sites[place], &sites[kept - 1]))
            sites[kept - 1] = sites[place];
    }
    return PyBytes_FromStringAndSize((const char *)sites, kept * (Py_ssize_t)sizeof *sites);
}

static PyObject *sort_into(Sorting *sorting, PyObject *matches)
{
    Py_ssize_t count = PyList_Size(matches);
    sorting->sites = PyMem_Malloc(((size_t)count + 1) * sizeof *sorting->sites);
    if (sorting->sites == NULL)
        return PyErr_NoMemory();
    PyObject *sites = sort_all(sorting, matches, count) < 0 ? NULL : sites_of(sorting);
    PyMem_Free(sorting->sites);
    PyObject *sorted = sites == NULL ? NULL
                                     : PyTuple_Pack(4, sorting->definitions, sorting->comments,
                                                    sorting->others, sites);
    Py_XDECREF(sites);
    return sorted;
}

/* sort_matches(matches, (subjects, definition, comment), text, line_starts) */
PyObject *sort_matches(PyObject *module, PyObject *args)
{
    PyObject *matches, *text, *sorted = NULL;
    Sorting sorting = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!(O!ll)SO!", &PyList_Type, &matches, &PyTuple_Type,
                          &sorting.subjects, &sorting.definition, &sorting.comment, &text,
                          &PyList_Type, &sorting.line_starts))
        return NULL;
    sorting.text = PyBytes_AsString(text);
    sorting.length = PyBytes_Size(text);
    sorting.byte_range = PyUnicode_InternFromString("byte_range");
    sorting.qualifier = PyUnicode_InternFromString("qualifier");
    sorting.name = PyUnicode_InternFromString("name");
    sorting.definitions = PyList_New(0);
    sorting.comments = PyList_New(0);
    sorting.others = PyList_New(0);
    if (!PyErr_Occurred())
        sorted = sort_into(&sorting, matches);
    Py_XDECREF(sorting.others);
    Py_XDECREF(sorting.comments);
    Py_XDECREF(sorting.definitions);
    Py_XDECREF(sorting.name);
    Py_XDECREF(sorting.qualifier);
    Py_XDECREF(sorting.byte_range);
    return sorted;
}
