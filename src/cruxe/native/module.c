/* The extension `cruxe.native._kernels`. */

#include "kernels.h"

/* One that gets its arguments in an array. */
#define FAST(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL}

static PyMethodDef functions[] = {
    {"has_pair", has_pair, METH_VARARGS, NULL},
    {"sort_matches", sort_matches, METH_VARARGS, NULL},
    {"place_sites", place_sites, METH_VARARGS, NULL},
    {"pack_symbols", pack_symbols, METH_VARARGS, NULL},
    {"capital_words", capital_words, METH_O, NULL},
    FAST(words_in),
    FAST(count_each),
    {"stemmer_after", stemmer_after, METH_O, NULL},
    {"cut_chunks", cut_chunks, METH_VARARGS, NULL},
    {"chunk_documents", chunk_documents, METH_VARARGS, NULL},
    {"line_starts", line_starts, METH_O, NULL},
    {"plain_comments", plain_comments, METH_VARARGS, NULL},
    FAST(head_between),
    FAST(line_between),
    FAST(python_head),
    {"packed_trigrams", packed_trigrams, METH_VARARGS, NULL},
    {"invert_sets", invert_sets, METH_VARARGS, NULL},
    {"file_vectors", file_vectors, METH_VARARGS, NULL},
    {"directed", directed, METH_VARARGS, NULL},
    {"nearest_files", nearest_files, METH_VARARGS, NULL},
    {"rows_by_version", rows_by_version, METH_VARARGS, NULL},
    {"weighted_sums", weighted_sums, METH_VARARGS, NULL},
    {"exact_points", exact_points, METH_VARARGS, NULL},
    {"chunk_scores", chunk_scores, METH_O, NULL},
    {"falling_places", falling_places, METH_VARARGS, NULL},
    {"ascii_fingerprint", ascii_fingerprint, METH_O, NULL},
#ifndef _WIN32
    FAST(stamps_at),
#endif
    {NULL, NULL, 0, NULL},
};

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject *base)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, (PyObject *)base);
    if (type == NULL)
        return -1;
    int added = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return added;
}

static int add_types(PyObject *module)
{
#ifndef _WIN32
    if (add_type(module, &stamp_look_spec, NULL) < 0)
        return -1;
#endif
#ifdef __linux__
    if (add_type(module, &folder_events_spec, NULL) < 0)
        return -1;
#endif
    if (add_type(module, &class_of_fields_spec, &PyType_Type) < 0 ||
        add_type(module, &piece_table_spec, NULL) < 0)
        return -1;
    if (add_type(module, &word_memo_spec, NULL) < 0)
        return -1;
    return add_type(module, &word_pairs_spec, NULL);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, add_types}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernels", NULL, 0, functions, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernels(void)
{
    return PyModuleDef_Init(&definition);
}
