/* Comments as prose, and heads of definitions on one line: see parse/comment_prose.py, text/heads.py. */

#include "prose.h"
#include <string.h>

/* Whether all white space is blanks, tabs and line feeds, and all else is printed ASCII. */
static int is_plain(Part text)
{
    for (const char *place = text.start; place < text.end; place++)
        if (*place != '\n' && *place != '\t' && (*place < ' ' || *place > '~'))
            return 0;
    return 1;
}

static Part stripped(Part text)
{
    while (text.start < text.end && (is_blank(*text.start) || *text.start == '\n'))
        text.start++;
    while (text.start < text.end && (is_blank(text.end[-1]) || text.end[-1] == '\n'))
        text.end--;
    return text;
}

static int starts_with(Part text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(text.end - text.start) >= length && memcmp(text.start, word, length) == 0;
}

static int ends_with(Part text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(text.end - text.start) >= length &&
           memcmp(text.end - length, word, length) == 0;
}

static const char *skip(const char *place, const char *end, const char *characters)
{
    while (place < end && strchr(characters, *place) != NULL)
        place++;
    return place;
}

/* Where what an opening of `parse/comment_prose.py` matches ends; the start where none does. */
static const char *after_opening(Part line)
{
    Part rest = {skip(line.start, line.end, " \t"), line.end};
    if (starts_with(rest, "/*") || starts_with(rest, "//")) {
        const char *end = skip(rest.start + 2, rest.end, rest.start[1] == '*' ? "*!" : "/!");
        return end < rest.end && *end == '<' ? end + 1 : end;
    }
    if (starts_with(rest, "#")) {
        const char *end = skip(rest.start, rest.end, "#");
        return end < rest.end && *end == '!' ? end + 1 : end;
    }
    if (starts_with(rest, "--")) {
        const char *end = skip(rest.start, rest.end, "-");
        return end < rest.end && *end == '|' ? end + 1 : end;
    }
    if (starts_with(rest, ";"))
        return skip(rest.start, rest.end, ";");
    if (starts_with(rest, "%"))
        return skip(rest.start, rest.end, "%");
    return starts_with(rest, "<!--") ? rest.start + 4 : line.start;
}

static const char *after_continuation(Part line)
{
    Part rest = {skip(line.start, line.end, " \t"), line.end};
    return starts_with(rest, "*") && !starts_with(rest, "*/") ? rest.start + 1 : line.start;
}

static Part without_closing(Part line)
{
    Part rest = line;
    while (rest.end > rest.start && is_blank(rest.end[-1]))
        rest.end--;
    if (ends_with(rest, "-->"))
        return (Part){line.start, rest.end - 3};
    if (!ends_with(rest, "*/"))
        return line;
    rest.end--;
    while (rest.end > rest.start && rest.end[-1] == '*')
        rest.end--;
    return rest;
}

/* What people wrote in a line: no marker, no frame, nothing of a ruled line. */
static Part plain_line(Part line, int is_framed)
{
    Part rest = without_closing(line);
    rest.start = is_framed ? after_continuation(rest) : after_opening(rest);
    if (rest.start < rest.end && *rest.start == ' ')
        rest.start++;
    while (rest.end > rest.start && is_blank(rest.end[-1]))
        rest.end--;
    if (skip(rest.start, rest.end, " \t-=*#~_/") == rest.end)
        rest.end = rest.start;
    return rest;
}

/* The lines of one comment, each with a line feed behind it; what is behind the last. */
static char *write_lines(char *to, Part comment)
{
    int has_lines = memchr(comment.start, '\n', (size_t)(comment.end - comment.start)) != NULL;
    Part words = {skip(comment.start, comment.end, " \t\n"), comment.end};
    int is_framed = has_lines && starts_with(words, "/*") &&
                    memchr(comment.start, '\n', (size_t)(words.start - comment.start)) == NULL;
    const char *start = comment.start;
    do {
        const char *feed = memchr(start, '\n', (size_t)(comment.end - start));
        const char *end = feed == NULL ? comment.end : feed;
        Part line = plain_line((Part){start, end}, is_framed && start != comment.start);
        memcpy(to, line.start, (size_t)(line.end - line.start));
        to += line.end - line.start;
        *to++ = '\n';
        start = feed == NULL ? comment.end : feed + 1;
    } while (start < comment.end);
    return to;
}

/* The text of an entry of a list; whether it is plain, or below zero where it is no text. */
static int read_comment(PyObject *comments, Py_ssize_t place, Part *comment)
{
    Py_ssize_t length;
    PyObject *entry = PyList_GetItem(comments, place);
    comment->start = entry == NULL ? NULL : PyUnicode_AsUTF8AndSize(entry, &length);
    if (comment->start == NULL)
        return -1;
    comment->end = comment->start + length;
    return is_plain(*comment);
}

/* How many bytes the lines may take; zero where a comment is not plain, below zero: an error. */
static Py_ssize_t most_bytes(PyObject *comments)
{
    Py_ssize_t bytes = 1;
    for (Py_ssize_t place = 0; place < PyList_Size(comments); place++) {
        Part comment;
        int can_be_read = read_comment(comments, place, &comment);
        if (can_be_read <= 0)
            return can_be_read;
        bytes += comment.end - comment.start + 1;
    }
    return bytes;
}

/* plain_comments(comments, most) */
PyObject *plain_comments(PyObject *module, PyObject *args)
{
    PyObject *comments;
    Py_ssize_t most;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!n", &PyList_Type, &comments, &most))
        return NULL;
    Py_ssize_t bytes = most_bytes(comments);
    if (bytes <= 0)
        return bytes < 0 ? NULL : Py_NewRef(Py_None);
    char *lines = PyMem_Malloc((size_t)bytes), *end = lines;
    if (lines == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t place = 0; place < PyList_Size(comments); place++) {
        Part comment;
        if (read_comment(comments, place, &comment) > 0)
            end = write_lines(end, comment);
    }
    Part text = stripped((Part){lines, end});
    if (text.end - text.start > most)
        text = stripped((Part){text.start, text.start + (most > 0 ? most : 0)});
    PyObject *told = PyUnicode_FromStringAndSize(text.start, text.end - text.start);
    PyMem_Free(lines);
    return told;
}

/* Each run of white space as one space, or as a line feed where it holds one; none at the ends. No
   start where it is not plain. */
static Part fold(Part text, char *to)
{
    Part folded = {to, to};
    text = stripped(text);
    for (const char *place = text.start; place < text.end; place++) {
        if (*place > ' ' && *place <= '~')
            *to++ = *place;
        else if (!is_blank(*place) && *place != '\n')
            return (Part){NULL, NULL};
        else if (*place == '\n' && to[-1] == ' ')
            to[-1] = '\n';
        else if (to[-1] != ' ' && to[-1] != '\n')
            *to++ = *place == '\n' ? '\n' : ' ';
    }
    folded.end = to;
    return folded;
}

/* Without what only opens a body. */
static Part trim(Part head)
{
    static const char *const endings[] = {"=>", "{", ":", "="};
    for (int place = 0; place < 4; place++)
        if (ends_with(head, endings[place]))
            head = stripped((Part){head.start, head.end - strlen(endings[place])});
    return head;
}

PyObject *head_of(Part text, Py_ssize_t most, int is_trimmed)
{
    char own[2048], *folded = own;
    if (text.end - text.start > (Py_ssize_t)sizeof own)
        folded = PyMem_Malloc((size_t)(text.end - text.start));
    if (folded == NULL)
        return PyErr_NoMemory();
    Part head = fold(text, folded);
    if (head.start != NULL && memchr(folded, '\n', (size_t)(head.end - head.start)) != NULL)
        head.end = join_lines(folded, head.end);
    PyObject *told = head.start == NULL ? Py_NewRef(Py_None) : NULL;
    if (told == NULL) {
        head = is_trimmed ? trim(head) : head;
        Py_ssize_t length = head.end - head.start;
        told = PyUnicode_FromStringAndSize(head.start, length < most ? length : most);
    }
    if (folded != own)
        PyMem_Free(folded);
    return told;
}

static PyObject *read_head(PyObject *const *args, Py_ssize_t count, int is_trimmed)
{
    char *text;
    Py_ssize_t length;
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "a head is asked for by four things");
        return NULL;
    }
    if (PyBytes_AsStringAndSize(args[0], &text, &length) < 0)
        return NULL;
    Py_ssize_t start = PyLong_AsSsize_t(args[1]), end = PyLong_AsSsize_t(args[2]);
    Py_ssize_t most = PyLong_AsSsize_t(args[3]);
    if (PyErr_Occurred())
        return NULL;
    /* As a slice: what is outside of the text is left out. */
    end = end < length ? end : length;
    if (start < 0 || start >= end || most < 0)
        return PyUnicode_FromStringAndSize("", 0);
    return head_of((Part){text + start, text + end}, most, is_trimmed);
}

/* head_between(text, start, end, most) */
PyObject *head_between(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    return read_head(args, count, 1);
}

/* line_between(text, start, end, most) */
PyObject *line_between(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    return read_head(args, count, 0);
}
