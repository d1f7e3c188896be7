/* A memo of what words are turned into, asked for all words of a text: see text/word_memo.py. */

#include "words.h"

/* What a name or a part of one may have at most, whatever a rule says. */
#define MOST_NAME_BYTES 256

/* Append what Python makes of a word; other threads may use the memo meanwhile. */
static int append_asked(PyObject *make, Written *written, Text word)
{
    PyObject *asked = PyBytes_FromStringAndSize(word.bytes, (Py_ssize_t)word.length);
    PyObject *value = asked == NULL ? NULL : PyObject_CallFunctionObjArgs(make, asked, NULL);
    char *bytes;
    Py_ssize_t size;
    Py_XDECREF(asked);
    if (value == NULL)
        return -1;
    int failed = PyBytes_AsStringAndSize(value, &bytes, &size) < 0 ||
                 write_bytes(written, bytes, (size_t)size) < 0;
    Py_DECREF(value);
    return failed ? -1 : 0;
}

static int is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }
static int is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
static int is_digit(char letter) { return letter >= '0' && letter <= '9'; }
static char lower(char letter) { return (char)(is_upper(letter) ? letter + ('a' - 'A') : letter); }

/* Whether a word is one that is taken apart here. */
static int is_name(const WordMemo *memo, Text word)
{
    if (memo->parts == NULL || word.length > (size_t)memo->most_name_bytes)
        return 0;
    for (size_t place = 0; place < word.length && memo->is_ascii; place++)
        if ((unsigned char)word.bytes[place] > 127)
            return 0;
    return 1;
}

/* Where the part that starts at `next` ends: `HTTPServer2` is HTTP, Server and 2. */
static const char *end_of_part(const char *next, const char *end)
{
    const char *start = next;
    if (is_digit(*next)) {
        while (next < end && is_digit(*next))
            next++;
        return next;
    }
    while (next < end && is_upper(*next))
        next++;
    if (next == end || !is_lower(*next))
        return next;
    if (next - start > 1)
        return next - 1; /* the last capital begins the next part */
    while (next < end && is_lower(*next))
        next++;
    return next;
}

/* The next part at or after `*next`, which is moved behind it; one without length is none. */
static Text next_part(const char **next, const char *end)
{
    const char *start = *next;
    while (start < end && !is_upper(*start) && !is_lower(*start) && !is_digit(*start))
        start++;
    *next = start < end ? end_of_part(start, end) : end;
    return (Text){start, (size_t)(*next - start)};
}

/* How much of a part counts. */
static size_t cut_length(const WordMemo *memo, Text part, const char *name)
{
    int is_number = is_digit(*part.bytes) &&
                    (part.bytes == name || (!is_upper(part.bytes[-1]) && !is_lower(part.bytes[-1])));
    size_t most = (size_t)(is_number ? memo->most_digits : memo->most_part_bytes);
    return part.length < most ? part.length : most;
}

static int append_value(WordMemo *memo, Written *written, const Word *word);

static int append_parts(const WordMemo *memo, Written *written, Text name)
{
    char lowered[MOST_NAME_BYTES];
    const char *next = name.bytes, *end = name.bytes + name.length;
    int is_first = 1;
    for (Text part = next_part(&next, end); part.length > 0; part = next_part(&next, end)) {
        Text cut = {lowered, cut_length(memo, part, name.bytes)};
        for (size_t place = 0; place < cut.length; place++)
            lowered[place] = lower(part.bytes[place]);
        Word word = memo_word(cut);
        if ((!is_first && words_append_separator(memo->parts, written) < 0) ||
            append_value(memo->parts, written, &word) < 0)
            return -1;
        is_first = 0;
    }
    return 0;
}

/* Append what a name of several parts is turned into as a whole, its underscores left out. */
static int append_whole(const WordMemo *memo, Written *written, Text name)
{
    const char *next = name.bytes, *end = name.bytes + name.length;
    next_part(&next, end);
    if (next_part(&next, end).length == 0)
        return 0;
    char whole[MOST_NAME_BYTES];
    size_t length = 0;
    for (size_t place = 0; place < name.length; place++)
        if (name.bytes[place] != '_')
            whole[length++] = lower(name.bytes[place]);
    if (append_asked(memo->whole, written, (Text){whole, length}) < 0)
        return -1;
    return words_append_separator(memo, written);
}

static int append_name(const WordMemo *memo, Written *written, Text name)
{
    if (memo->whole != NULL && append_whole(memo, written, name) < 0)
        return -1;
    return append_parts(memo, written, name);
}

int words_append_made(const WordMemo *memo, Written *written, Text word)
{
    return is_name(memo, word) ? append_name(memo, written, word)
                               : append_asked(memo->make, written, word);
}

static int append_new(WordMemo *memo, Written *written, const Word *word)
{
    size_t start = written->used;
    if (words_append_made(memo, written, word->text) < 0)
        return -1;
    if ((Py_ssize_t)memo->known.word_count >= memo->most_words)
        memo_forget(&memo->known);
    memo_keep(&memo->known, word, (Text){written->start + start, written->used - start});
    return 0;
}

static int append_value(WordMemo *memo, Written *written, const Word *word)
{
    Text value;
    if (memo->paired != NULL && memo_find(memo->paired, word, &value))
        return words_append_value(written, first_of_pair(value));
    return memo_find(&memo->known, word, &value) ? words_append_value(written, value)
                                                 : append_new(memo, written, word);
}

static int append_words(
    WordMemo *memo, Written *written, const char *next, const char *end, Py_ssize_t most)
{
    Word words[HANDFUL];
    size_t count;
    int is_first = 1;
    for (; (count = words_read(&next, end, most, words)) > 0; most -= (Py_ssize_t)count) {
        words_expect(memo->paired != NULL ? memo->paired : &memo->known, words, count);
        for (size_t number = 0; number < count; number++, is_first = 0)
            if ((!is_first && words_append_separator(memo, written) < 0) ||
                append_value(memo, written, words + number) < 0)
                return -1;
    }
    return 0;
}

/* join(text, start, end, most): what the first words there are turned into. */
static PyObject *join(WordMemo *memo, PyObject *args)
{
    Py_buffer text;
    Py_ssize_t start, end, most;
    if (!PyArg_ParseTuple(args, "y*nnn", &text, &start, &end, &most))
        return NULL;
    end = end < text.len ? end : text.len;
    start = start < 0 ? 0 : start > end ? end : start;
    Written written = {NULL, 0, 0};
    const char *bytes = text.buf;
    PyObject *joined = NULL;
    if (start >= end || append_words(memo, &written, bytes + start, bytes + end, most) == 0)
        joined = written_bytes(&written);
    free_written(&written);
    PyBuffer_Release(&text);
    return joined;
}

static int append_line(
    WordMemo *memo, Written *written, const char *start, const char *end, PyObject *lines)
{
    written->used = 0;
    if (append_words(memo, written, start, end, end - start) < 0)
        return -1;
    return tell_written(written, lines);
}

/* join_lines(text): what the words of each line are turned into. */
static PyObject *join_lines(WordMemo *memo, PyObject *args)
{
    Py_buffer text;
    if (!PyArg_ParseTuple(args, "y*", &text))
        return NULL;
    Written written = {NULL, 0, 0};
    PyObject *lines = PyList_New(0);
    const char *start = text.buf, *last = start + text.len;
    int is_done = lines == NULL;
    while (!is_done) {
        const char *end = start < last ? memchr(start, '\n', (size_t)(last - start)) : NULL;
        is_done = end == NULL;
        if (append_line(memo, &written, start, is_done ? last : end, lines) < 0) {
            Py_CLEAR(lines);
            is_done = 1;
        }
        start = is_done ? last : end + 1;
    }
    free_written(&written);
    PyBuffer_Release(&text);
    return lines;
}

static Py_ssize_t within_name(Py_ssize_t bytes)
{
    return bytes < 1 ? 1 : bytes > MOST_NAME_BYTES ? MOST_NAME_BYTES : bytes;
}

/* names: (parts, whole, most_bytes, most_part_bytes, most_digits, is_ascii), or None. */
static int read_rule(WordMemo *memo, PyObject *names)
{
    PyObject *parts, *whole;
    Py_ssize_t most_bytes, most_part_bytes, most_digits;
    if (names == Py_None)
        return 0;
    if (!PyArg_ParseTuple(names, "O!Onnnp", Py_TYPE((PyObject *)memo), &parts, &whole, &most_bytes,
                          &most_part_bytes, &most_digits, &memo->is_ascii))
        return -1;
    memo->most_name_bytes = within_name(most_bytes);
    memo->most_part_bytes = within_name(most_part_bytes);
    memo->most_digits = within_name(most_digits);
    Py_INCREF(parts);
    memo->parts = (WordMemo *)parts;
    if (whole != Py_None) {
        Py_INCREF(whole);
        memo->whole = whole;
    }
    return 0;
}

static PyObject *new_memo(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *make, *names;
    Py_buffer separator;
    Py_ssize_t most_words;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "Oy*nO", &make, &separator, &most_words, &names))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    WordMemo *memo = (WordMemo *)allocate(type, 0); /* all zero */
    if (memo != NULL) {
        Py_INCREF(make);
        memo->make = make;
        memo->separator = (char)(separator.len ? *(const char *)separator.buf : 0);
        memo->most_words = most_words;
        if (read_rule(memo, names) < 0)
            Py_CLEAR(memo);
    }
    PyBuffer_Release(&separator);
    return (PyObject *)memo;
}

static int traverse(WordMemo *memo, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)memo));
    Py_VISIT(memo->make);
    Py_VISIT(memo->parts);
    Py_VISIT(memo->whole);
    return 0;
}

static int clear(WordMemo *memo)
{
    Py_CLEAR(memo->make);
    Py_CLEAR(memo->parts);
    Py_CLEAR(memo->whole);
    return 0;
}

static void deallocate(WordMemo *memo)
{
    PyTypeObject *type = Py_TYPE((PyObject *)memo);
    PyObject_GC_UnTrack(memo);
    clear(memo);
    memo_forget(&memo->known);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(memo);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"join", (PyCFunction)join, METH_VARARGS, NULL},
    {"join_lines", (PyCFunction)join_lines, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot memo_slots[] = {
    {Py_tp_new, new_memo},     {Py_tp_dealloc, deallocate}, {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},      {Py_tp_methods, methods},    {0, NULL},
};

PyType_Spec word_memo_spec = {
    "cruxe.native._kernels.WordMemo", sizeof(WordMemo), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, memo_slots,
};
