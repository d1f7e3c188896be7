/* Instances of classes of tuples whose places have names: see model/named.py.
 *
 * Not used from Python 3.14 on, where a tuple holds its hash, too, which is not set here.
 */

#include "kernels.h"

/* The names of the attributes by which a class tells its fields and their defaults. They stay for as
 * long as the process does. */
static PyObject *fields_name, *defaults_name;

static int has_names(void)
{
    if (fields_name == NULL)
        fields_name = PyUnicode_InternFromString("_fields");
    if (defaults_name == NULL)
        defaults_name = PyUnicode_InternFromString("_field_defaults");
    return fields_name != NULL && defaults_name != NULL;
}

/* What a mapping holds under a name, borrowed; NULL where it holds nothing, or is none. */
static PyObject *value_under(PyObject *mapping, PyObject *name)
{
    return mapping != NULL && PyDict_Check(mapping) ? PyDict_GetItemWithError(mapping, name) : NULL;
}

/* Fill the fields behind those given by place: how many of the named values were used, or -1 where
 * a field has neither a value nor a default. */
static Py_ssize_t fill_rest(PyObject *made, PyObject *fields, Py_ssize_t given, PyObject *named,
                            PyObject *defaults)
{
    Py_ssize_t used = 0, count = PyTuple_Size(fields);
    for (Py_ssize_t i = given; i < count; i++) {
        PyObject *name = PyTuple_GetItem(fields, i), *value = value_under(named, name);
        used += value != NULL;
        if (value == NULL)
            value = value_under(defaults, name);
        if (value == NULL)
            return -1;
        Py_INCREF(value);
        PyTuple_SetItem(made, i, value);
    }
    return used;
}

/* An instance of a class with such fields; NULL, perhaps without an error, where values do not fit. */
static PyObject *make(PyTypeObject *type, PyObject *fields, PyObject *values, PyObject *named)
{
    Py_ssize_t count = PyTuple_Size(fields), given = PyTuple_Size(values), used = 0;
    if (given > count)
        return NULL;
    PyObject *made = PyType_GenericAlloc(type, count);
    for (Py_ssize_t i = 0; i < given && made != NULL; i++) {
        PyObject *value = PyTuple_GetItem(values, i);
        Py_INCREF(value);
        PyTuple_SetItem(made, i, value);
    }
    if (given < count && made != NULL) {
        PyObject *defaults = PyObject_GetAttr((PyObject *)type, defaults_name);
        used = fill_rest(made, fields, given, named, defaults);
        Py_XDECREF(defaults);
    }
    if (made != NULL && (PyErr_Occurred() || used != (named == NULL ? 0 : PyDict_Size(named))))
        Py_CLEAR(made);
    return made;
}

/* What calling a class does: an instance of values by place and by name. Where they do not fit, the
 * class's own constructor says what is wrong. */
static PyObject *call_class(PyObject *type, PyObject *values, PyObject *named)
{
    PyObject *fields = has_names() ? PyObject_GetAttr(type, fields_name) : NULL, *made = NULL;
    if (fields == NULL)
        return NULL;
    if (PyTuple_Check(fields) && PyType_GetFlags((PyTypeObject *)type) & Py_TPFLAGS_TUPLE_SUBCLASS)
        made = make((PyTypeObject *)type, fields, values, named);
    Py_DECREF(fields);
    if (made == NULL && !PyErr_Occurred()) {
        ternaryfunc call = (ternaryfunc)PyType_GetSlot(&PyType_Type, Py_tp_call);
        made = call(type, values, named);
    }
    return made;
}

static PyType_Slot slots[] = {{Py_tp_call, call_class}, {0, NULL}};

PyType_Spec class_of_fields_spec = {
    .name = "cruxe.native._kernels.ClassOfFields",
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = slots,
};
