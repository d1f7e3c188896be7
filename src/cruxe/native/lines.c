/* Where the lines of a text start: see text/lines.py. */

#include "kernels.h"
#include <string.h>

/* line_starts(text) */
PyObject *line_starts(PyObject *module, PyObject *text)
{
    char *start;
    Py_ssize_t length;
    (void)module;
    if (PyBytes_AsStringAndSize(text, &start, &length) < 0)
        return NULL;
    const char *end = start + length, *line = start;
    PyObject *starts = PyList_New(0);
    while (starts != NULL) {
        PyObject *offset = PyLong_FromSsize_t(line - start);
        if (offset == NULL || PyList_Append(starts, offset) < 0)
            Py_CLEAR(starts);
        Py_XDECREF(offset);
        const char *feed = line == end ? NULL : memchr(line, '\n', (size_t)(end - line));
        /* A final line feed ends the last line, it does not start another. */
        if (feed == NULL || feed + 1 == end)
            break;
        line = feed + 1;
    }
    return starts;
}
