/* The pieces of a model's vocabulary that parts of words are made of: see embed/word_pieces.py. */

#include "kernels.h"
#include "memo.h"
#include <string.h>

/* A part that is longer is not looked into. */
#define MOST_PART_BYTES 256

typedef struct {
    PyObject_HEAD
    Memo places; /* of the pieces, each as the bytes of an int32_t */
    size_t longest;
} PieceTable;

/* Take in a vocabulary of one piece a line; of one that is there twice, the first counts. */
static int read_pieces(PieceTable *table, const char *next, const char *end)
{
    for (int32_t place = 0; next <= end; place++) {
        const char *after = next < end ? memchr(next, '\n', (size_t)(end - next)) : NULL;
        after = after == NULL ? end : after;
        Text piece = {next, (size_t)(after - next)}, value = {(const char *)&place, sizeof place};
        Word word = memo_word(piece);
        memo_keep(&table->places, &word, value);
        if (piece.length <= MOST_PART_BYTES && !memo_find(&table->places, &word, &value)) {
            PyErr_NoMemory();
            return -1;
        }
        if (piece.length > table->longest)
            table->longest = piece.length;
        next = after + 1;
    }
    return 0;
}

/* The longest piece that a text starts with: its length, or zero; `place` is set where it has some. */
static size_t longest_start(const PieceTable *table, Text text, char *place)
{
    Text found;
    size_t length = text.length < table->longest ? text.length : table->longest;
    for (; length > 0; length--) {
        Word start = memo_word((Text){text.bytes, length});
        if (memo_find(&table->places, &start, &found)) {
            memcpy(place, found.bytes, sizeof(int32_t));
            break;
        }
    }
    return length;
}

/* pieces_of(part): the places of the longest pieces that it is made of, packed. */
static PyObject *pieces_of(PieceTable *table, PyObject *part)
{
    char *bytes, packed[MOST_PART_BYTES * sizeof(int32_t)];
    Py_ssize_t size, count = 0;
    if (PyBytes_AsStringAndSize(part, &bytes, &size) < 0)
        return NULL;
    if (size > MOST_PART_BYTES) {
        PyErr_SetString(PyExc_ValueError, "a part is too long");
        return NULL;
    }
    for (Text rest = {bytes, (size_t)size}; rest.length > 0;) {
        size_t length = longest_start(table, rest, packed + count * (Py_ssize_t)sizeof(int32_t));
        count += length > 0;
        length = length > 0 ? length : 1;
        rest = (Text){rest.bytes + length, rest.length - length};
    }
    return PyBytes_FromStringAndSize(packed, count * (Py_ssize_t)sizeof(int32_t));
}

/* PieceTable(vocabulary) */
static PyObject *new_table(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    Py_buffer vocabulary;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "y*", &vocabulary))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PieceTable *table = (PieceTable *)allocate(type, 0); /* all zero */
    const char *bytes = vocabulary.buf;
    if (table != NULL && read_pieces(table, bytes, bytes + vocabulary.len) < 0)
        Py_CLEAR(table);
    PyBuffer_Release(&vocabulary);
    return (PyObject *)table;
}

static void deallocate(PieceTable *table)
{
    PyTypeObject *type = Py_TYPE((PyObject *)table);
    memo_forget(&table->places);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(table);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"pieces_of", (PyCFunction)pieces_of, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_new, new_table},
    {Py_tp_dealloc, deallocate},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec piece_table_spec = {
    "cruxe.native._kernels.PieceTable", sizeof(PieceTable), 0, Py_TPFLAGS_DEFAULT, table_slots,
};
