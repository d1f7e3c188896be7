/* Words looked up once for the values of two memos: see text/word_memo.py. */

#include "words.h"

typedef struct {
    PyObject_HEAD
    WordMemo *first, *second;
    Py_ssize_t most_words;
    Memo known; /* of both values: the length of the first, the first, the second */
} WordPairs;

typedef struct {
    Written first, second;
    Py_ssize_t count, most; /* of words; those beyond `most` have no second value */
} Joined;

/* Append both values, each behind the separator of its memo. */
static int append_pair(const WordPairs *pairs, Joined *joined, Text first, Text second)
{
    if ((joined->count > 0 && words_append_separator(pairs->first, &joined->first) < 0) ||
        words_append_value(&joined->first, first) < 0)
        return -1;
    if (joined->count++ >= joined->most)
        return 0;
    if (joined->count > 1 && words_append_separator(pairs->second, &joined->second) < 0)
        return -1;
    return words_append_value(&joined->second, second);
}

/* Write both values of a new word, as an entry has them; the length of the first, or -1. */
static Py_ssize_t make_values(const WordPairs *pairs, Text word, Written *values)
{
    FirstLength length = 0;
    if (write_bytes(values, (const char *)&length, sizeof length) < 0 ||
        words_append_made(pairs->first, values, word) < 0)
        return -1;
    size_t first_length = values->used - sizeof length;
    length = (FirstLength)first_length;
    memcpy(values->start, &length, sizeof length);
    return words_append_made(pairs->second, values, word) < 0 ? -1 : (Py_ssize_t)first_length;
}

static int append_new(WordPairs *pairs, Joined *joined, const Word *word)
{
    Written values = {NULL, 0, 0};
    Py_ssize_t length = make_values(pairs, word->text, &values);
    int failed = length < 0 || make_room(&values, MARGIN) < 0;
    if (!failed) {
        Text first = {values.start + sizeof(FirstLength), (size_t)length};
        Text second = {first.bytes + length, values.used - sizeof(FirstLength) - first.length};
        failed = append_pair(pairs, joined, first, second) < 0;
        if ((Py_ssize_t)pairs->known.word_count >= pairs->most_words)
            memo_forget(&pairs->known);
        if (length <= UINT16_MAX)
            memo_keep(&pairs->known, word, (Text){values.start, values.used});
    }
    free_written(&values);
    return failed ? -1 : 0;
}

static int append_word(WordPairs *pairs, Joined *joined, const Word *word)
{
    Text value;
    if (!memo_find(&pairs->known, word, &value))
        return append_new(pairs, joined, word);
    Text first = first_of_pair(value);
    size_t before = sizeof(FirstLength) + first.length;
    return append_pair(pairs, joined, first, (Text){value.bytes + before, value.length - before});
}

static int append_words(WordPairs *pairs, Joined *joined, const char *next, const char *end)
{
    Word words[HANDFUL];
    size_t count;
    while ((count = words_read(&next, end, HANDFUL, words)) > 0) {
        words_expect(&pairs->known, words, count);
        for (size_t number = 0; number < count; number++)
            if (append_word(pairs, joined, words + number) < 0)
                return -1;
    }
    return 0;
}

/* Read a span, a pair of offsets: 0, or -1 with an error set. Nothing but whole numbers is asked
 * for its value: what else can be one may run Python, which may let go of the span. */
static int read_span(PyObject *span, Py_ssize_t *start, Py_ssize_t *end)
{
    if (!PyTuple_Check(span) || PyTuple_Size(span) != 2) {
        PyErr_SetString(PyExc_TypeError, "a span is a pair of offsets");
        return -1;
    }
    *start = PyLong_AsSsize_t(PyTuple_GetItem(span, 0));
    if (*start == -1 && PyErr_Occurred())
        return -1;
    *end = PyLong_AsSsize_t(PyTuple_GetItem(span, 1));
    return *end == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Append the values of the words of one span to two lists. */
static int append_span(
    WordPairs *pairs, Joined *joined, const Py_buffer *text, PyObject *span, PyObject *lists[2])
{
    Py_ssize_t start, end;
    if (read_span(span, &start, &end) < 0)
        return -1;
    end = end < text->len ? end : text->len;
    start = start < 0 ? 0 : start > end ? end : start;
    const char *bytes = text->buf;
    joined->count = 0;
    joined->first.used = joined->second.used = 0;
    if (start < end && append_words(pairs, joined, bytes + start, bytes + end) < 0)
        return -1;
    if (tell_written(&joined->first, lists[0]) < 0)
        return -1;
    return tell_written(&joined->second, lists[1]);
}

/* join_each(text, spans, most): what all words of each are turned into, and the first of them. */
static PyObject *join_each(WordPairs *pairs, PyObject *args)
{
    Py_buffer text;
    PyObject *spans, *told = NULL;
    Joined joined = {{NULL, 0, 0}, {NULL, 0, 0}, 0, 0};
    if (!PyArg_ParseTuple(args, "y*O!n", &text, &PyList_Type, &spans, &joined.most))
        return NULL;
    PyObject *lists[2] = {PyList_New(0), PyList_New(0)};
    int failed = lists[0] == NULL || lists[1] == NULL;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(spans); i++)
        failed = append_span(pairs, &joined, &text, PyList_GetItem(spans, i), lists) < 0;
    if (!failed)
        told = PyTuple_Pack(2, lists[0], lists[1]);
    Py_XDECREF(lists[0]);
    Py_XDECREF(lists[1]);
    free_written(&joined.first);
    free_written(&joined.second);
    PyBuffer_Release(&text);
    return told;
}

/* Both are of the type that the module has beside this one. */
static PyObject *new_pairs(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *first, *second;
    Py_ssize_t most_words;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "OOn", &first, &second, &most_words))
        return NULL;
    PyObject *module = PyType_GetModule(type);
    PyObject *memo_type = module == NULL ? NULL : PyObject_GetAttrString(module, "WordMemo");
    if (memo_type == NULL)
        return NULL;
    int are_memos = (PyObject *)Py_TYPE(first) == memo_type &&
                    (PyObject *)Py_TYPE(second) == memo_type;
    Py_DECREF(memo_type);
    if (!are_memos) {
        PyErr_SetString(PyExc_TypeError, "pairs are made from two memos of words");
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    WordPairs *pairs = (WordPairs *)allocate(type, 0); /* all zero */
    if (pairs != NULL) {
        pairs->first = (WordMemo *)Py_NewRef(first);
        pairs->second = (WordMemo *)Py_NewRef(second);
        pairs->most_words = most_words;
        pairs->first->paired = &pairs->known;
    }
    return (PyObject *)pairs;
}

static int traverse(WordPairs *pairs, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)pairs));
    Py_VISIT(pairs->first);
    Py_VISIT(pairs->second);
    return 0;
}

static int clear(WordPairs *pairs)
{
    if (pairs->first != NULL && pairs->first->paired == &pairs->known)
        pairs->first->paired = NULL;
    Py_CLEAR(pairs->first);
    Py_CLEAR(pairs->second);
    return 0;
}

static void deallocate(WordPairs *pairs)
{
    PyTypeObject *type = Py_TYPE((PyObject *)pairs);
    PyObject_GC_UnTrack(pairs);
    clear(pairs);
    memo_forget(&pairs->known);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(pairs);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"join_each", (PyCFunction)join_each, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot pairs_slots[] = {
    {Py_tp_new, new_pairs},    {Py_tp_dealloc, deallocate}, {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},      {Py_tp_methods, methods},    {0, NULL},
};

PyType_Spec word_pairs_spec = {
    "cruxe.native._kernels.WordPairs", sizeof(WordPairs), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, pairs_slots,
};
