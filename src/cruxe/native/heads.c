/* Heads of Python's functions and classes: see parse/languages/python/heads.py. */

#include "prose.h"
#include <string.h>

/* Where a docstring is: nowhere, or somewhere that only the tree can tell. */
enum { NONE = -1, UNTOLD = -2 };

static const char *skip_blanks(const char *place, const char *end)
{
    while (place < end && is_blank(*place))
        place++;
    return place;
}

/* Behind a string on one line that starts here; NULL where it is none of the plain ones. */
static const char *after_short_string(const char *place, const char *end)
{
    char quote = *place++;
    while (place < end && *place != quote) {
        if (*place == '\n' || *place == '\\' || *place == '#')
            return NULL;
        place++;
    }
    /* Two quotes may be the start of three. */
    return place + 1 < end && place[1] != quote ? place + 1 : NULL;
}

/* The colon that ends a head, from behind the name on; NULL where the head is not plain. */
static const char *colon_of(const char *place, const char *end)
{
    int depth = 0;
    while (place != NULL && place < end) {
        switch (*place) {
        case '(': case '[': case '{':
            depth++;
            break;
        case ')': case ']': case '}':
            depth--;
            break;
        case '"': case '\'':
            place = after_short_string(place, end);
            continue;
        case '#': case '\\':
            return NULL;
        case '\n':
            if (depth == 0)
                return NULL;
            break;
        case ':':
            if (depth == 0)
                return place;
        }
        if (depth < 0)
            return NULL;
        place++;
    }
    return NULL;
}

/* The first character of a body that stands on lines of its own; NULL where it may be elsewhere: a
   bracket that is never closed is none of the body. */
static const char *body_of(const char *colon, const char *end)
{
    const char *place = skip_blanks(colon + 1, end);
    if (place == end || *place != '\n')
        return NULL;
    while (place < end && (is_blank(*place) || *place == '\n'))
        place++;
    return place < end && *place > ' ' && strchr("#\\([{", *place) == NULL ? place : NULL;
}

/* Behind the last of three quotes that end what starts with three; NULL where none do. */
static const char *after_long_string(const char *place, const char *end)
{
    char quote = *place;
    for (place += 3; end - place >= 3; place++) {
        if (*place == '\\')
            return NULL;
        if (place[0] == quote && place[1] == quote && place[2] == quote)
            return place + 3;
    }
    return NULL;
}

static int is_quote(char character) { return character == '"' || character == '\''; }

/* Behind the docstring that a body starts with; NULL where only the tree can tell. */
static const char *after_docstring(const char *place, const char *end)
{
    if (strchr("rRuU", *place) != NULL)
        place++;
    if (end - place < 3 || !is_quote(*place))
        return NULL;
    int is_long = place[1] == *place && place[2] == *place;
    place = is_long ? after_long_string(place, end) : after_short_string(place, end);
    const char *rest = place == NULL ? NULL : skip_blanks(place, end);
    return rest != NULL && (rest == end || *rest == '\n') ? place : NULL;
}

/* Whether a body may start with a string; a prefix has up to two letters. */
static int may_document(const char *body, const char *end)
{
    int is_string = 0;
    for (const char *place = body; place < end && place < body + 3; place++)
        is_string |= is_quote(*place);
    return is_string;
}

static PyObject *read_head(const char *text, Part head, const char *name_end, Py_ssize_t most)
{
    const char *colon = colon_of(name_end, head.end);
    const char *body = colon == NULL ? NULL : body_of(colon, head.end);
    if (body == NULL)
        return Py_NewRef(Py_None);
    PyObject *signature = head_of((Part){head.start, colon + 1}, most, 1);
    if (signature == NULL || signature == Py_None)
        return signature;
    if (!may_document(body, head.end))
        return Py_BuildValue("(Nii)", signature, NONE, NONE);
    const char *after = after_docstring(body, head.end);
    if (after == NULL)
        return Py_BuildValue("(Nii)", signature, UNTOLD, UNTOLD);
    return Py_BuildValue("(Nnn)", signature, (Py_ssize_t)(body - text), (Py_ssize_t)(after - text));
}

/* python_head(text, start, name_end, end, most) */
PyObject *python_head(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    char *text;
    Py_ssize_t length, numbers[4];
    (void)module;
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "a head is asked for by five things");
        return NULL;
    }
    if (PyBytes_AsStringAndSize(args[0], &text, &length) < 0)
        return NULL;
    for (int place = 0; place < 4; place++)
        numbers[place] = PyLong_AsSsize_t(args[place + 1]);
    if (PyErr_Occurred())
        return NULL;
    Py_ssize_t start = numbers[0], name_end = numbers[1], end = numbers[2], most = numbers[3];
    if (start < 0 || start >= name_end || name_end > end || end > length || most < 0)
        return Py_NewRef(Py_None);
    return read_head(text, (Part){text + start, text + end}, text + name_end, most);
}
