/* The extension `cruxe.native._kernels`. */

#include "kernels.h"

static PyMethodDef functions[] = {
    {"has_pair", has_pair, METH_VARARGS, NULL},
    {"trigram_terms", trigram_terms, METH_VARARGS, NULL},
    {"file_vectors", file_vectors, METH_VARARGS, NULL},
    {"directed", directed, METH_VARARGS, NULL},
    {"nearest_files", nearest_files, METH_VARARGS, NULL},
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
