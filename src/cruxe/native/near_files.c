/* From rows that are near to the files they are of: see store/local/vector_reader.py. */

#include "rounding.h"
#include "scan.h"

enum { WEIGHED_CHUNKS = 3, MOST_CHUNKS = 16 /* that there is room for */ };

/* A version that has near rows. */
typedef struct {
    Py_ssize_t span; /* its place among the spans */
    int chunk_count;
    int64_t chunks[MOST_CHUNKS]; /* nearest first; equally near ones in the order of their rows */
    double similarities[MOST_CHUNKS];
    double doc; /* how near its docs are; 0 where they are not among the near */
} File;

/* The number at a place of some numbers once they are in order; those before it are then no larger,
 * those behind it no smaller. */
static int64_t select_at(int64_t *numbers, Py_ssize_t count, Py_ssize_t place)
{
    Py_ssize_t low = 0, high = count - 1;
    while (low < high) {
        int64_t pivot = numbers[low + (high - low) / 2];
        Py_ssize_t left = low, right = high;
        while (left <= right) {
            while (numbers[left] < pivot)
                left++;
            while (numbers[right] > pivot)
                right--;
            if (left <= right) {
                int64_t moved = numbers[left];
                numbers[left++] = numbers[right];
                numbers[right--] = moved;
            }
        }
        if (place <= right)
            high = right;
        else if (place >= left)
            low = left;
        else
            break;
    }
    return numbers[place];
}

/* Twice the middle product, of an even number of rows that of the middle two; or -1 and an error. */
static int middle_of(const Near *near, Py_ssize_t count, int64_t *twice)
{
    if (count == 0)
        return 0;
    int64_t *products = PyMem_Malloc((size_t)count * sizeof *products);
    if (products == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        products[i] = near[i].product;
    int64_t upper = select_at(products, count, count / 2);
    int64_t lower = count % 2 ? upper : select_at(products, count / 2, count / 2 - 1);
    *twice = lower + upper;
    PyMem_Free(products);
    return 0;
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

/* The difference of two numbers of any size; without signs nothing overflows. */
static int64_t difference(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one - (uint64_t)other);
}

/* Whether a row belongs to the version at a place among the spans. */
static int is_in_span(const Scan *scan, Py_ssize_t span, int64_t row)
{
    const int64_t *firsts = scan->firsts.buf, *counts = scan->counts.buf;
    return row >= firsts[span] && difference(row, firsts[span]) < counts[span];
}

/* Put a chunk where it belongs among the nearest of its file; rows come in their order. */
static void add_chunk(const Scan *scan, File *file, int64_t chunk, double similarity)
{
    int place = file->chunk_count;
    while (place > 0 && file->similarities[place - 1] < similarity)
        place--;
    int most = scan->chunks_per_file > WEIGHED_CHUNKS ? scan->chunks_per_file : WEIGHED_CHUNKS;
    if (place == most)
        return;
    file->chunk_count += file->chunk_count < most;
    for (int i = file->chunk_count - 1; i > place; i--) {
        file->chunks[i] = file->chunks[i - 1];
        file->similarities[i] = file->similarities[i - 1];
    }
    file->chunks[place] = chunk;
    file->similarities[place] = similarity;
}

/* The file of the first of some rows and of those behind it that are of the same. Where it ends. */
static const Near *read_file(const Scan *scan, const Near *row, const Near *end, File *file)
{
    *file = (File){.span = span_of(scan, row->row)};
    int64_t first = ((const int64_t *)scan->firsts.buf)[file->span];
    int64_t count = ((const int64_t *)scan->counts.buf)[file->span];
    int64_t docs = difference(count, 1); /* the last row is theirs */
    do {
        double similarity = rounded((double)row->product / (double)scan->full_product, scan->parts);
        int64_t place = difference(row->row, first);
        if (place == docs)
            file->doc = similarity;
        else
            add_chunk(scan, file, place, similarity);
    } while (++row < end && is_in_span(scan, file->span, row->row));
    return row;
}

/* How near the nearest chunks of a file are, the further ones counting less. */
static double nearest_three(const Scan *scan, const File *file)
{
    double sum = file->similarities[0];
    if (file->chunk_count < 2)
        return sum;
    sum += scan->second_weight * file->similarities[1];
    if (file->chunk_count > 2)
        sum += scan->third_weight * file->similarities[2];
    return rounded(sum, scan->parts);
}

/* Put a new value, which may be missing for want of memory, under a key: 0, or -1. */
static int put(PyObject *dict, PyObject *key, PyObject *value)
{
    int failed = value == NULL ? -1 : PyDict_SetItem(dict, key, value);
    Py_XDECREF(value);
    return failed;
}

static PyObject *chunks_of(const Scan *scan, const File *file)
{
    int count =
        file->chunk_count < scan->chunks_per_file ? file->chunk_count : scan->chunks_per_file;
    PyObject *chunks = PyList_New(count);
    for (int i = 0; i < count && chunks != NULL; i++) {
        PyObject *chunk = PyLong_FromLongLong(file->chunks[i]);
        if (chunk == NULL || PyList_SetItem(chunks, i, chunk) < 0)
            Py_CLEAR(chunks);
    }
    return chunks;
}

static PyObject *three_numbers(double one, double two, double three)
{
    PyObject *a = PyFloat_FromDouble(one), *b = PyFloat_FromDouble(two);
    PyObject *c = PyFloat_FromDouble(three), *all = NULL;
    if (a != NULL && b != NULL && c != NULL)
        all = PyTuple_Pack(3, a, b, c);
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    return all;
}

/* Tell of a file if it is wanted: 0, or -1. */
static int tell(const Scan *scan, const File *file, PyObject *similarities, PyObject *chunks)
{
    double best = file->similarities[0];
    int is_near = file->chunk_count && best > scan->least_similarity;
    PyObject *key = PyLong_FromUnsignedLongLong(((const uint64_t *)scan->keys.buf)[file->span]);
    int is_known = key == NULL ? -1 : PySequence_Contains(scan->known, key);
    int failed = is_known < 0 ? -1 : 0;
    if (!failed && (is_known || is_near))
        failed = put(similarities, key, three_numbers(best, nearest_three(scan, file), file->doc));
    if (!failed && !is_known && is_near)
        failed = put(chunks, key, chunks_of(scan, file));
    Py_XDECREF(key);
    return failed;
}

PyObject *near_files(const Scan *scan, const Near *near, Py_ssize_t count)
{
    int64_t twice = 0;
    if (scan->chunks_per_file < 1 || scan->chunks_per_file > MOST_CHUNKS) {
        PyErr_SetString(PyExc_ValueError, "there is no room for so many chunks of a file");
        return NULL;
    }
    if (middle_of(near, count, &twice) < 0)
        return NULL;
    double middle = (double)twice / 2 / (double)scan->full_product;
    double floor = rounded(middle > 0 ? middle : 0, scan->parts);
    PyObject *similarities = PyDict_New(), *chunks = PyDict_New(), *all = NULL;
    int failed = similarities == NULL || chunks == NULL ? -1 : 0;
    for (const Near *row = near; row < near + count && !failed;) {
        File file;
        row = read_file(scan, row, near + count, &file);
        failed = tell(scan, &file, similarities, chunks);
    }
    if (!failed)
        all = Py_BuildValue("OOd", similarities, chunks, floor);
    Py_XDECREF(similarities);
    Py_XDECREF(chunks);
    return all;
}

