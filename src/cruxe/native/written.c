/* Bytes written one behind the other: see written.h. */

#include "written.h"

enum { MOST_ESCAPED = 6, FIRST_ROOM = 64 /* for most words and their values */ };

int grow_room(Written *written, size_t more)
{
    size_t room = 2 * (written->used + more) + FIRST_ROOM;
    char *start = PyMem_Realloc(written->start, room);
    if (start == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    written->start = start;
    written->room = room;
    return 0;
}

void put_number(Written *written, int64_t number)
{
    char digits[MOST_DIGITS], *first = digits + MOST_DIGITS;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--first = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0)
        *--first = '-';
    put_bytes(written, first, (size_t)(digits + MOST_DIGITS - first));
}

int write_plain_json(Written *written, const char *text, size_t length)
{
    for (size_t place = 0; place < length; place++)
        if (text[place] < ' ' || text[place] > '~' || text[place] == '"' || text[place] == '\\')
            return 0;
    if (make_room(written, length + 2) < 0)
        return -1;
    put_byte(written, '"');
    put_bytes(written, text, length);
    put_byte(written, '"');
    return 1;
}

/* A character as JSON has it; of several bytes each stands for itself. */
static void put_escaped(Written *written, char byte)
{
    static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    static const char digits[] = "0123456789abcdef";
    const char *found = byte == '\0' ? NULL : strchr(named, byte);
    if (found != NULL) {
        put_byte(written, '\\');
        put_byte(written, names[found - named]);
    } else if ((unsigned char)byte < ' ') {
        put_bytes(written, "\\u00", 4);
        put_byte(written, digits[byte >> 4]);
        put_byte(written, digits[byte & 15]);
    } else
        put_byte(written, byte);
}

int write_json(Written *written, PyObject *text)
{
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    int is_plain = bytes == NULL ? -1 : write_plain_json(written, bytes, (size_t)length);
    if (is_plain != 0)
        return is_plain < 0 ? -1 : 0;
    if (make_room(written, MOST_ESCAPED * (size_t)length + 2) < 0)
        return -1;
    put_byte(written, '"');
    for (Py_ssize_t place = 0; place < length; place++)
        put_escaped(written, bytes[place]);
    put_byte(written, '"');
    return 0;
}

PyObject *written_bytes(const Written *written)
{
    return PyBytes_FromStringAndSize(written->start, (Py_ssize_t)written->used);
}

int tell_written(const Written *written, PyObject *list)
{
    PyObject *bytes = written_bytes(written);
    int added = bytes == NULL ? -1 : PyList_Append(list, bytes);
    Py_XDECREF(bytes);
    return added;
}

void free_written(Written *written)
{
    PyMem_Free(written->start);
    *written = (Written){NULL, 0, 0};
}

PyObject *take_written(Written *written)
{
    PyObject *bytes = PyErr_Occurred() ? NULL : written_bytes(written);
    free_written(written);
    return bytes;
}
