/* Vectors of a file from the pieces of its words: see embed/static_vectors.py, which says why.
 *
 * Sums of rows are whole numbers below 2**24: 32-bit floats hold them exactly, in whatever order a
 * processor adds. Elsewhere no product may be fused with a sum, or machines would differ.
 */

#include "kernels.h"
#include "memo.h"
#include "wide.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

#define BITS_PER_BYTE 8
#define CACHE_LINE 64
#define EXACT (1 << 24) /* up to here a 32-bit float holds every whole number */

typedef struct {
    int32_t piece;
    int32_t count;
} Counted;

typedef struct {
    Py_buffer rows;   /* a signed byte a number, a row a piece */
    Py_buffer scales; /* of each piece, a 64-bit number */
    Py_buffer damped; /* what a piece counts for by how often it occurs, a 64-bit number */
    Py_buffer centre; /* a signed byte a number */
    Py_ssize_t dimensions;
    long long total_weight;
    double path_weight, stem_weight, fractions, vector_length;
} Model;

typedef struct {
    Counted *counted; /* the distinct pieces of one text */
    uint32_t *slots;  /* where each of them is in `counted`, from one; zero is free */
    float *sums;
    double *place, *mixed;
} Scratch;

static void free_scratch(Scratch *scratch)
{
    PyMem_Free(scratch->counted);
    PyMem_Free(scratch->slots);
    PyMem_Free(scratch->sums);
    PyMem_Free(scratch->place);
    PyMem_Free(scratch->mixed);
}

/* Twice as many slots as pieces, or more: a power of two. */
static size_t slots_for(size_t pieces)
{
    size_t slots = 16;
    while (slots < 2 * pieces)
        slots *= 2;
    return slots;
}

static int allocate(Scratch *scratch, size_t most_pieces, size_t dimensions)
{
    memset(scratch, 0, sizeof *scratch);
    scratch->counted = PyMem_Malloc((most_pieces + 1) * sizeof *scratch->counted);
    scratch->slots = PyMem_Malloc(slots_for(most_pieces) * sizeof *scratch->slots);
    scratch->sums = PyMem_Malloc(dimensions * sizeof *scratch->sums);
    scratch->place = PyMem_Malloc(dimensions * sizeof *scratch->place);
    scratch->mixed = PyMem_Malloc(dimensions * sizeof *scratch->mixed);
    if (scratch->counted && scratch->slots && scratch->sums && scratch->place && scratch->mixed)
        return 0;
    free_scratch(scratch);
    PyErr_NoMemory();
    return -1;
}

static ALWAYS_INLINE const int8_t *row_of(const Model *model, int32_t piece)
{
    return (const int8_t *)model->rows.buf + piece * model->dimensions;
}

/* Let the processor fetch what a piece is summed by: parsing has driven it out of the caches. */
static ALWAYS_INLINE void expect_row(const Model *model, int32_t piece)
{
    PREFETCH((const int64_t *)model->scales.buf + piece);
    for (Py_ssize_t j = 0; j < model->dimensions; j += CACHE_LINE)
        PREFETCH(row_of(model, piece) + j);
}

/* Count the pieces of a text; how many distinct ones there are, or -1. */
static ALWAYS_INLINE Py_ssize_t count_pieces(const Model *model, Scratch *scratch, PyObject *text)
{
    char *packed;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(text, &packed, &size) < 0)
        return -1;
    Py_ssize_t length = size / (Py_ssize_t)sizeof(int32_t);
    Py_ssize_t known = model->scales.len / (Py_ssize_t)sizeof(int64_t);
    size_t mask = slots_for((size_t)length) - 1;
    memset(scratch->slots, 0, (mask + 1) * sizeof *scratch->slots);
    Py_ssize_t distinct = 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        int32_t piece;
        memcpy(&piece, packed + i * (Py_ssize_t)sizeof piece, sizeof piece);
        if (piece < 0 || piece >= known) {
            PyErr_SetString(PyExc_ValueError, "a piece is not in the table");
            return -1;
        }
        size_t slot = (size_t)piece & mask;
        while (scratch->slots[slot] && scratch->counted[scratch->slots[slot] - 1].piece != piece)
            slot = (slot + 1) & mask;
        if (!scratch->slots[slot]) {
            scratch->counted[distinct] = (Counted){piece, 0};
            scratch->slots[slot] = (uint32_t)++distinct;
            expect_row(model, piece);
        }
        scratch->counted[scratch->slots[slot] - 1].count++;
    }
    return distinct;
}

static ALWAYS_INLINE int64_t weight_of(const Model *model, Counted counted)
{
    const int64_t *damped = model->damped.buf, *scales = model->scales.buf;
    Py_ssize_t most = model->damped.len / (Py_ssize_t)sizeof *damped - 1;
    return damped[counted.count < most ? counted.count : most] * scales[counted.piece];
}

/* What all pieces of a text weigh; -1 where one weighs less than nothing, and others might count
 * for more than all of them may together. */
static ALWAYS_INLINE int64_t total_weight(
    const Model *model, const Counted *counted, Py_ssize_t distinct)
{
    int64_t total = 0, signs = 0;
    for (Py_ssize_t i = 0; i < distinct; i++) {
        int64_t weight = weight_of(model, counted[i]);
        total += weight;
        signs |= weight;
    }
    return signs < 0 ? -1 : total;
}

/* What the row of a piece is multiplied by. */
static ALWAYS_INLINE float factor_of(const Model *model, Counted counted, int64_t total)
{
    return (float)(weight_of(model, counted) * model->total_weight / total);
}

/* Add up the rows of all pieces, each times its factor: 0, or -1 with an error set. */
static ALWAYS_INLINE int sum_rows(const Model *model, Scratch *scratch, Py_ssize_t distinct)
{
    const Py_ssize_t dimensions = model->dimensions;
    const Counted *counted = scratch->counted;
    float *sums = scratch->sums;
    int64_t total = total_weight(model, counted, distinct);
    if (total < 0) {
        PyErr_SetString(PyExc_ValueError, "a piece weighs less than nothing");
        return -1;
    }
    memset(sums, 0, (size_t)dimensions * sizeof *sums);
    Py_ssize_t i = total > 0 ? 0 : distinct;
    for (; i + 1 < distinct; i += 2) { /* two at a time: sums are read and written half as often */
        float factor = factor_of(model, counted[i], total);
        float other_factor = factor_of(model, counted[i + 1], total);
        const int8_t *row = row_of(model, counted[i].piece);
        const int8_t *other = row_of(model, counted[i + 1].piece);
        for (Py_ssize_t j = 0; j < dimensions; j++)
            sums[j] += factor * (float)row[j] + other_factor * (float)other[j];
    }
    if (i < distinct) {
        float factor = factor_of(model, counted[i], total);
        const int8_t *row = row_of(model, counted[i].piece);
        for (Py_ssize_t j = 0; j < dimensions; j++)
            sums[j] += factor * (float)row[j];
    }
    return 0;
}

/* Add the sum of a text's rows to a vector: in its direction, and of this length. */
static ALWAYS_INLINE int add_text(
    const Model *model, Scratch *scratch, PyObject *text, double length, double *vector)
{
    Py_ssize_t distinct = count_pieces(model, scratch, text);
    if (distinct < 0 || sum_rows(model, scratch, distinct) < 0)
        return -1;
    uint64_t squares = 0; /* no sign, since nonsense may overflow */
    for (Py_ssize_t j = 0; j < model->dimensions; j++) {
        int32_t number = (int32_t)scratch->sums[j];
        squares += (uint64_t)((int64_t)number * number);
    }
    double own = sqrt((double)squares);
    for (Py_ssize_t j = 0; j < model->dimensions && squares > 0; j++) {
        double number = (double)scratch->sums[j] / own;
        vector[j] += length * number;
    }
    return 0;
}

/* Round a vector's numbers, each so many times as large; the sum of their squares. */
static ALWAYS_INLINE double whole_numbers(double *vector, Py_ssize_t dimensions, double times)
{
    double sums[BITS_PER_BYTE] = {0}; /* whole and below 2**53, so their order does not matter */
    for (Py_ssize_t j = 0; j < dimensions; j += BITS_PER_BYTE)
        for (Py_ssize_t lane = 0; lane < BITS_PER_BYTE; lane++) {
            double whole = rint(vector[j + lane] * times);
            vector[j + lane] = whole;
            sums[lane] += whole * whole;
        }
    double squares = 0;
    for (Py_ssize_t lane = 0; lane < BITS_PER_BYTE; lane++)
        squares += sums[lane];
    return squares;
}

/* A vector as it is kept: a byte a number, and a bit a number. */
static ALWAYS_INLINE void store(
    const Model *model, double *vector, int8_t *__restrict numbers, uint8_t *__restrict code)
{
    const Py_ssize_t dimensions = model->dimensions;
    const int8_t *centre = model->centre.buf;
    double squares = whole_numbers(vector, dimensions, model->fractions);
    double factor = squares > 0 ? model->vector_length / sqrt(squares) : 0;
    for (Py_ssize_t j = 0; j < dimensions; j++) {
        double number = rint(vector[j] * factor);
        number = number < INT8_MAX ? number : INT8_MAX;
        number = number > -INT8_MAX ? number : -INT8_MAX;
        numbers[j] = (int8_t)(int32_t)number;
    }
    for (Py_ssize_t j = 0; j < dimensions; j += BITS_PER_BYTE) {
        unsigned bits = 0;
        /* Without a branch, which would be guessed wrong half of the time. */
        for (Py_ssize_t bit = 0; bit < BITS_PER_BYTE; bit++)
            bits = bits << 1 | (numbers[j + bit] > centre[j + bit]);
        code[j / BITS_PER_BYTE] = (uint8_t)bits;
    }
}

/* Fill the numbers and codes of all chunks, then of the docs, which have no share of the path's. */
static ALWAYS_INLINE int mix(
    const Model *model, Scratch *scratch, PyObject *const texts[4], char *numbers, char *codes)
{
    PyObject *chunks = texts[0], *docs = texts[1];
    size_t bytes = (size_t)model->dimensions * sizeof(double);
    memset(scratch->place, 0, bytes);
    if (add_text(model, scratch, texts[2], model->path_weight, scratch->place) < 0 ||
        add_text(model, scratch, texts[3], model->stem_weight, scratch->place) < 0)
        return -1;
    Py_ssize_t count = PyList_Size(chunks);
    for (Py_ssize_t i = 0; i <= count; i++) {
        PyObject *text = i < count ? PyList_GetItem(chunks, i) : docs;
        memset(scratch->mixed, 0, bytes);
        if (add_text(model, scratch, text, 1.0, scratch->mixed) < 0)
            return -1;
        for (Py_ssize_t j = 0; j < model->dimensions && i < count; j++)
            scratch->mixed[j] += scratch->place[j];
        store(model, scratch->mixed, (int8_t *)numbers + i * model->dimensions,
              (uint8_t *)codes + i * model->dimensions / BITS_PER_BYTE);
    }
    return 0;
}

static WITH_WIDE_NUMBERS int mix_widely(
    const Model *model, Scratch *scratch, PyObject *const texts[4], char *numbers, char *codes)
{
    return mix(model, scratch, texts, numbers, codes);
}

static int mix_anyhow(
    const Model *model, Scratch *scratch, PyObject *const texts[4], char *numbers, char *codes)
{
    return HAS_WIDE_NUMBERS ? mix_widely(model, scratch, texts, numbers, codes)
                            : mix(model, scratch, texts, numbers, codes);
}

/* The pieces of the longest text, or -1 where one is no text. */
static Py_ssize_t most_pieces(PyObject *const texts[4])
{
    Py_ssize_t most = 0, count = PyList_Size(texts[0]);
    for (Py_ssize_t i = 0; i < count + 3; i++) {
        PyObject *text = i < count ? PyList_GetItem(texts[0], i) : texts[1 + i - count];
        Py_ssize_t size = PyBytes_Size(text);
        if (size < 0)
            return -1;
        most = size > most ? size : most;
    }
    return most / (Py_ssize_t)sizeof(int32_t);
}

static PyObject *vectors_of(const Model *model, PyObject *const texts[4])
{
    Scratch scratch;
    Py_ssize_t most = most_pieces(texts), rows = PyList_Size(texts[0]) + 1;
    if (most < 0 || allocate(&scratch, (size_t)most, (size_t)model->dimensions) < 0)
        return NULL;
    PyObject *numbers = PyBytes_FromStringAndSize(NULL, rows * model->dimensions);
    PyObject *codes = PyBytes_FromStringAndSize(NULL, rows * model->dimensions / BITS_PER_BYTE);
    PyObject *both = NULL;
    if (numbers && codes &&
        mix_anyhow(model, &scratch, texts, PyBytes_AsString(numbers), PyBytes_AsString(codes)) == 0)
        both = PyTuple_Pack(2, numbers, codes);
    Py_XDECREF(numbers);
    Py_XDECREF(codes);
    free_scratch(&scratch);
    return both;
}

static int is_sound(const Model *model)
{
    Py_ssize_t pieces = model->scales.len / (Py_ssize_t)sizeof(int64_t);
    return model->dimensions > 0 && model->dimensions % BITS_PER_BYTE == 0 &&
           model->rows.len / model->dimensions >= pieces &&
           model->centre.len == model->dimensions && model->total_weight > 0 &&
           model->total_weight <= EXACT / -INT8_MIN &&
           model->damped.len >= (Py_ssize_t)sizeof(int64_t);
}

/* file_vectors(table, chunks, docs, path, stem), `table` as `MixingTable` in __init__.py. */
PyObject *file_vectors(PyObject *module, PyObject *args)
{
    Model model;
    PyObject *texts[4];
    (void)module;
    if (!PyArg_ParseTuple(args, "(y*y*y*y*Ldddd)O!OOO", &model.rows, &model.scales, &model.damped,
                          &model.centre, &model.total_weight, &model.path_weight,
                          &model.stem_weight, &model.fractions, &model.vector_length,
                          &PyList_Type, &texts[0], &texts[1], &texts[2], &texts[3]))
        return NULL;
    model.dimensions = model.centre.len;
    PyObject *made = NULL;
    if (is_sound(&model))
        made = vectors_of(&model, texts);
    else
        PyErr_SetString(PyExc_ValueError, "the parts of the table do not fit together");
    PyBuffer_Release(&model.rows);
    PyBuffer_Release(&model.scales);
    PyBuffer_Release(&model.damped);
    PyBuffer_Release(&model.centre);
    return made;
}
