/* What Snowball leaves of an English word, and a little more taken off: see text/stems.py. */

#include "kernels.h"
#include <string.h>

/* Shorter stems are left alone. */
#define LETTERS_BEFORE_ER 3
#define LETTERS_BEFORE_E 3

/* How much of a stem is kept. */
static Py_ssize_t kept_of(const char *stem, Py_ssize_t length)
{
    if (length > LETTERS_BEFORE_ER + 1 && stem[length - 2] == 'e' && stem[length - 1] == 'r')
        length -= 2;
    if (length > LETTERS_BEFORE_E && stem[length - 1] == 'e')
        length--;
    if (length > LETTERS_BEFORE_E && stem[length - 1] == stem[length - 2] &&
        memchr("bdgmnprt", stem[length - 1], 8) != NULL)
        length--;
    return length;
}

static PyObject *cut_stem(PyObject *snowball, PyObject *word)
{
    char *bytes;
    Py_ssize_t length;
    PyObject *stem = PyObject_CallFunctionObjArgs(snowball, word, NULL);
    if (stem == NULL || PyBytes_AsStringAndSize(stem, &bytes, &length) < 0) {
        Py_XDECREF(stem);
        return NULL;
    }
    Py_ssize_t kept = kept_of(bytes, length);
    if (kept == length)
        return stem;
    PyObject *cut = PyBytes_FromStringAndSize(bytes, kept);
    Py_DECREF(stem);
    return cut;
}

static PyMethodDef stemmer = {"ascii_stem", cut_stem, METH_O, NULL};

/* stemmer_after(snowball) */
PyObject *stemmer_after(PyObject *module, PyObject *snowball)
{
    (void)module;
    return PyCFunction_New(&stemmer, snowball);
}
