/* What the files of this extension share. */

#ifndef CRUXE_KERNELS_H
#define CRUXE_KERNELS_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* one build for Python 3.11 and every later one */
#include <Python.h>

/* Say what is wrong with what was given, unless another error says so already: always -1. That an
   index is not there says nothing to whoever gave a tuple that is too short. */
static inline int refuse(const char *message)
{
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_IndexError))
        PyErr_SetString(PyExc_ValueError, message);
    return -1;
}

PyObject *has_pair(PyObject *module, PyObject *args);
PyObject *sort_matches(PyObject *module, PyObject *args);
PyObject *place_sites(PyObject *module, PyObject *args);
PyObject *packed_trigrams(PyObject *module, PyObject *args);
PyObject *invert_sets(PyObject *module, PyObject *args);
PyObject *file_vectors(PyObject *module, PyObject *args);
PyObject *directed(PyObject *module, PyObject *args);
PyObject *nearest_files(PyObject *module, PyObject *args);
PyObject *ascii_fingerprint(PyObject *module, PyObject *args);
PyObject *lines_at(PyObject *module, PyObject *args);
PyObject *literal_places(PyObject *module, PyObject *args);

extern PyType_Spec piece_table_spec;
extern PyType_Spec word_memo_spec;
#ifndef _WIN32 /* elsewhere the standard library is asked */
PyObject *stamps_at(PyObject *module, PyObject *const *args, Py_ssize_t count);

extern PyType_Spec stamp_look_spec;
#endif
#ifdef __linux__ /* elsewhere all files are looked at */
extern PyType_Spec folder_events_spec;
#endif

#endif
