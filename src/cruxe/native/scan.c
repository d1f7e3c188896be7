/* The rows nearest to a question's vector: see store/local/vector_reader.py. */

#include "scan.h"
#include "wide.h"
#include <string.h>

static unsigned bit_count(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (unsigned)(word * 0x0101010101010101u >> 56);
}

/* Processors of this kind may count bits in one instruction, but not all of them can. */
#if defined(__x86_64__) && defined(__GNUC__)
#define WITH_BIT_COUNT __attribute__((target("popcnt")))
#define HAS_BIT_COUNT __builtin_cpu_supports("popcnt")
#define BIT_COUNT(word) ((unsigned)__builtin_popcountll(word))
#else
#define WITH_BIT_COUNT
#define HAS_BIT_COUNT 0
#define BIT_COUNT(word) bit_count(word)
#endif

/* In how many bits two codes differ. */
static ALWAYS_INLINE unsigned distance(
    const char *code, const char *other, Py_ssize_t bytes, int has_bit_count)
{
    unsigned differing = 0;
    uint64_t own, its;
    for (; bytes >= (Py_ssize_t)sizeof own; bytes -= (Py_ssize_t)sizeof own) {
        memcpy(&own, code, sizeof own);
        memcpy(&its, other, sizeof its);
        differing += has_bit_count ? BIT_COUNT(own ^ its) : bit_count(own ^ its);
        code += sizeof own;
        other += sizeof own;
    }
    for (; bytes > 0; bytes--)
        differing += bit_count((unsigned char)(*code++ ^ *other++));
    return differing;
}

/* What a code takes: a bit for each number. */
static Py_ssize_t code_bytes(const Scan *scan)
{
    return scan->query.len / (8 * (Py_ssize_t)sizeof(int32_t));
}

/* The code that the question is compared by: whether each number is above zero, first ones highest. */
static void code_query(const Scan *scan, char *code)
{
    const int32_t *query = scan->query.buf;
    for (Py_ssize_t i = 0, bytes = code_bytes(scan); i < bytes; i++) {
        unsigned own = 0;
        for (int j = 0; j < 8; j++)
            own = own << 1 | (*query++ > 0);
        code[i] = (char)own;
    }
}

static Py_ssize_t row_count(const Scan *scan)
{
    const int64_t *runs = scan->runs.buf;
    Py_ssize_t pairs = scan->runs.len / (2 * (Py_ssize_t)sizeof *runs), rows = 0;
    for (Py_ssize_t i = 0; i < pairs; i++)
        rows += (Py_ssize_t)runs[2 * i + 1];
    return rows;
}

static int is_sound(const Scan *scan)
{
    const int64_t *runs = scan->runs.buf;
    Py_ssize_t bytes = code_bytes(scan);
    Py_ssize_t pairs = scan->runs.len / (2 * (Py_ssize_t)sizeof *runs);
    if (bytes <= 0 || bytes * 8 > UINT16_MAX ||
        scan->query.len != bytes * 8 * (Py_ssize_t)sizeof(int32_t))
        return 0;
    if (scan->keys.len < (Py_ssize_t)sizeof(int64_t) || scan->keys.len != scan->firsts.len ||
        scan->keys.len != scan->counts.len || scan->full_product <= 0)
        return 0;
    int64_t rows = scan->codes.len / bytes;
    if (scan->numbers.len / (8 * bytes) < rows)
        rows = scan->numbers.len / (8 * bytes);
    for (Py_ssize_t i = 0; i < pairs; i++)
        if (runs[2 * i] < 0 || runs[2 * i + 1] < 0 || runs[2 * i] > rows - runs[2 * i + 1])
            return 0;
    return 1;
}

/* The distance of each row, and how many rows have which. */
static ALWAYS_INLINE void measure_rows(
    const Scan *scan, const char *query_code, uint16_t *distances, Py_ssize_t *histogram,
    int has_bit_count)
{
    const int64_t *runs = scan->runs.buf;
    Py_ssize_t bytes = code_bytes(scan);
    Py_ssize_t pairs = scan->runs.len / (2 * (Py_ssize_t)sizeof *runs);
    for (Py_ssize_t i = 0; i < pairs; i++) {
        const char *code = (const char *)scan->codes.buf + runs[2 * i] * bytes;
        for (int64_t row = 0; row < runs[2 * i + 1]; row++, code += bytes) {
            unsigned own = distance(code, query_code, bytes, has_bit_count);
            *distances++ = (uint16_t)own;
            histogram[own]++;
        }
    }
}

static WITH_BIT_COUNT void measure_quickly(
    const Scan *scan, const char *query_code, uint16_t *distances, Py_ssize_t *histogram)
{
    measure_rows(scan, query_code, distances, histogram, 1);
}

static void measure(
    const Scan *scan, const char *query_code, uint16_t *distances, Py_ssize_t *histogram)
{
    if (HAS_BIT_COUNT)
        measure_quickly(scan, query_code, distances, histogram);
    else
        measure_rows(scan, query_code, distances, histogram, 0);
}

/* The distance within which there are at least so many; all where there are fewer. */
static unsigned limit_of(const Scan *scan, const Py_ssize_t *histogram)
{
    Py_ssize_t so_far = 0, most = 8 * code_bytes(scan);
    for (unsigned own = 0; own <= most; own++)
        if ((so_far += histogram[own]) >= scan->least)
            return own;
    return (unsigned)most;
}

/* The question's numbers in 16 bits each, which processors multiply eight at a time; NULL where one
 * needs more, where their products with a row might not fit into 32, or without memory. */
static int16_t *narrow_query(const Scan *scan)
{
    Py_ssize_t dimensions = 8 * code_bytes(scan);
    const int32_t *query = scan->query.buf;
    int64_t most = 0;
    for (Py_ssize_t j = 0; j < dimensions; j++) {
        int64_t size = query[j] < 0 ? -(int64_t)query[j] : query[j];
        if (size > INT16_MAX)
            return NULL;
        most += size * -INT8_MIN;
    }
    int16_t *narrow = most > INT32_MAX ? NULL : PyMem_Malloc((size_t)dimensions * sizeof *narrow);
    for (Py_ssize_t j = 0; j < dimensions && narrow != NULL; j++)
        narrow[j] = (int16_t)query[j];
    return narrow;
}

static ALWAYS_INLINE int64_t narrow_product(
    const int8_t *numbers, const int16_t *query, Py_ssize_t dimensions)
{
    int32_t sum = 0;
    for (Py_ssize_t j = 0; j < dimensions; j++)
        sum += (int32_t)(int16_t)numbers[j] * query[j];
    return sum;
}

static int64_t full_product(const int8_t *numbers, const int32_t *query, Py_ssize_t dimensions)
{
    int64_t sum = 0;
    for (Py_ssize_t j = 0; j < dimensions; j++)
        sum += (int64_t)numbers[j] * query[j];
    return sum;
}

/* Take the products of rows; of narrow numbers, where there are such. */
static ALWAYS_INLINE void multiply_rows(
    const Scan *scan, const int16_t *narrow, Near *near, Py_ssize_t count)
{
    Py_ssize_t dimensions = 8 * code_bytes(scan);
    for (Near *each = near; each < near + count; each++) {
        const int8_t *numbers = (const int8_t *)scan->numbers.buf + each->row * dimensions;
        each->product = narrow != NULL ? narrow_product(numbers, narrow, dimensions)
                                       : full_product(numbers, scan->query.buf, dimensions);
    }
}

static WITH_WIDE_NUMBERS void multiply_widely(
    const Scan *scan, const int16_t *narrow, Near *near, Py_ssize_t count)
{
    multiply_rows(scan, narrow, near, count);
}

/* The rows within a distance, with their products; NULL without memory. */
static Near *rows_within(
    const Scan *scan, const uint16_t *distances, unsigned limit, Py_ssize_t *found)
{
    const int64_t *runs = scan->runs.buf;
    Py_ssize_t pairs = scan->runs.len / (2 * (Py_ssize_t)sizeof *runs), count = 0;
    for (Py_ssize_t i = 0, rows = row_count(scan); i < rows; i++)
        count += distances[i] <= limit;
    *found = count;
    Near *near = PyMem_Malloc((size_t)(count + 1) * sizeof *near), *next = near;
    if (near == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < pairs; i++)
        for (int64_t row = runs[2 * i]; row < runs[2 * i] + runs[2 * i + 1]; row++)
            if (*distances++ <= limit)
                (next++)->row = row;
    int16_t *narrow = narrow_query(scan);
    if (HAS_WIDE_NUMBERS)
        multiply_widely(scan, narrow, near, count);
    else
        multiply_rows(scan, narrow, near, count);
    PyMem_Free(narrow);
    return near;
}

static PyObject *nearest(const Scan *scan)
{
    Py_ssize_t rows = row_count(scan);
    size_t lengths = 8 * (size_t)code_bytes(scan) + 1;
    uint16_t *distances = PyMem_Malloc((size_t)(rows + 1) * sizeof *distances);
    Py_ssize_t *histogram = PyMem_Calloc(lengths, sizeof *histogram);
    char *query_code = PyMem_Malloc((size_t)code_bytes(scan));
    PyObject *found = NULL;
    if (distances == NULL || histogram == NULL || query_code == NULL) {
        PyErr_NoMemory();
    } else {
        code_query(scan, query_code);
        Py_BEGIN_ALLOW_THREADS
        measure(scan, query_code, distances, histogram);
        Py_END_ALLOW_THREADS
        Py_ssize_t count;
        Near *near = rows_within(scan, distances, limit_of(scan, histogram), &count);
        found = near == NULL ? PyErr_NoMemory() : near_files(scan, near, count);
        PyMem_Free(near);
    }
    PyMem_Free(distances);
    PyMem_Free(histogram);
    PyMem_Free(query_code);
    return found;
}

/* nearest_files((codes, numbers), runs, (query, full_product, parts), (least, known,
 *               least_similarity, chunks_per_file, (second_weight, third_weight)), spans) */
PyObject *nearest_files(PyObject *module, PyObject *args)
{
    Scan scan;
    (void)module;
    if (!PyArg_ParseTuple(args, "(y*y*)y*(y*Ld)(nOdi(dd))(y*y*y*)", &scan.codes, &scan.numbers,
                          &scan.runs, &scan.query, &scan.full_product, &scan.parts, &scan.least,
                          &scan.known, &scan.least_similarity, &scan.chunks_per_file,
                          &scan.second_weight, &scan.third_weight, &scan.keys, &scan.firsts,
                          &scan.counts))
        return NULL;
    PyObject *found = NULL;
    if (is_sound(&scan))
        found = nearest(&scan);
    else
        PyErr_SetString(PyExc_ValueError, "the rows to scan are not there");
    PyBuffer_Release(&scan.codes);
    PyBuffer_Release(&scan.numbers);
    PyBuffer_Release(&scan.runs);
    PyBuffer_Release(&scan.query);
    PyBuffer_Release(&scan.keys);
    PyBuffer_Release(&scan.firsts);
    PyBuffer_Release(&scan.counts);
    return found;
}
