/* Where a text has words that a grammar stumbles over: see the folders of C and of Kotlin. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define SHORTEST 3

static int is_capital(char character)
{
    return character >= 'A' && character <= 'Z';
}

static int is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static int is_space(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

/* What may stand before a word that is no operand. */
static int may_precede(char character)
{
    return is_space(character) || character == '>' || character == '*' || character == ')';
}

static int is_of_word(char character)
{
    return is_capital(character) || is_digit(character) || character == '_' ||
           (character >= 'a' && character <= 'z');
}

/* Whether what stands before a place lets a word there be something else than an operand. */
static int is_free(const char *text, const char *place)
{
    if (place == text)
        return 1;
    if (!may_precede(place[-1]))
        return 0;
    int is_behind_blank = place[-1] == ' ' || place[-1] == '\t';
    if (!is_behind_blank || place - text < 2)
        return 1;
    return may_precede(place[-2]) || is_of_word(place[-2]);
}

static int may_follow(char character)
{
    return is_space(character) || character == '(' || character == ';' || character == '{' ||
           character == ':';
}

/* capital_words(text) */
PyObject *capital_words(PyObject *module, PyObject *bytes)
{
    char *text;
    Py_ssize_t length;
    (void)module;
    if (PyBytes_AsStringAndSize(bytes, &text, &length) < 0)
        return NULL;
    PyObject *found = PyList_New(0);
    const char *end = text + length;
    for (const char *place = text; place < end && found != NULL; place++) {
        if (!is_capital(*place))
            continue;
        const char *start = place;
        while (place < end && (is_capital(*place) || is_digit(*place) || *place == '_'))
            place++;
        if (place - start < SHORTEST || place == end || !may_follow(*place) ||
            !is_free(text, start))
            continue;
        PyObject *offset = PyLong_FromSsize_t(start - text);
        if (offset == NULL || PyList_Append(found, offset) < 0)
            Py_CLEAR(found);
        Py_XDECREF(offset);
    }
    return found;
}

#define MOST_WORDS 32

typedef struct {
    const char *words[MOST_WORDS];
    Py_ssize_t lengths[MOST_WORDS];
    uint32_t first[256], second[256]; /* which words have a byte there */
} Words;

static int read_words(PyObject *told, Words *words)
{
    Py_ssize_t count = PyTuple_Check(told) ? PyTuple_Size(told) : -1;
    if (count < 0 || count > MOST_WORDS) {
        PyErr_SetString(PyExc_ValueError, "no tuple of a few words");
        return -1;
    }
    memset(words->first, 0, sizeof words->first);
    memset(words->second, 0, sizeof words->second);
    for (Py_ssize_t place = 0; place < count; place++) {
        char *word;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(told, place), &word, &words->lengths[place]) < 0)
            return -1;
        if (words->lengths[place] < 2) {
            PyErr_SetString(PyExc_ValueError, "a word is too short");
            return -1;
        }
        words->words[place] = word;
        words->first[(unsigned char)word[0]] |= (uint32_t)1 << place;
        words->second[(unsigned char)word[1]] |= (uint32_t)1 << place;
    }
    return 0;
}

/* Those of some words that stand at a place. */
static uint32_t words_at(const Words *words, uint32_t wanted, const char *place, Py_ssize_t left)
{
    uint32_t found = 0;
    for (int number = 0; number < MOST_WORDS && wanted >> number; number++) {
        Py_ssize_t length = words->lengths[number];
        if (wanted >> number & 1 && length <= left &&
            memcmp(place, words->words[number], (size_t)length) == 0)
            found |= (uint32_t)1 << number;
    }
    return found;
}

/* words_in(text, words): which of them are there, as a number with a bit for each */
PyObject *words_in(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    char *text;
    Py_ssize_t length;
    Words words;
    uint32_t found = 0;
    (void)module;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "a text and words are asked for");
        return NULL;
    }
    if (PyBytes_AsStringAndSize(args[0], &text, &length) < 0 || read_words(args[1], &words) < 0)
        return NULL;
    for (Py_ssize_t place = 0; place + 1 < length; place++) {
        uint32_t wanted = words.first[(unsigned char)text[place]] &
                          words.second[(unsigned char)text[place + 1]] & ~found;
        if (wanted)
            found |= words_at(&words, wanted, text + place, length - place);
    }
    return PyLong_FromUnsignedLong(found);
}

/* How often a text has a byte. Compilers compare many bytes at once where counts of few of them fit
   into one; a table of counts waits for each byte to be counted. */
static size_t count_of(const char *text, size_t length, char sign)
{
    size_t total = 0;
    while (length > 0) {
        size_t part = length < UINT8_MAX ? length : UINT8_MAX;
        uint8_t count = 0;
        for (size_t place = 0; place < part; place++)
            count += text[place] == sign;
        total += count;
        text += part;
        length -= part;
    }
    return total;
}

/* count_each(text, signs): how often a text has each of some bytes */
PyObject *count_each(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    char *text, *signs;
    Py_ssize_t length, wanted;
    (void)module;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "a text and signs are asked for");
        return NULL;
    }
    if (PyBytes_AsStringAndSize(args[0], &text, &length) < 0 ||
        PyBytes_AsStringAndSize(args[1], &signs, &wanted) < 0)
        return NULL;
    PyObject *told = PyList_New(0);
    for (Py_ssize_t place = 0; place < wanted && told != NULL; place++) {
        PyObject *number = PyLong_FromSize_t(count_of(text, (size_t)length, signs[place]));
        if (number == NULL || PyList_Append(told, number) < 0)
            Py_CLEAR(told);
        Py_XDECREF(number);
    }
    return told;
}
