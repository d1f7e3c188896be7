/* A memo of what words are turned into, asked for all words of a text: see text/word_memo.py. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES (1 << 16)
#define FEWEST_SLOTS 1024
/* Longer words are data that does not come again. */
#define MOST_WORD_BYTES 256
#define FNV_BASIS 14695981039346656037u
#define FNV_STEP(hash, letter) (((hash) ^ (unsigned char)(letter)) * 1099511628211u)

typedef struct Block {
    struct Block *next;
    char bytes[BLOCK_BYTES];
} Block;

typedef struct {
    uint64_t hash;
    const char *word; /* its bytes, then those of its value; a free slot has none */
    uint32_t word_length, value_length;
} Slot;

typedef struct {
    PyObject_HEAD
    PyObject *make; /* turns the bytes of a word into those of its value */
    char separator; /* between two values; none where it is NUL */
    Py_ssize_t most_words;
    Slot *slots;
    size_t slot_count, word_count; /* a power of two, and at most half of it */
    Block *blocks;
    size_t used; /* of the first block */
} WordMemo;

typedef struct {
    char *bytes;
    size_t length, capacity;
} Output;

static int append(Output *output, const char *bytes, size_t length)
{
    if (output->length + length > output->capacity) {
        size_t capacity = 2 * (output->length + length) + 64;
        char *grown = PyMem_Realloc(output->bytes, capacity);
        if (grown == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        output->bytes = grown;
        output->capacity = capacity;
    }
    if (length > 0) /* else there may be no memory yet */
        memcpy(output->bytes + output->length, bytes, length);
    output->length += length;
    return 0;
}

static void forget(WordMemo *memo)
{
    while (memo->blocks != NULL) {
        Block *next = memo->blocks->next;
        PyMem_Free(memo->blocks);
        memo->blocks = next;
    }
    PyMem_Free(memo->slots);
    memo->slots = NULL;
    memo->slot_count = memo->word_count = memo->used = 0;
}

/* The slot of a word, or the free one where it belongs. */
static Slot *find(const WordMemo *memo, const char *word, size_t length, uint64_t hash)
{
    size_t mask = memo->slot_count - 1;
    for (size_t place = hash & mask;; place = (place + 1) & mask) {
        Slot *slot = memo->slots + place;
        if (slot->word == NULL ||
            (slot->hash == hash && slot->word_length == length &&
             memcmp(slot->word, word, length) == 0))
            return slot;
    }
}

/* Make room for one more word: 0, or -1. */
static int grow(WordMemo *memo)
{
    if (memo->slots != NULL && 2 * (memo->word_count + 1) <= memo->slot_count)
        return 0;
    size_t old_count = memo->slot_count;
    size_t count = old_count ? 2 * old_count : FEWEST_SLOTS;
    Slot *old = memo->slots, *slots = PyMem_Calloc(count, sizeof *slots);
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memo->slots = slots;
    memo->slot_count = count;
    for (size_t place = 0; place < old_count; place++)
        if (old[place].word != NULL)
            *find(memo, old[place].word, old[place].word_length, old[place].hash) = old[place];
    PyMem_Free(old);
    return 0;
}

/* Room for so many bytes that stay where they are, or none. */
static char *reserve(WordMemo *memo, size_t length)
{
    if (memo->blocks == NULL || memo->used + length > BLOCK_BYTES) {
        Block *block = PyMem_Malloc(sizeof *block);
        if (block == NULL)
            return NULL;
        block->next = memo->blocks;
        memo->blocks = block;
        memo->used = 0;
    }
    memo->used += length;
    return memo->blocks->bytes + memo->used - length;
}

/* Remember a word, unless it or its value is long; to fail at it is no error. */
static void remember(
    WordMemo *memo, const char *word, size_t length, uint64_t hash, const char *value, size_t size)
{
    if (length > MOST_WORD_BYTES || size > BLOCK_BYTES - length)
        return;
    if ((Py_ssize_t)memo->word_count >= memo->most_words)
        forget(memo);
    if (grow(memo) < 0) {
        PyErr_Clear();
        return;
    }
    Slot *slot = find(memo, word, length, hash);
    char *kept = slot->word == NULL ? reserve(memo, length + size) : NULL;
    if (kept == NULL) /* no memory, or made by another thread meanwhile */
        return;
    memcpy(kept, word, length);
    memcpy(kept + length, value, size);
    *slot = (Slot){hash, kept, (uint32_t)length, (uint32_t)size};
    memo->word_count++;
}

/* Append the value of a word that is not known; other threads may use the memo meanwhile. */
static int append_new(
    WordMemo *memo, Output *output, const char *word, size_t length, uint64_t hash)
{
    PyObject *value = PyObject_CallFunction(memo->make, "y#", word, (Py_ssize_t)length);
    char *bytes;
    Py_ssize_t size;
    if (value == NULL)
        return -1;
    int failed = PyBytes_AsStringAndSize(value, &bytes, &size) < 0 ||
                 append(output, bytes, (size_t)size) < 0;
    if (!failed)
        remember(memo, word, length, hash, bytes, (size_t)size);
    Py_DECREF(value);
    return failed ? -1 : 0;
}

static uint64_t hash_of(const char *word, size_t length)
{
    uint64_t hash = FNV_BASIS;
    for (size_t place = 0; place < length; place++)
        hash = FNV_STEP(hash, word[place]);
    return hash;
}

/* Append the value of a word. */
static int append_value(
    WordMemo *memo, Output *output, const char *word, size_t length, uint64_t hash)
{
    Slot *slot = memo->slots == NULL ? NULL : find(memo, word, length, hash);
    return slot == NULL || slot->word == NULL
               ? append_new(memo, output, word, length, hash)
               : append(output, slot->word + length, slot->value_length);
}

static int append_words(
    WordMemo *memo, Output *output, const char *next, const char *end, Py_ssize_t most)
{
    for (Py_ssize_t count = 0; count < most; count++) {
        while (next < end && *next == ' ')
            next++;
        if (next == end)
            break;
        const char *word = next;
        uint64_t hash = FNV_BASIS;
        for (; next < end && *next != ' '; next++)
            hash = FNV_STEP(hash, *next);
        if ((count && append(output, &memo->separator, memo->separator != 0) < 0) ||
            append_value(memo, output, word, (size_t)(next - word), hash) < 0)
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
    Output output = {NULL, 0, 0};
    const char *bytes = text.buf;
    PyObject *joined = NULL;
    if (start >= end || append_words(memo, &output, bytes + start, bytes + end, most) == 0)
        joined = PyBytes_FromStringAndSize(output.bytes, (Py_ssize_t)output.length);
    PyMem_Free(output.bytes);
    PyBuffer_Release(&text);
    return joined;
}

static int is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }
static int is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
static int is_digit(char letter) { return letter >= '0' && letter <= '9'; }

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

static int append_parts(
    WordMemo *memo, Output *output, const char *next, const char *end, Py_ssize_t most)
{
    char part[MOST_WORD_BYTES];
    for (int is_first = 1; next < end;) {
        if (!is_upper(*next) && !is_lower(*next) && !is_digit(*next)) {
            next++;
            continue;
        }
        const char *after = end_of_part(next, end);
        size_t length = (size_t)(after - next < most ? after - next : most);
        for (size_t place = 0; place < length; place++)
            part[place] = (char)(is_upper(next[place]) ? next[place] + ('a' - 'A') : next[place]);
        next = after;
        if ((!is_first && append(output, &memo->separator, memo->separator != 0) < 0) ||
            append_value(memo, output, part, length, hash_of(part, length)) < 0)
            return -1;
        is_first = 0;
    }
    return 0;
}

/* join_parts(word, most): what the parts of an ASCII identifier are turned into, each cut. */
static PyObject *join_parts(WordMemo *memo, PyObject *args)
{
    Py_buffer word;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(args, "y*n", &word, &most))
        return NULL;
    most = most < 0 ? 0 : most > MOST_WORD_BYTES ? MOST_WORD_BYTES : most;
    Output output = {NULL, 0, 0};
    const char *bytes = word.buf;
    PyObject *joined = NULL;
    if (append_parts(memo, &output, bytes, bytes + word.len, most) == 0)
        joined = PyBytes_FromStringAndSize(output.bytes, (Py_ssize_t)output.length);
    PyMem_Free(output.bytes);
    PyBuffer_Release(&word);
    return joined;
}

static PyObject *new_memo(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *make;
    Py_buffer separator;
    Py_ssize_t most_words;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "Oy*n", &make, &separator, &most_words))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    WordMemo *memo = (WordMemo *)allocate(type, 0); /* all zero */
    if (memo != NULL) {
        Py_INCREF(make);
        memo->make = make;
        memo->separator = (char)(separator.len ? *(const char *)separator.buf : 0);
        memo->most_words = most_words;
    }
    PyBuffer_Release(&separator);
    return (PyObject *)memo;
}

static int traverse(WordMemo *memo, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)memo));
    Py_VISIT(memo->make);
    return 0;
}

static int clear(WordMemo *memo)
{
    Py_CLEAR(memo->make);
    return 0;
}

static void deallocate(WordMemo *memo)
{
    PyTypeObject *type = Py_TYPE((PyObject *)memo);
    PyObject_GC_UnTrack(memo);
    clear(memo);
    forget(memo);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(memo);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"join", (PyCFunction)join, METH_VARARGS, NULL},
    {"join_parts", (PyCFunction)join_parts, METH_VARARGS, NULL},
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
