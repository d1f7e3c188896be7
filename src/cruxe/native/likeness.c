/* What a text is known by where others like it are looked for: see text/minhash.py. */

#include "kernels.h"

#include <stdint.h>
#include <string.h>

/* What there is room for. */
enum { MOST_TOKENS = 16, MOST_BUCKETS = 256 };

/* The numbers of text/minhash.py. */
typedef struct {
    int tokens;        /* of a shingle */
    int bucket_count;  /* a power of two */
    int bucket_shift;  /* from a hash to its bucket */
    int rows_per_band;
    unsigned int spread;
    unsigned long long band_spread;
} Rule;

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
    const Rule *rule;
    PyObject *shingles;
    int64_t smallest[MOST_BUCKETS];
} Sketch;

static int add_shingle(Sketch *sketch, uint32_t crc)
{
    int64_t spread = (int64_t)(uint32_t)(crc * sketch->rule->spread);
    int64_t *smallest = sketch->smallest + (spread >> sketch->rule->bucket_shift);
    if (*smallest < 0 || spread < *smallest)
        *smallest = spread;
    PyObject *shingle = PyLong_FromUnsignedLong(crc);
    int failed = shingle == NULL || PySet_Add(sketch->shingles, shingle) < 0;
    Py_XDECREF(shingle);
    return failed ? -1 : 0;
}

/* Write the tokens of a text, each ended by NUL, and add every run of so many, or all if there are
   fewer. There is room for twice the text. */
static int add_shingles(Sketch *sketch, const unsigned char *text, Py_ssize_t length,
                        unsigned char *joined)
{
    const unsigned char *end = text + length;
    unsigned char *starts[MOST_TOKENS], *written = joined;
    Py_ssize_t count = 0, tokens = sketch->rule->tokens;
    while (text < end) {
        if (is_space(*text)) {
            text++;
            continue;
        }
        starts[count++ % tokens] = written;
        if (is_of_word(*text))
            do
                *written++ = *text++;
            while (text < end && is_of_word(*text));
        else
            *written++ = *text++;
        if (count >= tokens && add_shingle(sketch, crc_of(starts[count % tokens], written)) < 0)
            return -1;
        *written++ = 0;
    }
    if (count > 0 && count < tokens)
        return add_shingle(sketch, crc_of(joined, written - 1));
    return 0;
}

/* From the last bucket to the first an empty one borrows from the next, marked so. */
static int fill_buckets(int64_t *smallest, int bucket_count)
{
    int64_t first = 0;
    while (first < bucket_count && smallest[first] < 0)
        first++;
    if (first == bucket_count)
        return 0;
    int64_t following = smallest[first], distance = first;
    for (int bucket = bucket_count - 1; bucket >= 0; bucket--) {
        distance = smallest[bucket] < 0 ? distance + 1 : 0;
        following = smallest[bucket] < 0 ? following : smallest[bucket];
        smallest[bucket] = following + (distance << 32);
    }
    return 1;
}

static PyObject *bands_of(const Rule *rule, const int64_t *values)
{
    PyObject *bands = PyFrozenSet_New(NULL);
    int band_count = rule->bucket_count / rule->rows_per_band;
    for (int number = 0; number < band_count && bands != NULL; number++) {
        uint64_t hash = (uint64_t)number;
        for (int row = 0; row < rule->rows_per_band; row++)
            hash = hash * rule->band_spread + (uint64_t)*values++;
        PyObject *band = PyLong_FromUnsignedLongLong(hash);
        if (band == NULL || PySet_Add(bands, band) < 0)
            Py_CLEAR(bands);
        Py_XDECREF(band);
    }
    return bands;
}

static PyObject *fingerprint(const Rule *rule, const Py_buffer *text)
{
    Sketch sketch = {.rule = rule, .shingles = PyFrozenSet_New(NULL)};
    memset(sketch.smallest, -1, sizeof sketch.smallest);
    unsigned char *joined = PyMem_Malloc(2 * (size_t)text->len + 1);
    PyObject *bands = NULL;
    if (joined == NULL)
        PyErr_NoMemory();
    else if (sketch.shingles != NULL && add_shingles(&sketch, text->buf, text->len, joined) == 0)
        bands = fill_buckets(sketch.smallest, rule->bucket_count)
                    ? bands_of(rule, sketch.smallest)
                    : PyFrozenSet_New(NULL);
    PyMem_Free(joined);
    if (bands == NULL) {
        Py_XDECREF(sketch.shingles);
        return NULL;
    }
    return Py_BuildValue("NN", sketch.shingles, bands);
}

/* ascii_fingerprint(text, (tokens, bucket_bits, rows_per_band, spread, band_spread)): its shingles
   and its bands. */
PyObject *ascii_fingerprint(PyObject *module, PyObject *args)
{
    Py_buffer text;
    Rule rule;
    int bucket_bits;
    PyObject *found = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*(iiiIK)", &text, &rule.tokens, &bucket_bits,
                          &rule.rows_per_band, &rule.spread, &rule.band_spread))
        return NULL;
    if (crc_table[1] == 0)
        fill_crc_table();
    if (rule.tokens < 1 || rule.tokens > MOST_TOKENS || rule.rows_per_band < 1 || bucket_bits < 1 ||
        bucket_bits > 8 || (1 << bucket_bits) % rule.rows_per_band != 0) {
        refuse("there is no room for such a sketch");
    } else {
        rule.bucket_count = 1 << bucket_bits;
        rule.bucket_shift = 32 - bucket_bits;
        found = fingerprint(&rule, &text);
    }
    PyBuffer_Release(&text);
    return found;
}
