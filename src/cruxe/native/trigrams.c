/* The distinct trigrams of a text whose bytes were folded to classes: see text/trigrams.py. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define CLASS_BITS 5
#define CLASS_MASK ((1u << CLASS_BITS) - 1)
#define LENGTH 3
#define CODES (1u << LENGTH * CLASS_BITS)
#define TERM_BYTES 4 /* a character of three bytes in UTF-8, and a space */

typedef struct {
    unsigned char seen[CODES];
    char text[CODES * TERM_BYTES];
} Found;

/* Mark each trigram that has no gap in it. */
static void mark(Found *found, const unsigned char *classes, Py_ssize_t length, unsigned gap)
{
    unsigned code = 0, since_gap = 0;
    for (Py_ssize_t place = 0; place < length; place++) {
        unsigned own = classes[place] & CLASS_MASK;
        since_gap = own == gap ? 0 : since_gap + 1;
        code = (code << CLASS_BITS | own) & (CODES - 1);
        /* Without a branch, which would be guessed wrong at every word. */
        found->seen[code] |= since_gap >= LENGTH;
    }
}

static char *write_term(char *end, unsigned code_point)
{
    *end++ = (char)(0xE0 | code_point >> 12);
    *end++ = (char)(0x80 | (code_point >> 6 & 0x3F));
    *end++ = (char)(0x80 | (code_point & 0x3F));
    *end++ = ' ';
    return end;
}

static PyObject *terms_of(Found *found, unsigned first_code_point)
{
    char *end = found->text;
    for (unsigned first = 0; first < CODES; first += sizeof(uint64_t)) {
        uint64_t any;
        memcpy(&any, found->seen + first, sizeof any);
        for (unsigned code = first; any && code < first + sizeof any; code++)
            if (found->seen[code])
                end = write_term(end, first_code_point + code);
    }
    return PyUnicode_FromStringAndSize(found->text, end - found->text);
}

/* trigram_terms(classes, gap, first_code_point) */
PyObject *trigram_terms(PyObject *module, PyObject *args)
{
    Py_buffer classes;
    unsigned gap, first_code_point;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*II", &classes, &gap, &first_code_point))
        return NULL;
    Found *found = PyMem_Malloc(sizeof *found);
    PyObject *terms = NULL;
    if (found == NULL) {
        PyErr_NoMemory();
    } else {
        memset(found->seen, 0, sizeof found->seen);
        mark(found, classes.buf, classes.len, gap);
        terms = terms_of(found, first_code_point);
    }
    PyMem_Free(found);
    PyBuffer_Release(&classes);
    return terms;
}
