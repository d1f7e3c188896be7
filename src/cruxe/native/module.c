/* The extension `cruxe.native._kernels`. */

#include "kernels.h"

/* One that gets its arguments in an array. */
#define FAST(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL}

static PyMethodDef functions[] = {
    {"has_pair", has_pair, METH_VARARGS, NULL},
    {"sort_matches", sort_matches, METH_VARARGS, NULL},
    {"place_sites", place_sites, METH_VARARGS, NULL},
    {"packed_trigrams", packed_trigrams, METH_VARARGS, NULL},
    {"invert_sets", invert_sets, METH_VARARGS, NULL},
    {"file_vectors", file_vectors, METH_VARARGS, NULL},
    {"directed", directed, METH_VARARGS, NULL},
    {"nearest_files", nearest_files, METH_VARARGS, NULL},
    {"ascii_fingerprint", ascii_fingerprint, METH_VARARGS, NULL},
    {"lines_at", lines_at, METH_VARARGS, NULL},
    {"literal_places", literal_places, METH_VARARGS, NULL},
#ifndef _WIN32
    FAST(stamps_at),
#endif
    {NULL, NULL, 0, NULL},
};

static int add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type == NULL)
        return -1;
    int added = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return added;
}

static int add_types(PyObject *module)
{
#ifndef _WIN32
    if (add_type(module, &stamp_look_spec) < 0)
        return -1;
#endif
#ifdef __linux__
    if (add_type(module, &folder_events_spec) < 0)
        return -1;
#endif
    if (add_type(module, &piece_table_spec) < 0)
        return -1;
    return add_type(module, &word_memo_spec);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_types}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernels", NULL, 0, functions, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernels(void)
{
    return PyModuleDef_Init(&definition);
}
