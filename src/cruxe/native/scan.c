/* The rows nearest to a question's vector: see index/vector_lanes.py, which does the same. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

typedef struct {
    Py_buffer codes;      /* of all rows, a bit a number */
    Py_buffer numbers;    /* of all rows, a signed byte a number */
    Py_buffer runs;       /* pairs of 64-bit numbers: the first row and how many */
    Py_buffer query_code;
    Py_buffer query;      /* 32-bit numbers */
    Py_ssize_t least;
} Scan;

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

static long long product(const Scan *scan, int64_t row)
{
    Py_ssize_t dimensions = 8 * scan->query_code.len;
    const int8_t *numbers = (const int8_t *)scan->numbers.buf + row * dimensions;
    const int32_t *query = scan->query.buf;
    int64_t sum = 0;
    for (Py_ssize_t j = 0; j < dimensions; j++)
        sum += (int64_t)numbers[j] * query[j];
    return sum;
}

static int append(PyObject *list, long long number)
{
    PyObject *item = PyLong_FromLongLong(number);
    int failed = item == NULL || PyList_Append(list, item) < 0;
    Py_XDECREF(item);
    return failed ? -1 : 0;
}

static PyObject *rows_within(const Scan *scan, const uint16_t *distances, unsigned limit)
{
    const int64_t *runs = scan->runs.buf;
    Py_ssize_t pairs = scan->runs.len / (2 * (Py_ssize_t)sizeof *runs);
    PyObject *rows = PyList_New(0), *products = PyList_New(0), *both = NULL;
    int failed = rows == NULL || products == NULL;
    for (Py_ssize_t i = 0; i < pairs; i++)
        for (int64_t row = runs[2 * i]; row < runs[2 * i] + runs[2 * i + 1]; row++)
            if (*distances++ <= limit && !failed)
                failed = append(rows, row) < 0 || append(products, product(scan, row)) < 0;
    if (!failed)
        both = PyTuple_Pack(2, rows, products);
    Py_XDECREF(rows);
    Py_XDECREF(products);
    return both;
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
        found = rows_within(scan, distances, limit_of(scan, histogram));
    }
    PyMem_Free(distances);
    PyMem_Free(histogram);
    return found;
}

/* nearest_rows((codes, numbers), runs, (query_code, query), least) */
PyObject *nearest_rows(PyObject *module, PyObject *args)
{
    Scan scan;
    (void)module;
    if (!PyArg_ParseTuple(args, "(y*y*)y*(y*y*)n", &scan.codes, &scan.numbers, &scan.runs,
                          &scan.query_code, &scan.query, &scan.least))
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
    return found;
}
