/* The distinct trigrams of a text whose bytes are folded to classes: see text/trigrams.py. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define CLASS_BITS 5
#define CLASS_MASK ((1u << CLASS_BITS) - 1)
#define LENGTH 3
#define CODES (1u << LENGTH * CLASS_BITS)
#define CODE_BYTES 2
#define WORD_BITS 64
#define BYTES 256
/* A character of several bytes starts with one from here on. */
#define FIRST_LEAD 0xC0
#define LEADS 64
#define SECONDS 64

#ifdef _MSC_VER
#include <intrin.h>
static unsigned lowest_bit(uint64_t bits)
{
    unsigned long place;
    _BitScanForward64(&place, bits);
    return place;
}
#else
static unsigned lowest_bit(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }
#endif

typedef struct {
    uint64_t seen[CODES / WORD_BITS]; /* a bit a code: they stay in the nearest cache */
    char packed[CODES * CODE_BYTES];
} Found;

typedef struct {
    Py_buffer text, classes;
    unsigned gap;
} Request;

/* Mark each trigram that has no gap in it. */
static void mark(Found *found, const Request *request)
{
    const unsigned char *text = request->text.buf, *classes = request->classes.buf;
    const unsigned gap = request->gap;
    unsigned code = 0, gaps = ~0u; /* a bit for each of the last bytes */
    for (Py_ssize_t place = 0; place < request->text.len; place++) {
        unsigned own = classes[text[place]] & CLASS_MASK;
        gaps = gaps << 1 | (own == gap);
        code = (code << CLASS_BITS | own) & (CODES - 1);
        /* Without a branch, which would be guessed wrong at every word. */
        uint64_t is_whole = !(gaps & ((1u << LENGTH) - 1));
        found->seen[code / WORD_BITS] |= is_whole << code % WORD_BITS;
    }
}

static PyObject *pack(Found *found)
{
    char *end = found->packed;
    for (unsigned first = 0; first < CODES; first += WORD_BITS)
        for (uint64_t rest = found->seen[first / WORD_BITS]; rest; rest &= rest - 1) {
            unsigned code = first + lowest_bit(rest);
            *end++ = (char)(code & 0xFF);
            *end++ = (char)(code >> 8);
        }
    return PyBytes_FromStringAndSize(found->packed, end - found->packed);
}

static PyObject *find_codes(const Request *request)
{
    if (request->classes.len != BYTES) {
        PyErr_SetString(PyExc_ValueError, "there is not one class for each byte");
        return NULL;
    }
    Found *found = PyMem_Malloc(sizeof *found);
    if (found == NULL)
        return PyErr_NoMemory();
    memset(found->seen, 0, sizeof found->seen);
    mark(found, request);
    PyObject *packed = pack(found);
    PyMem_Free(found);
    return packed;
}

/* packed_trigrams(text, classes, gap) */
PyObject *packed_trigrams(PyObject *module, PyObject *args)
{
    Request request;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*I", &request.text, &request.classes, &request.gap))
        return NULL;
    PyObject *packed = find_codes(&request);
    PyBuffer_Release(&request.text);
    PyBuffer_Release(&request.classes);
    return packed;
}

static int find_pair(const unsigned char *text, Py_ssize_t length, const unsigned char *pairs)
{
    for (Py_ssize_t place = 0; place + 1 < length; place++)
        if (text[place] >= FIRST_LEAD &&
            pairs[(text[place] - FIRST_LEAD) * SECONDS + text[place + 1] % SECONDS])
            return 1;
    return 0;
}

/* has_pair(text, pairs): whether a character starts with two bytes that have a mark in a table. */
PyObject *has_pair(PyObject *module, PyObject *args)
{
    Py_buffer text, pairs;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*", &text, &pairs))
        return NULL;
    PyObject *found = NULL;
    if (pairs.len == LEADS * SECONDS)
        found = PyBool_FromLong(find_pair(text.buf, text.len, pairs.buf));
    else
        PyErr_SetString(PyExc_ValueError, "there is not one mark for each pair of bytes");
    PyBuffer_Release(&text);
    PyBuffer_Release(&pairs);
    return found;
}
