/* The distinct trigrams of a text whose bytes are folded to classes: see text/trigrams.py. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define CLASS_BITS 5
#define CLASSES (1u << CLASS_BITS)
#define LENGTH 3
#define CODES (CLASSES * CLASSES * CLASSES)
#define CODE_BYTES 2
#define BYTES 256
/* A character of several bytes starts with one from here on. */
#define FIRST_LEAD 0xC0
#define LEADS 64
#define SECONDS 64

#ifdef _MSC_VER
#include <intrin.h>
static unsigned lowest_bit(uint32_t bits)
{
    unsigned long place;
    _BitScanForward(&place, bits);
    return place;
}
#else
static unsigned lowest_bit(uint32_t bits) { return (unsigned)__builtin_ctz(bits); }
#endif

typedef struct {
    /* A word for each first and second class, a bit for each third: they stay in the nearest
       cache. */
    uint32_t seen[CLASSES][CLASSES];
    char packed[CODES * CODE_BYTES];
} Found;

typedef struct {
    Py_buffer text, classes;
    unsigned gap;
} Request;

/* Mark each trigram, those with a gap in them too: to pass them over is cheaper at the end. */
static void mark(Found *found, const Request *request)
{
    const unsigned char *text = request->text.buf, *classes = request->classes.buf;
    unsigned char known[BYTES];
    for (unsigned byte = 0; byte < BYTES; byte++)
        known[byte] = classes[byte] % CLASSES;
    if (request->text.len < LENGTH)
        return;
    unsigned first = known[text[0]], second = known[text[1]];
    for (Py_ssize_t place = 2; place < request->text.len; place++) {
        unsigned third = known[text[place]];
        found->seen[first][second] |= UINT32_C(1) << third;
        first = second;
        second = third;
    }
}

static PyObject *pack(Found *found, unsigned gap)
{
    char *end = found->packed;
    uint32_t gap_bit = gap < CLASSES ? UINT32_C(1) << gap : 0;
    for (unsigned first = 0; first < CLASSES; first++)
        for (unsigned second = 0; second < CLASSES && first != gap; second++) {
            uint32_t rest = second == gap ? 0 : found->seen[first][second] & ~gap_bit;
            for (; rest; rest &= rest - 1) {
                unsigned code = (first * CLASSES + second) * CLASSES + lowest_bit(rest);
                *end++ = (char)(code & 0xFF);
                *end++ = (char)(code >> 8);
            }
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
    PyObject *packed = pack(found, request->gap);
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
