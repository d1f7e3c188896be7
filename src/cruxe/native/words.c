/* A memo of what words are turned into, asked for all words of a text: see text/word_memo.py. */

#include "words.h"
#include "written.h"

/* What a name or a part of one may have at most, whatever a rule says. */
#define MOST_NAME_BYTES 256

/* The table that names are split by: see `part_table` in text/word_memo.py. A class for each byte,
 * then for each state and class a step: the next state, and whether a part ends before this byte or
 * before the last one. State zero is outside of all parts, class zero belongs to none. */
enum { OTHER, CAPITAL, SMALL, DIGIT, CLASSES };
enum { BYTES = 256, STATES = 5, STATE_BITS = 7, ENDS = 8, ENDS_BEFORE_LAST = 16 };

typedef struct WordMemo {
    PyObject_HEAD
    PyObject *make; /* turns the bytes of a word into those of its value */
    char separator; /* between two values; none where it is NUL */
    Py_ssize_t most_words;
    Memo known;
    /* How names are split; without `parts` they are not. */
    struct WordMemo *parts;
    PyObject *whole; /* what a name of several parts is turned into as a whole; NULL: not wanted */
    Py_ssize_t most_name_bytes, most_part_bytes, most_digits;
    int is_ascii; /* whether words with other letters are no names */
    unsigned char classes[BYTES], steps[STATES][CLASSES];
} WordMemo;

/* Append a value of a memo, which is copied together with what is behind it: most are short. */
static inline int append_known(Written *written, Text value)
{
    if (make_room(written, value.length + MARGIN) < 0)
        return -1;
    memcpy(written->start + written->used, value.bytes, MARGIN);
    if (value.length > MARGIN)
        memcpy(written->start + written->used, value.bytes, value.length);
    written->used += value.length;
    return 0;
}

static inline int append_separator(const WordMemo *memo, Written *written)
{
    return write_bytes(written, &memo->separator, memo->separator != 0);
}

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

static int class_of(const WordMemo *memo, char byte)
{
    return memo->classes[(unsigned char)byte];
}

/* The next part at or after `*next`, which is moved behind it; one without length is none. */
static Text next_part(const WordMemo *memo, const char **next, const char *end)
{
    const char *start = end, *place = *next;
    int state = 0;
    for (; place < end; place++) {
        int step = memo->steps[state][class_of(memo, *place)];
        if (step & (ENDS | ENDS_BEFORE_LAST)) {
            place -= (step & ENDS_BEFORE_LAST) != 0;
            break;
        }
        if (state == 0 && (step & STATE_BITS) != 0)
            start = place;
        state = step & STATE_BITS;
    }
    *next = place;
    return (Text){start, start < place ? (size_t)(place - start) : 0};
}

/* How much of a part counts. */
static size_t cut_length(const WordMemo *memo, Text part, const char *name)
{
    int before = part.bytes == name ? OTHER : class_of(memo, part.bytes[-1]);
    int is_number = class_of(memo, *part.bytes) == DIGIT && before != CAPITAL && before != SMALL;
    size_t most = (size_t)(is_number ? memo->most_digits : memo->most_part_bytes);
    return part.length < most ? part.length : most;
}

static char lower(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
}

static int append_value(WordMemo *memo, Written *written, const Word *word);

static int append_parts(const WordMemo *memo, Written *written, Text name)
{
    char lowered[MOST_NAME_BYTES];
    const char *next = name.bytes, *end = name.bytes + name.length;
    int is_first = 1;
    for (Text part = next_part(memo, &next, end); part.length > 0;
         part = next_part(memo, &next, end)) {
        Text cut = {lowered, cut_length(memo, part, name.bytes)};
        for (size_t place = 0; place < cut.length; place++)
            lowered[place] = lower(part.bytes[place]);
        Word word = memo_word(cut);
        if ((!is_first && append_separator(memo->parts, written) < 0) ||
            append_value(memo->parts, written, &word) < 0)
            return -1;
        is_first = 0;
    }
    return 0;
}

/* Append what a name of several parts is turned into as a whole. */
static int append_whole(const WordMemo *memo, Written *written, Text name)
{
    const char *next = name.bytes, *end = name.bytes + name.length;
    next_part(memo, &next, end);
    if (next_part(memo, &next, end).length == 0)
        return 0;
    if (append_asked(memo->whole, written, name) < 0)
        return -1;
    return append_separator(memo, written);
}

static int append_name(const WordMemo *memo, Written *written, Text name)
{
    if (memo->whole != NULL && append_whole(memo, written, name) < 0)
        return -1;
    return append_parts(memo, written, name);
}

static int append_new(WordMemo *memo, Written *written, const Word *word)
{
    size_t start = written->used;
    int appended = is_name(memo, word->text) ? append_name(memo, written, word->text)
                                             : append_asked(memo->make, written, word->text);
    if (appended < 0)
        return -1;
    if ((Py_ssize_t)memo->known.word_count >= memo->most_words)
        memo_forget(&memo->known);
    memo_keep(&memo->known, word, (Text){written->start + start, written->used - start});
    return 0;
}

static int append_value(WordMemo *memo, Written *written, const Word *word)
{
    Text value;
    return memo_find(&memo->known, word, &value) ? append_known(written, value)
                                                 : append_new(memo, written, word);
}

static int append_words(
    WordMemo *memo, Written *written, const char *next, const char *end, Py_ssize_t most)
{
    Word words[HANDFUL];
    size_t count;
    int is_first = 1;
    for (; (count = words_read(&next, end, most, words)) > 0; most -= (Py_ssize_t)count) {
        words_expect(&memo->known, words, count);
        for (size_t number = 0; number < count; number++, is_first = 0)
            if ((!is_first && append_separator(memo, written) < 0) ||
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

/* Take in a table, unless it has a part end where none has begun. */
static int read_table(WordMemo *memo, const Py_buffer *table)
{
    const unsigned char *bytes = table->buf;
    if (table->len != BYTES + STATES * CLASSES)
        return refuse("no table that names are split by");
    memcpy(memo->classes, bytes, BYTES);
    memcpy(memo->steps, bytes + BYTES, sizeof memo->steps);
    int is_sound = 1;
    for (int byte = 0; byte < BYTES; byte++)
        is_sound &= memo->classes[byte] < CLASSES;
    for (int state = 0; state < STATES; state++)
        for (int class = 0; class < CLASSES; class++)
            is_sound &= (memo->steps[state][class] & STATE_BITS) < STATES &&
                        (state > 0 || memo->steps[state][class] < STATES);
    return is_sound ? 0 : refuse("no table that names are split by");
}

/* names: (parts, whole, most_bytes, most_part_bytes, most_digits, is_ascii, table), or None. */
static int read_rule(WordMemo *memo, PyObject *names)
{
    PyObject *parts, *whole;
    Py_ssize_t most_bytes, most_part_bytes, most_digits;
    Py_buffer table;
    if (names == Py_None)
        return 0;
    if (!PyArg_ParseTuple(names, "O!Onnnpy*", Py_TYPE((PyObject *)memo), &parts, &whole,
                          &most_bytes, &most_part_bytes, &most_digits, &memo->is_ascii, &table))
        return -1;
    int is_read = read_table(memo, &table);
    PyBuffer_Release(&table);
    if (is_read < 0)
        return -1;
    memo->most_name_bytes = within_name(most_bytes);
    memo->most_part_bytes = within_name(most_part_bytes);
    memo->most_digits = within_name(most_digits);
    memo->parts = (WordMemo *)Py_NewRef(parts);
    memo->whole = whole == Py_None ? NULL : Py_NewRef(whole);
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
