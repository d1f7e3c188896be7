/* The lines that a search found: see text/lines.py. */

#include "kernels.h"
#include <string.h>

static Py_ssize_t count_bytes(const char *start, const char *end, char wanted)
{
    Py_ssize_t count = 0;
    for (const char *at = start; (at = memchr(at, wanted, (size_t)(end - at))) != NULL; at++)
        count++;
    return count;
}

/* UTF-8 has one byte that is no continuation for each character. */
static Py_ssize_t count_characters(const char *start, const char *end)
{
    Py_ssize_t count = 0;
    for (const char *at = start; at < end; at++)
        count += ((unsigned char)*at & 0xC0) != 0x80;
    return count;
}

static const char *start_of_line(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* Number, column and text of the line around `at`; `number` is that of the line. */
static PyObject *describe_line(const char *text, const char *at, const char *end, Py_ssize_t number)
{
    const char *start = start_of_line(text, at);
    const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    if (stop == NULL)
        stop = end;
    Py_ssize_t column = count_characters(start, at) + 1;
    PyObject *line = PyUnicode_DecodeUTF8(start, stop - start, NULL);
    return line == NULL ? NULL : Py_BuildValue("(nnN)", number, column, line);
}

static int describe_lines(const char *text, Py_ssize_t length, PyObject *places, PyObject *found)
{
    Py_ssize_t number = 1, counted = 0;
    for (Py_ssize_t i = 0; i < PyList_Size(found); i++) {
        PyObject *given = PyList_GetItem(places, i);
        Py_ssize_t place = given == NULL ? -1 : PyLong_AsSsize_t(given);
        if (place == -1 && PyErr_Occurred())
            return -1;
        if (place < counted || place > length) {
            PyErr_SetString(PyExc_ValueError, "offsets must ascend within the text");
            return -1;
        }
        number += count_bytes(text + counted, text + place, '\n');
        counted = place;
        PyObject *line = describe_line(text, text + place, text + length, number);
        if (line == NULL || PyList_SetItem(found, i, line) < 0)
            return -1;
    }
    return 0;
}

PyObject *lines_at(PyObject *module, PyObject *args)
{
    PyObject *text, *places;
    char *bytes;
    Py_ssize_t length;
    (void)module;
    if (!PyArg_ParseTuple(args, "SO!", &text, &PyList_Type, &places) ||
        PyBytes_AsStringAndSize(text, &bytes, &length) < 0)
        return NULL;
    PyObject *found = PyList_New(PyList_Size(places));
    if (found == NULL)
        return NULL;
    if (describe_lines(bytes, length, places, found) < 0) {
        Py_DECREF(found);
        return NULL;
    }
    return found;
}
