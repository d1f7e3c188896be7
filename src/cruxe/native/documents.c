/* The documents of a file's chunks: see store/documents.py. */

#include "written.h"

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
    Written document;                 /* one after the other */
} Writing;

/* A chunk: its place, its terms, and where in `named` its names are. */
typedef struct {
    Py_ssize_t ordinal, first, last;
    Part own;
    Py_ssize_t names_from, names_to, name_bytes;
} Chunk;

static int read_bytes(PyObject *object, Part *part)
{
    char *start;
    if (PyBytes_AsStringAndSize(object, &start, &part->length) < 0)
        return -1;
    part->start = start;
    return 0;
}

/* The line at a place of a tuple. */
static Py_ssize_t line_in(PyObject *row, Py_ssize_t place)
{
    Py_ssize_t line = PyLong_AsSsize_t(PyTuple_GetItem(row, place));
    return line < 0 ? refuse("a line is a number from zero on") : line;
}

/* The line and the terms of a name. */
static int read_name(const Writing *writing, Py_ssize_t place, Py_ssize_t *line, Part *terms)
{
    PyObject *row = PyList_GetItem(writing->named, place);
    if (!PyTuple_Check(row) || PyTuple_Size(row) != 2)
        return refuse("a name is told by its line and its terms");
    *line = line_in(row, 0);
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
    chunk->first = line_in(row, 0);
    chunk->last = chunk->first < 0 ? -1 : line_in(row, 1);
    if (chunk->last < 0 || read_bytes(PyList_GetItem(writing->terms, chunk->ordinal), &chunk->own))
        return -1;
    return find_names(writing, chunk);
}

/* What follows puts parts of a document; there is room for all of it. */

static void put(Written *document, Part part)
{
    put_bytes(document, part.start, (size_t)part.length);
}

#define PUT_TEXT(document, text) put_bytes(document, text, sizeof text - 1)

static void put_names(Writing *writing, const Chunk *chunk)
{
    for (Py_ssize_t place = chunk->names_from; place < chunk->names_to; place++) {
        Py_ssize_t line;
        Part terms = {"", 0};
        read_name(writing, place, &line, &terms); /* was read before */
        if (place > chunk->names_from)
            put_byte(&writing->document, ' ');
        put(&writing->document, terms);
    }
}

static void put_place(Writing *writing, const Chunk *chunk)
{
    Written *document = &writing->document;
    put(document, writing->version);
    put_number(document, chunk->ordinal);
    PUT_TEXT(document, FIRST_LINE);
    put_number(document, chunk->first);
    PUT_TEXT(document, LAST_LINE);
    put_number(document, chunk->last);
    put(document, writing->kind);
}

static void put_text(Writing *writing, const Chunk *chunk)
{
    Written *document = &writing->document;
    Part names = {NULL, chunk->name_bytes};
    if (names.length > 0) {
        PUT_TEXT(document, NAME);
        names.start = document->start + document->used;
        put_names(writing, chunk);
        PUT_TEXT(document, NAME_END);
    }
    PUT_TEXT(document, TEXT);
    put(document, writing->near);
    put_byte(document, ' ');
    if (names.length > 0) {
        put(document, names);
        put_byte(document, ' ');
    }
    put(document, chunk->own);
    PUT_TEXT(document, END);
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
    writing->document.used = 0;
    if (make_room(&writing->document, (size_t)most) < 0)
        return NULL;
    put_place(writing, &chunk);
    put_text(writing, &chunk);
    return written_bytes(&writing->document);
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
    PyObject *documents = write_all(&writing);
    free_written(&writing.document);
    return documents;
}
