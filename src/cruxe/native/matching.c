/* The places of a literal in a text, and the lines around places: see text/literal_search.py, text/lines.py. */

#include "kernels.h"
#include "written.h"
#include <string.h>

typedef struct {
    const char *start, *stop; /* without the line feed */
} Line;

static Line line_around(const char *text, const char *at, const char *end)
{
    Line line = {at, at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL};
    while (line.start > text && line.start[-1] != '\n')
        line.start--;
    if (line.stop == NULL)
        line.stop = end;
    return line;
}

static Py_ssize_t count_line_feeds(const char *start, const char *end)
{
    Py_ssize_t count = 0;
    while (start < end) {
        /* Sums of a byte are made many at a time. */
        const char *stop = end - start > UINT8_MAX ? start + UINT8_MAX : end;
        uint8_t few = 0;
        for (; start < stop; start++)
            few = (uint8_t)(few + (*start == '\n'));
        count += few;
    }
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

static int append_number(PyObject *list, Py_ssize_t number)
{
    PyObject *made = PyLong_FromSsize_t(number);
    int appended = made == NULL ? -1 : PyList_Append(list, made);
    Py_XDECREF(made);
    return appended;
}

static int write_line(Written *written, Line line)
{
    if (make_room(written, (size_t)(line.stop - line.start) + 1) < 0)
        return -1;
    put_bytes(written, line.start, (size_t)(line.stop - line.start));
    put_byte(written, '\n');
    return 0;
}

/* An offset that is not before `least`, or -1 with an error. */
static Py_ssize_t place_at(PyObject *places, Py_ssize_t index, Py_ssize_t least, Py_ssize_t length)
{
    PyObject *given = PyList_GetItem(places, index);
    Py_ssize_t place = given == NULL ? -1 : PyLong_AsSsize_t(given);
    if (place == -1 && PyErr_Occurred())
        return -1;
    if (place < least || place > length)
        return refuse("offsets must ascend within the text");
    return place;
}

typedef struct {
    PyObject *numbers, *columns; /* lists */
    Written lines;
} Described;

static int describe(Described *described, const char *text, Py_ssize_t length, PyObject *places)
{
    Py_ssize_t number = 1, place = 0;
    for (Py_ssize_t i = 0; i < PyList_Size(places); i++) {
        Py_ssize_t counted = place;
        if ((place = place_at(places, i, counted, length)) < 0)
            return -1;
        number += count_line_feeds(text + counted, text + place);
        Line line = line_around(text, text + place, text + length);
        if (append_number(described->numbers, number) < 0 ||
            append_number(described->columns, count_characters(line.start, text + place) + 1) < 0 ||
            write_line(&described->lines, line) < 0)
            return -1;
    }
    return 0;
}

PyObject *lines_at(PyObject *module, PyObject *args)
{
    const char *text;
    Py_ssize_t length;
    PyObject *places, *found = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y#O!", &text, &length, &PyList_Type, &places))
        return NULL;
    Described described = {PyList_New(0), PyList_New(0), {0}};
    if (described.numbers != NULL && described.columns != NULL &&
        describe(&described, text, length, places) == 0)
        found = Py_BuildValue("(OON)", described.numbers, described.columns,
                              written_bytes(&described.lines));
    free_written(&described.lines);
    Py_XDECREF(described.numbers);
    Py_XDECREF(described.columns);
    return found;
}

typedef struct {
    const char *bytes;
    Py_ssize_t length, rarest; /* the offset of a byte that texts seldom have */
} Needle;

/* Where a needle begins first, or NULL. */
static const char *find_needle(const char *at, const char *end, const Needle *needle)
{
    for (; end - at >= needle->length; at++) {
        size_t starts = (size_t)(end - at - needle->length) + 1;
        const char *rare = memchr(at + needle->rarest, needle->bytes[needle->rarest], starts);
        if (rare == NULL)
            return NULL;
        at = rare - needle->rarest;
        if (memcmp(at, needle->bytes, (size_t)needle->length) == 0)
            return at;
    }
    return NULL;
}

static int append_places(PyObject *places, const char *text, const char *end, const Needle *needle)
{
    const char *at = text;
    while ((at = find_needle(at, end, needle)) != NULL) {
        if (append_number(places, at - text) < 0)
            return -1;
        if ((at = memchr(at, '\n', (size_t)(end - at))) == NULL)
            return 0;
        at++;
    }
    return 0;
}

/* The text with its ASCII letters in lower case; NULL with an error where there is no memory. */
static char *folded_copy(const char *text, Py_ssize_t length)
{
    char *copy = PyMem_Malloc((size_t)length + 1);
    if (copy == NULL)
        return (char *)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        copy[i] = (char)(byte + (((unsigned char)(byte - 'A') < 26) << 5));
    }
    return copy;
}

PyObject *literal_places(PyObject *module, PyObject *args)
{
    const char *text;
    Py_ssize_t length;
    Needle needle;
    int is_folded;
    (void)module;
    if (!PyArg_ParseTuple(args, "y#y#np", &text, &length, &needle.bytes, &needle.length,
                          &needle.rarest, &is_folded))
        return NULL;
    if (needle.rarest < 0 || needle.rarest >= needle.length) {
        refuse("the rarest byte is one of the literal");
        return NULL;
    }
    char *folded = is_folded ? folded_copy(text, length) : NULL;
    if (is_folded && folded == NULL)
        return NULL;
    const char *searched = is_folded ? folded : text;
    PyObject *places = PyList_New(0);
    if (places != NULL && append_places(places, searched, searched + length, &needle) < 0)
        Py_CLEAR(places);
    PyMem_Free(folded);
    return places;
}
