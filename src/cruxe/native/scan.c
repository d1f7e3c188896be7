/* The files of the rows nearest to a question's vector: see index/vector_reader.py. */

#include "kernels.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As in model/rounding.py. */
#define DIGITS 6
#define PARTS 1000000.0
#define NEARLY_HALF 0.499999

typedef struct {
    Py_buffer codes;      /* of all rows, a bit a number */
    Py_buffer numbers;    /* of all rows, a signed byte a number */
    Py_buffer runs;       /* pairs of 64-bit numbers: the first row and how many */
    Py_buffer query_code;
    Py_buffer query;      /* 32-bit numbers */
    Py_ssize_t least;
    /* Of each version that has rows, in their order, 64-bit numbers: its key, its first row and how
     * many there are, of which the last is that of its docs. */
    Py_buffer keys, firsts, counts;
    long long full_product; /* of two vectors in the same direction */
} Scan;

typedef struct {
    int64_t row, product;
    double similarity;
    Py_ssize_t span; /* the place of its version among the spans */
} Near;

/* A version that has near rows. */
typedef struct {
    Py_ssize_t span, chunk_count;
    double doc; /* how near its docs are; 0 where they are not among the near */
} File;

static unsigned bit_count(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (unsigned)(word * 0x0101010101010101u >> 56);
}

/* In how many bits two codes differ. */
static unsigned distance(const char *code, const char *other, Py_ssize_t bytes)
{
    unsigned differing = 0;
    uint64_t own, its;
    for (; bytes >= (Py_ssize_t)sizeof own; bytes -= (Py_ssize_t)sizeof own) {
        memcpy(&own, code, sizeof own);
        memcpy(&its, other, sizeof its);
        differing += bit_count(own ^ its);
        code += sizeof own;
        other += sizeof own;
    }
    for (; bytes > 0; bytes--)
        differing += bit_count((unsigned char)(*code++ ^ *other++));
    return differing;
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
    Py_ssize_t bytes = scan->query_code.len;
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
static void measure(const Scan *scan, uint16_t *distances, Py_ssize_t *histogram)
{
    const int64_t *runs = scan->runs.buf;
    Py_ssize_t bytes = scan->query_code.len;
    Py_ssize_t pairs = scan->runs.len / (2 * (Py_ssize_t)sizeof *runs);
    for (Py_ssize_t i = 0; i < pairs; i++) {
        const char *code = (const char *)scan->codes.buf + runs[2 * i] * bytes;
        for (int64_t row = 0; row < runs[2 * i + 1]; row++, code += bytes) {
            unsigned own = distance(code, scan->query_code.buf, bytes);
            *distances++ = (uint16_t)own;
            histogram[own]++;
        }
    }
}

/* The distance within which there are at least so many; all where there are fewer. */
static unsigned limit_of(const Scan *scan, const Py_ssize_t *histogram)
{
    Py_ssize_t so_far = 0, most = 8 * scan->query_code.len;
    for (unsigned own = 0; own <= most; own++)
        if ((so_far += histogram[own]) >= scan->least)
            return own;
    return (unsigned)most;
}

/* The question's numbers in 16 bits each, which processors multiply eight at a time; NULL where one
 * needs more, where their products with a row might not fit into 32, or without memory. */
static int16_t *narrow_query(const Scan *scan)
{
    Py_ssize_t dimensions = 8 * scan->query_code.len;
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

static int64_t narrow_product(const int8_t *numbers, const int16_t *query, Py_ssize_t dimensions)
{
    int32_t sum = 0;
    for (Py_ssize_t j = 0; j < dimensions; j++)
        sum += (int32_t)(int16_t)numbers[j] * query[j];
    return sum;
}

static int64_t product(const Scan *scan, const int16_t *narrow, int64_t row)
{
    Py_ssize_t dimensions = 8 * scan->query_code.len;
    const int8_t *numbers = (const int8_t *)scan->numbers.buf + row * dimensions;
    const int32_t *query = scan->query.buf;
    if (narrow != NULL)
        return narrow_product(numbers, narrow, dimensions);
    int64_t sum = 0;
    for (Py_ssize_t j = 0; j < dimensions; j++)
        sum += (int64_t)numbers[j] * query[j];
    return sum;
}

/* The rows within a distance; NULL without memory. */
static Near *rows_within(
    const Scan *scan, const uint16_t *distances, unsigned limit, Py_ssize_t *found)
{
    const int64_t *runs = scan->runs.buf;
    Py_ssize_t pairs = scan->runs.len / (2 * (Py_ssize_t)sizeof *runs), count = 0;
    for (Py_ssize_t i = 0, rows = row_count(scan); i < rows; i++)
        count += distances[i] <= limit;
    Near *near = PyMem_Malloc((size_t)(count + 1) * sizeof *near), *next = near;
    int16_t *narrow = narrow_query(scan);
    for (Py_ssize_t i = 0; i < pairs && near != NULL; i++)
        for (int64_t row = runs[2 * i]; row < runs[2 * i] + runs[2 * i + 1]; row++)
            if (*distances++ <= limit)
                *next++ = (Near){row, product(scan, narrow, row), 0, 0};
    PyMem_Free(narrow);
    *found = count;
    return near;
}

/* Rounded to the digits that answers have, as Python rounds. */
static double rounded(double value)
{
    double parts = value * PARTS, whole = rint(parts);
    if (fabs(parts - whole) < NEARLY_HALF)
        return whole / PARTS;
    char *digits = PyOS_double_to_string(value, 'f', DIGITS, 0, NULL);
    if (digits == NULL) { /* no memory for a dozen bytes: what is left will say so */
        PyErr_Clear();
        return whole / PARTS;
    }
    double found = PyOS_string_to_double(digits, NULL, NULL);
    PyMem_Free(digits);
    return found;
}

static int by_similarity(const void *one, const void *other)
{
    const Near *a = one, *b = other;
    if (a->similarity != b->similarity)
        return a->similarity < b->similarity ? 1 : -1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static int by_product(const void *one, const void *other)
{
    int64_t a = ((const Near *)one)->product, b = ((const Near *)other)->product;
    return a < b ? -1 : a > b;
}

/* Where a row's version is among the spans, which stand in the order of their rows. */
static Py_ssize_t span_of(const Scan *scan, int64_t row)
{
    const int64_t *firsts = scan->firsts.buf;
    Py_ssize_t low = 0, high = scan->firsts.len / (Py_ssize_t)sizeof *firsts;
    while (high - low > 1) {
        Py_ssize_t middle = (low + high) / 2;
        if (firsts[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Which chunk of its version a row is of; -1 where it is the last, that of its docs. */
static int64_t chunk_of(const Scan *scan, const Near *near)
{
    int64_t chunk = near->row - ((const int64_t *)scan->firsts.buf)[near->span];
    return chunk == ((const int64_t *)scan->counts.buf)[near->span] - 1 ? -1 : chunk;
}

/* The files of rows that come nearest first: those with chunks, then those with docs alone. `places`
 * has room for one number a span, `files` for one file a row. How many there are. */
static Py_ssize_t group(
    const Scan *scan, const Near *near, Py_ssize_t count, Py_ssize_t *places, File *files)
{
    Py_ssize_t found = 0, spans = scan->keys.len / (Py_ssize_t)sizeof(int64_t);
    for (Py_ssize_t i = 0; i < spans; i++)
        places[i] = -1;
    for (int is_docs = 0; is_docs < 2; is_docs++)
        for (const Near *row = near; row < near + count; row++) {
            if ((chunk_of(scan, row) < 0) != is_docs)
                continue;
            if (places[row->span] < 0) {
                files[found] = (File){row->span, 0, 0};
                places[row->span] = found++;
            }
            if (is_docs)
                files[places[row->span]].doc = row->similarity;
            else
                files[places[row->span]].chunk_count++;
        }
    return found;
}

/* Put a new object, which may be missing for want of memory, into a list: 0, or -1. */
static int put(PyObject *list, Py_ssize_t place, PyObject *item)
{
    return item == NULL ? -1 : PyList_SetItem(list, place, item);
}

/* Fill the columns of some files, all but their chunks. */
static int fill_files(const Scan *scan, const File *files, Py_ssize_t count, PyObject **columns)
{
    const uint64_t *keys = scan->keys.buf;
    for (Py_ssize_t i = 0; i < count; i++)
        if (put(columns[0], i, PyLong_FromUnsignedLongLong(keys[files[i].span])) < 0 ||
            put(columns[1], i, PyList_New(files[i].chunk_count)) < 0 ||
            put(columns[2], i, PyList_New(files[i].chunk_count)) < 0 ||
            put(columns[3], i, PyFloat_FromDouble(files[i].doc)) < 0)
            return -1;
    return 0;
}

/* Fill in the chunks of files and how near each is, the last first. */
static int fill_chunks(
    const Scan *scan, const Near *near, Py_ssize_t count, const Py_ssize_t *places, File *files,
    PyObject **columns)
{
    for (const Near *row = near + count; row-- > near;) {
        int64_t chunk = chunk_of(scan, row);
        if (chunk < 0)
            continue;
        Py_ssize_t file = places[row->span], place = --files[file].chunk_count;
        if (put(PyList_GetItem(columns[1], file), place, PyLong_FromLongLong(chunk)) < 0 ||
            put(PyList_GetItem(columns[2], file), place, PyFloat_FromDouble(row->similarity)) < 0)
            return -1;
    }
    return 0;
}

/* The columns of the files of some rows, and twice the rows' middle product. */
static PyObject *columns_of(const Scan *scan, const Near *near, Py_ssize_t count, int64_t middle)
{
    size_t spans = (size_t)scan->keys.len / sizeof(int64_t);
    Py_ssize_t *places = PyMem_Malloc(spans * sizeof *places);
    File *files = PyMem_Malloc((size_t)(count + 1) * sizeof *files);
    PyObject *columns[4] = {NULL, NULL, NULL, NULL}, *all = NULL;
    if (places == NULL || files == NULL) {
        PyErr_NoMemory();
    } else {
        Py_ssize_t found = group(scan, near, count, places, files);
        int failed = 0;
        for (int i = 0; i < 4; i++)
            failed |= (columns[i] = PyList_New(found)) == NULL;
        if (!failed && fill_files(scan, files, found, columns) == 0 &&
            fill_chunks(scan, near, count, places, files, columns) == 0)
            all = Py_BuildValue(
                "OOOOL", columns[0], columns[1], columns[2], columns[3], (long long)middle);
        for (int i = 0; i < 4; i++)
            Py_XDECREF(columns[i]);
    }
    PyMem_Free(places);
    PyMem_Free(files);
    return all;
}

/* The product at a place, the largest first, of rows that come in the order of their similarities:
 * among those whose similarities round to the same, products may be in any. Or -1 and an error. */
static int product_at(const Near *near, Py_ssize_t count, Py_ssize_t place, int64_t *found)
{
    Py_ssize_t first = place, end = place + 1;
    while (first > 0 && near[first - 1].similarity == near[place].similarity)
        first--;
    while (end < count && near[end].similarity == near[place].similarity)
        end++;
    Near *alike = PyMem_Malloc((size_t)(end - first) * sizeof *alike);
    if (alike == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(alike, near + first, (size_t)(end - first) * sizeof *alike);
    qsort(alike, (size_t)(end - first), sizeof *alike, by_product);
    *found = alike[end - 1 - place].product;
    PyMem_Free(alike);
    return 0;
}

static PyObject *named(const Scan *scan, Near *near, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        near[i].similarity = rounded((double)near[i].product / (double)scan->full_product);
        near[i].span = span_of(scan, near[i].row);
    }
    qsort(near, (size_t)count, sizeof *near, by_similarity);
    Py_ssize_t half = count / 2;
    int64_t one = 0, other = 0;
    if (count && (product_at(near, count, half, &one) < 0 ||
                  product_at(near, count, count - 1 - half, &other) < 0))
        return NULL;
    return columns_of(scan, near, count, one + other);
}

static PyObject *nearest(const Scan *scan)
{
    Py_ssize_t rows = row_count(scan);
    size_t lengths = 8 * (size_t)scan->query_code.len + 1;
    uint16_t *distances = PyMem_Malloc((size_t)(rows + 1) * sizeof *distances);
    Py_ssize_t *histogram = PyMem_Calloc(lengths, sizeof *histogram);
    PyObject *found = NULL;
    if (distances == NULL || histogram == NULL) {
        PyErr_NoMemory();
    } else {
        Py_BEGIN_ALLOW_THREADS
        measure(scan, distances, histogram);
        Py_END_ALLOW_THREADS
        Py_ssize_t count;
        Near *near = rows_within(scan, distances, limit_of(scan, histogram), &count);
        found = near == NULL ? PyErr_NoMemory() : named(scan, near, count);
        PyMem_Free(near);
    }
    PyMem_Free(distances);
    PyMem_Free(histogram);
    return found;
}

/* nearest_files((codes, numbers), runs, (query_code, query, full_product), least, spans) */
PyObject *nearest_files(PyObject *module, PyObject *args)
{
    Scan scan;
    (void)module;
    if (!PyArg_ParseTuple(args, "(y*y*)y*(y*y*L)n(y*y*y*)", &scan.codes, &scan.numbers,
                          &scan.runs, &scan.query_code, &scan.query, &scan.full_product,
                          &scan.least, &scan.keys, &scan.firsts, &scan.counts))
        return NULL;
    PyObject *found = NULL;
    if (is_sound(&scan))
        found = nearest(&scan);
    else
        PyErr_SetString(PyExc_ValueError, "the rows to scan are not there");
    PyBuffer_Release(&scan.codes);
    PyBuffer_Release(&scan.numbers);
    PyBuffer_Release(&scan.runs);
    PyBuffer_Release(&scan.query_code);
    PyBuffer_Release(&scan.query);
    PyBuffer_Release(&scan.keys);
    PyBuffer_Release(&scan.firsts);
    PyBuffer_Release(&scan.counts);
    return found;
}
