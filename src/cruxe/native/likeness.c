/* What a text is known by where others like it are looked for: see text/minhash.py. */

#include "kernels.h"

#include <stdint.h>
#include <string.h>

#define TOKENS 5 /* of a shingle */
#define BUCKETS 64
#define BUCKET_SHIFT 26 /* of 32 bits the first six */
#define ROWS_PER_BAND 4
#define SPREAD 2654435761u
#define BAND_SPREAD 11400714819323198485u

static uint32_t crc_table[256];

static void fill_crc_table(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xEDB88320u : value >> 1;
        crc_table[byte] = value;
    }
}

static uint32_t crc_of(const unsigned char *from, const unsigned char *end)
{
    uint32_t value = 0xFFFFFFFFu;
    for (; from < end; from++)
        value = crc_table[(value ^ *from) & 0xFF] ^ value >> 8;
    return ~value;
}

static int is_space(unsigned char letter)
{
    return letter == ' ' || (letter >= '\t' && letter <= '\r') || (letter >= 0x1C && letter <= 0x1F);
}

static int is_of_word(unsigned char letter)
{
    return letter == '_' || (letter >= '0' && letter <= '9') ||
           ((letter | 32) >= 'a' && (letter | 32) <= 'z');
}

/* The shingles so far, and of each bucket the smallest hash, or none. */
typedef struct {
    PyObject *shingles;
    int64_t smallest[BUCKETS];
} Sketch;

static int add_shingle(Sketch *sketch, uint32_t crc)
{
    int64_t spread = (int64_t)(crc * SPREAD);
    int64_t *smallest = sketch->smallest + (spread >> BUCKET_SHIFT);
    if (*smallest < 0 || spread < *smallest)
        *smallest = spread;
    PyObject *shingle = PyLong_FromUnsignedLong(crc);
    int failed = shingle == NULL || PySet_Add(sketch->shingles, shingle) < 0;
    Py_XDECREF(shingle);
    return failed ? -1 : 0;
}

/* Write the tokens of a text, each ended by NUL, and add every run of five, or all if there are
   fewer. There is room for twice the text. */
static int add_shingles(Sketch *sketch, const unsigned char *text, Py_ssize_t length,
                        unsigned char *joined)
{
    const unsigned char *end = text + length;
    unsigned char *starts[TOKENS], *written = joined;
    Py_ssize_t count = 0;
    while (text < end) {
        if (is_space(*text)) {
            text++;
            continue;
        }
        starts[count++ % TOKENS] = written;
        if (is_of_word(*text))
            do
                *written++ = *text++;
            while (text < end && is_of_word(*text));
        else
            *written++ = *text++;
        if (count >= TOKENS && add_shingle(sketch, crc_of(starts[count % TOKENS], written)) < 0)
            return -1;
        *written++ = 0;
    }
    if (count > 0 && count < TOKENS)
        return add_shingle(sketch, crc_of(joined, written - 1));
    return 0;
}

/* From the last bucket to the first an empty one borrows from the next, marked so. */
static int fill_buckets(int64_t *smallest)
{
    int64_t first = 0;
    while (first < BUCKETS && smallest[first] < 0)
        first++;
    if (first == BUCKETS)
        return 0;
    int64_t following = smallest[first], distance = first;
    for (int bucket = BUCKETS - 1; bucket >= 0; bucket--) {
        distance = smallest[bucket] < 0 ? distance + 1 : 0;
        following = smallest[bucket] < 0 ? following : smallest[bucket];
        smallest[bucket] = following + (distance << 32);
    }
    return 1;
}

static PyObject *bands_of(const int64_t *values)
{
    PyObject *bands = PyFrozenSet_New(NULL);
    for (uint64_t number = 0; number < BUCKETS / ROWS_PER_BAND && bands != NULL; number++) {
        uint64_t hash = number;
        for (int row = 0; row < ROWS_PER_BAND; row++)
            hash = hash * BAND_SPREAD + (uint64_t)*values++;
        PyObject *band = PyLong_FromUnsignedLongLong(hash);
        if (band == NULL || PySet_Add(bands, band) < 0)
            Py_CLEAR(bands);
        Py_XDECREF(band);
    }
    return bands;
}

/* ascii_fingerprint(text): its shingles and its bands. */
PyObject *ascii_fingerprint(PyObject *module, PyObject *text)
{
    char *letters;
    Py_ssize_t length;
    Sketch sketch;
    (void)module;
    if (PyBytes_AsStringAndSize(text, &letters, &length) < 0)
        return NULL;
    if (crc_table[1] == 0)
        fill_crc_table();
    memset(sketch.smallest, -1, sizeof sketch.smallest);
    sketch.shingles = PyFrozenSet_New(NULL);
    unsigned char *joined = PyMem_Malloc(2 * (size_t)length + 1);
    PyObject *bands = NULL;
    if (joined == NULL)
        PyErr_NoMemory();
    else if (sketch.shingles != NULL &&
             add_shingles(&sketch, (const unsigned char *)letters, length, joined) == 0)
        bands = fill_buckets(sketch.smallest) ? bands_of(sketch.smallest) : PyFrozenSet_New(NULL);
    PyMem_Free(joined);
    if (bands == NULL) {
        Py_XDECREF(sketch.shingles);
        return NULL;
    }
    return Py_BuildValue("NN", sketch.shingles, bands);
}
