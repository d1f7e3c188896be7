/* The extension `cruxe.native._kernels`. */

#include "kernels.h"

static PyMethodDef functions[] = {
    {"trigram_terms", trigram_terms, METH_VARARGS, NULL},
    {"file_vectors", file_vectors, METH_VARARGS, NULL},
    {"nearest_rows", nearest_rows, METH_VARARGS, NULL},
    {"unlike_places", unlike_places, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static int add_types(PyObject *module)
{
    PyObject *word_memo = PyType_FromModuleAndSpec(module, &word_memo_spec, NULL);
    if (word_memo == NULL)
        return -1;
    int added = PyModule_AddType(module, (PyTypeObject *)word_memo);
    Py_DECREF(word_memo);
    return added;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_types}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernels", NULL, 0, functions, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernels(void)
{
    return PyModuleDef_Init(&definition);
}
