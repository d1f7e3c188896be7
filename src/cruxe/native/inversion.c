/* Which of some sets hold each trigram: see store/local/inversion.py. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define CODES (1u << 15)
#define NUMBER_BYTES 2
#define MOST_SETS (1 << 16) /* whose numbers fit two bytes */

/* Who holds a trigram: as numbers, or as a bit for each set where that is no longer. */
typedef struct {
    uint32_t count;
    unsigned char *bytes; /* of numbers the next, of bits the first */
    int is_list;
} Holders;

typedef struct {
    PyObject *sets; /* a tuple of bytes: nobody can change it meanwhile */
    Py_ssize_t set_count;
    Py_ssize_t bit_bytes;
    long long first_place;
    Holders *holders; /* one for each trigram */
} Inversion;

static unsigned number_at(const unsigned char *bytes) { return bytes[0] | bytes[1] << 8; }

static int set_at(const Inversion *inversion, Py_ssize_t number, const unsigned char **bytes,
                  Py_ssize_t *length)
{
    char *start;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(inversion->sets, number), &start, length) < 0)
        return -1;
    *bytes = (const unsigned char *)start;
    return 0;
}

static int count_holders(Inversion *inversion)
{
    for (Py_ssize_t number = 0; number < inversion->set_count; number++) {
        const unsigned char *bytes;
        Py_ssize_t length;
        if (set_at(inversion, number, &bytes, &length) < 0)
            return -1;
        int is_wrong = length % NUMBER_BYTES || length > (Py_ssize_t)CODES * NUMBER_BYTES;
        for (Py_ssize_t place = 0; !is_wrong && place < length; place += NUMBER_BYTES) {
            unsigned code = number_at(bytes + place);
            is_wrong = code >= CODES;
            inversion->holders[code % CODES].count++;
        }
        if (is_wrong) {
            PyErr_SetString(PyExc_ValueError, "a set holds what is no trigram");
            return -1;
        }
    }
    return 0;
}

/* A row for a trigram, still empty; the list of rows keeps it. */
static int add_row(const Inversion *inversion, unsigned code, PyObject *rows)
{
    Holders *own = inversion->holders + code;
    Py_ssize_t list_bytes = (Py_ssize_t)own->count * NUMBER_BYTES;
    own->is_list = list_bytes < inversion->bit_bytes;
    Py_ssize_t length = own->is_list ? list_bytes : inversion->bit_bytes;
    PyObject *packed = PyBytes_FromStringAndSize(NULL, length);
    if (packed == NULL)
        return -1;
    own->bytes = (unsigned char *)PyBytes_AsString(packed);
    memset(own->bytes, 0, (size_t)length);
    PyObject *row = Py_BuildValue("(LN)", inversion->first_place + code, packed);
    if (row == NULL)
        return -1;
    int added = PyList_Append(rows, row);
    Py_DECREF(row);
    return added;
}

static int fill(const Inversion *inversion)
{
    for (Py_ssize_t number = 0; number < inversion->set_count; number++) {
        const unsigned char *bytes;
        Py_ssize_t length;
        if (set_at(inversion, number, &bytes, &length) < 0)
            return -1;
        for (Py_ssize_t place = 0; place < length; place += NUMBER_BYTES) {
            Holders *own = inversion->holders + number_at(bytes + place);
            if (own->is_list) {
                *own->bytes++ = (unsigned char)(number & 0xFF);
                *own->bytes++ = (unsigned char)(number >> 8);
            } else {
                own->bytes[number / 8] |= (unsigned char)(1 << number % 8);
            }
        }
    }
    return 0;
}

static PyObject *invert(Inversion *inversion)
{
    if (count_holders(inversion) < 0)
        return NULL;
    PyObject *rows = PyList_New(0);
    if (rows == NULL)
        return NULL;
    int failed = 0;
    for (unsigned code = 0; !failed && code < CODES; code++)
        failed = inversion->holders[code].count && add_row(inversion, code, rows) < 0;
    if (failed || fill(inversion) < 0) {
        Py_DECREF(rows);
        return NULL;
    }
    return rows;
}

static PyObject *check_and_invert(Inversion *inversion)
{
    inversion->set_count = PyTuple_Size(inversion->sets);
    inversion->bit_bytes = (inversion->set_count + 7) / 8;
    if (inversion->set_count > MOST_SETS || inversion->first_place < 0 ||
        inversion->first_place > INT64_MAX - CODES) {
        PyErr_SetString(PyExc_ValueError, "there are more sets or places than can be counted");
        return NULL;
    }
    inversion->holders = PyMem_Calloc(CODES, sizeof *inversion->holders);
    if (inversion->holders == NULL)
        return PyErr_NoMemory();
    PyObject *rows = invert(inversion);
    PyMem_Free(inversion->holders);
    return rows;
}

/* invert_sets(sets, first_place) */
PyObject *invert_sets(PyObject *module, PyObject *args)
{
    Inversion inversion;
    PyObject *sets;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!L", &PyList_Type, &sets, &inversion.first_place))
        return NULL;
    inversion.sets = PyList_AsTuple(sets);
    if (inversion.sets == NULL)
        return NULL;
    PyObject *rows = check_and_invert(&inversion);
    Py_DECREF(inversion.sets);
    return rows;
}
