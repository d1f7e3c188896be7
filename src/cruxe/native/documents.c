/* The documents of a file's chunks: see index/documents.py. */

#include "kernels.h"
#include <string.h>

#define MOST_DIGITS 20 /* of a number of 64 bits */
#define FIRST_LINE ",\"line_start\":"
#define LAST_LINE ",\"line_end\":"
#define NAME "\"name\":\""
#define NAME_END "\","
#define TEXT "\"text\":\""
#define END "\"}"

typedef struct {
    const char *start;
    Py_ssize_t length;
} Part;

typedef struct {
    Part version, kind, near;         /* of every document */
    PyObject *chunks, *terms, *named; /* a tuple and two lists, the last by line */
    Py_ssize_t passed;                /* so many of `named` stand before the next chunk */
} Writing;

/* A chunk: its place, its terms, and where in `named` its names are. */
typedef struct {
    Py_ssize_t ordinal, first, last;
    Part own;
    Py_ssize_t names_from, names_to, name_bytes;
} Chunk;

static int refuse(const char *message)
{
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, message);
    return -1;
}

static int read_bytes(PyObject *object, Part *part)
{
    char *start;
    if (PyBytes_AsStringAndSize(object, &start, &part->length) < 0)
        return -1;
    part->start = start;
    return 0;
}

/* A number that is not negative, by its place in a tuple. */
static Py_ssize_t number_in(PyObject *row, Py_ssize_t place)
{
    Py_ssize_t number = PyLong_AsSsize_t(PyTuple_GetItem(row, place));
    return number < 0 ? refuse("a line is no number") : number;
}

/* The line and the terms of a name. */
static int read_name(const Writing *writing, Py_ssize_t place, Py_ssize_t *line, Part *terms)
{
    PyObject *row = PyList_GetItem(writing->named, place);
    if (!PyTuple_Check(row) || PyTuple_Size(row) != 2)
        return refuse("a name is told by its line and its terms");
    *line = number_in(row, 0);
    return *line < 0 ? -1 : read_bytes(PyTuple_GetItem(row, 1), terms);
}

/* Find the names on a chunk's lines, behind those of the chunk before. */
static int find_names(Writing *writing, Chunk *chunk)
{
    Py_ssize_t count = PyList_Size(writing->named), line = 0;
    Part terms;
    chunk->names_from = writing->passed;
    chunk->name_bytes = 0;
    for (; writing->passed < count; writing->passed++) {
        if (read_name(writing, writing->passed, &line, &terms) < 0)
            return -1;
        if (line > chunk->last)
            break;
        if (line < chunk->first) {
            chunk->names_from = writing->passed + 1;
            chunk->name_bytes = 0;
        } else
            chunk->name_bytes += terms.length + (writing->passed > chunk->names_from);
    }
    chunk->names_to = writing->passed;
    return 0;
}

static int read_chunk(Writing *writing, Chunk *chunk)
{
    PyObject *row = PyTuple_GetItem(writing->chunks, chunk->ordinal);
    if (!PyTuple_Check(row) || PyTuple_Size(row) < 2)
        return refuse("a chunk starts with two lines");
    chunk->first = number_in(row, 0);
    chunk->last = chunk->first < 0 ? -1 : number_in(row, 1);
    if (chunk->last < 0 || read_bytes(PyList_GetItem(writing->terms, chunk->ordinal), &chunk->own))
        return -1;
    return find_names(writing, chunk);
}

static char *put(char *to, Part part)
{
    memcpy(to, part.start, (size_t)part.length);
    return to + part.length;
}

#define PUT_TEXT(to, text) put(to, (Part){text, sizeof text - 1})

static char *put_number(char *to, Py_ssize_t number)
{
    char digits[MOST_DIGITS], *first = digits + MOST_DIGITS;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    return put(to, (Part){first, digits + MOST_DIGITS - first});
}

static char *put_names(char *to, const Writing *writing, const Chunk *chunk)
{
    for (Py_ssize_t place = chunk->names_from; place < chunk->names_to; place++) {
        Py_ssize_t line;
        Part terms = {"", 0};
        read_name(writing, place, &line, &terms); /* was read before */
        if (place > chunk->names_from)
            *to++ = ' ';
        to = put(to, terms);
    }
    return to;
}

static char *put_place(char *to, const Writing *writing, const Chunk *chunk)
{
    to = put_number(put(to, writing->version), chunk->ordinal);
    to = put_number(PUT_TEXT(to, FIRST_LINE), chunk->first);
    to = put_number(PUT_TEXT(to, LAST_LINE), chunk->last);
    return put(to, writing->kind);
}

static char *put_text(char *to, const Writing *writing, const Chunk *chunk)
{
    const char *name = NULL;
    if (chunk->name_bytes > 0) {
        to = PUT_TEXT(to, NAME);
        name = to;
        to = PUT_TEXT(put_names(to, writing, chunk), NAME_END);
    }
    to = put(PUT_TEXT(to, TEXT), writing->near);
    *to++ = ' ';
    if (name != NULL) {
        to = put(to, (Part){name, chunk->name_bytes});
        *to++ = ' ';
    }
    return PUT_TEXT(put(to, chunk->own), END);
}

static PyObject *write_document(Writing *writing, Py_ssize_t ordinal)
{
    static const char fixed[] = FIRST_LINE LAST_LINE NAME NAME_END TEXT END "  ";
    Chunk chunk = {.ordinal = ordinal};
    if (read_chunk(writing, &chunk) < 0)
        return NULL;
    Py_ssize_t most = (Py_ssize_t)sizeof fixed + 3 * MOST_DIGITS + writing->version.length +
                      writing->kind.length + writing->near.length + chunk.own.length +
                      2 * chunk.name_bytes;
    char *document = PyMem_Malloc((size_t)most);
    if (document == NULL)
        return PyErr_NoMemory();
    char *end = put_text(put_place(document, writing, &chunk), writing, &chunk);
    PyObject *written = PyBytes_FromStringAndSize(document, end - document);
    PyMem_Free(document);
    return written;
}

static PyObject *write_all(Writing *writing)
{
    Py_ssize_t count = PyTuple_Size(writing->chunks);
    if (PyList_Size(writing->terms) != count) {
        refuse("each chunk has its terms");
        return NULL;
    }
    PyObject *documents = PyList_New(count);
    for (Py_ssize_t ordinal = 0; ordinal < count && documents != NULL; ordinal++) {
        PyObject *document = write_document(writing, ordinal);
        if (document == NULL)
            Py_CLEAR(documents);
        else
            PyList_SetItem(documents, ordinal, document);
    }
    return documents;
}

/* chunk_documents((version, kind, near), chunks, terms, named) */
PyObject *chunk_documents(PyObject *module, PyObject *args)
{
    Writing writing = {.passed = 0};
    PyObject *version, *kind, *near;
    (void)module;
    if (!PyArg_ParseTuple(args, "(SSS)O!O!O!", &version, &kind, &near, &PyTuple_Type,
                          &writing.chunks, &PyList_Type, &writing.terms, &PyList_Type,
                          &writing.named))
        return NULL;
    if (read_bytes(version, &writing.version) < 0 || read_bytes(kind, &writing.kind) < 0 ||
        read_bytes(near, &writing.near) < 0)
        return NULL;
    return write_all(&writing);
}
