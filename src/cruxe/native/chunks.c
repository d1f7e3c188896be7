/* A file cut into chunks, each told as a definition or none: see parse/chunks.py. */

#include "kernels.h"

/* Whether a line starts a piece, and whether at top level. */
enum { NO_CUT, INNER_CUT, TOP_CUT };
#define NO_SYMBOL (-1)

typedef struct {
    Py_ssize_t region, line_end;
    int is_uncut;
} Symbol;

typedef struct {
    Py_ssize_t first, last;
} Span;

typedef struct {
    Py_buffer text;
    PyObject *line_starts, *symbols, *regions; /* two lists around a tuple */
    PyObject *chunk, *uncut_kinds;             /* a class and a frozen set */
    Py_ssize_t kind, parent, line_start, line_end; /* places in a symbol */
    int merged_bytes, split_bytes, max_lines, settled_bytes, last_ordinal;
} Request;

typedef struct {
    const Request *request;
    Py_ssize_t lines, count;
    Py_ssize_t *starts;  /* line n ends where starts[n] is */
    unsigned char *cuts; /* by line */
    Symbol *symbols;
    Py_ssize_t *open; /* symbols around one another, the innermost last */
    Span *spans;      /* the last may still grow */
    Py_ssize_t span_count;
} Cutting;

static int read_starts(Cutting *cutting)
{
    const Request *request = cutting->request;
    Py_ssize_t before = 0;
    for (Py_ssize_t line = 0; line < cutting->lines; line++) {
        Py_ssize_t start = PyLong_AsSsize_t(PyList_GetItem(request->line_starts, line));
        if (start < before || start > request->text.len)
            return refuse("lines start in rising order inside of the text");
        cutting->starts[line] = before = start;
    }
    cutting->starts[cutting->lines] = request->text.len;
    return 0;
}

/* Cut before a definition and after its end. */
static void add_cuts(Cutting *cutting, const Symbol *symbol, Py_ssize_t line_start, int is_top)
{
    unsigned char *own = &cutting->cuts[symbol->region], cut = is_top ? TOP_CUT : INNER_CUT;
    if (*own < cut)
        *own = cut;
    if (line_start < symbol->line_end && symbol->line_end < cutting->lines) {
        unsigned char *behind = &cutting->cuts[symbol->line_end + 1];
        if (*behind == NO_CUT)
            *behind = INNER_CUT;
    }
}

static Py_ssize_t number_in(PyObject *told, Py_ssize_t place)
{
    PyObject *number = PyTuple_GetItem(told, place);
    return number == NULL ? -1 : PyLong_AsSsize_t(number);
}

static int read_symbol(Cutting *cutting, Py_ssize_t place)
{
    const Request *request = cutting->request;
    Symbol *symbol = &cutting->symbols[place];
    PyObject *told = PyTuple_GetItem(request->symbols, place);
    PyObject *kind = PyTuple_Check(told) ? PyTuple_GetItem(told, request->kind) : NULL;
    if (kind == NULL)
        return refuse("a symbol is a tuple with a kind");
    symbol->region = PyLong_AsSsize_t(PyList_GetItem(request->regions, place));
    symbol->line_end = number_in(told, request->line_end);
    Py_ssize_t line_start = number_in(told, request->line_start);
    Py_ssize_t parent = number_in(told, request->parent);
    if (PyErr_Occurred() || symbol->region < 1 || symbol->region > cutting->lines + 1 ||
        symbol->line_end < 0)
        return refuse("a symbol is outside of the text");
    symbol->is_uncut = PySet_Contains(request->uncut_kinds, kind);
    if (!symbol->is_uncut)
        add_cuts(cutting, symbol, line_start, parent == NO_SYMBOL);
    return symbol->is_uncut < 0 ? -1 : 0;
}

static int is_quiet(const Cutting *cutting, Py_ssize_t line)
{
    const char *text = cutting->request->text.buf;
    Py_ssize_t place = cutting->starts[line - 1], end = cutting->starts[line];
    if (place == end)
        return 0;
    while (place < end && (text[place] == ' ' || (text[place] >= '\t' && text[place] <= '\r')))
        place++;
    return place == end;
}

/* The last line of the first part: a blank one if there is one near the right size. */
static Py_ssize_t quiet_line(const Cutting *cutting, Py_ssize_t first, Py_ssize_t end)
{
    const Request *request = cutting->request;
    const Py_ssize_t *starts = cutting->starts;
    Py_ssize_t last = first, most = first + request->max_lines - 1;
    while (last < most && last < end - 1 &&
           starts[last + 1] - starts[first - 1] <= request->merged_bytes)
        last++;
    for (Py_ssize_t line = last; line > (first + last) / 2; line--)
        if (is_quiet(cutting, line))
            return line;
    return last;
}

/* Join a piece to the chunk before it if they are small enough together. */
static void add_piece(Cutting *cutting, Span piece, int is_top)
{
    const Request *request = cutting->request;
    const Py_ssize_t *starts = cutting->starts;
    if (cutting->span_count > 0) {
        Span *before = &cutting->spans[cutting->span_count - 1];
        Py_ssize_t begin = starts[before->first - 1];
        int is_settled = is_top && starts[before->last] - begin >= request->settled_bytes;
        if (!is_settled && starts[piece.last] - begin <= request->merged_bytes &&
            piece.last - before->first < request->max_lines) {
            before->last = piece.last;
            return;
        }
    }
    cutting->spans[cutting->span_count++] = piece;
}

/* Add what is between two cuts, split at quiet lines if it is too big. */
static void add_pieces(Cutting *cutting, Py_ssize_t first, Py_ssize_t end)
{
    const Request *request = cutting->request;
    const Py_ssize_t *starts = cutting->starts;
    int is_top = cutting->cuts[first] == TOP_CUT;
    while (first != end && (end - first >= request->max_lines ||
                            starts[end] - starts[first - 1] > request->split_bytes)) {
        Py_ssize_t middle = quiet_line(cutting, first, end);
        add_piece(cutting, (Span){first, middle}, is_top);
        first = middle + 1;
        is_top = 0;
    }
    add_piece(cutting, (Span){first, end}, is_top);
}

static void cut(Cutting *cutting)
{
    Py_ssize_t first = 1, lines = cutting->lines;
    cutting->cuts[1] = TOP_CUT;
    for (Py_ssize_t line = 2; line <= lines + 1; line++)
        if (cutting->cuts[line] != NO_CUT || line == lines + 1) {
            add_pieces(cutting, first, line - 1);
            first = line;
        }
    if (cutting->cuts[lines + 1] != NO_CUT) /* what starts behind the last line */
        add_pieces(cutting, lines + 1, lines);
    Py_ssize_t most = cutting->request->last_ordinal;
    if (cutting->span_count > most) { /* the tail becomes one chunk */
        cutting->spans[most].last = cutting->spans[cutting->span_count - 1].last;
        cutting->span_count = most + 1;
    }
}

/* Where the walk over the symbols is. */
typedef struct {
    Py_ssize_t position, depth;
} Walk;

/* The symbol that a chunk is told as. */
static Py_ssize_t attribute(Cutting *cutting, Walk *walk, Span span)
{
    const Symbol *symbols = cutting->symbols;
    Py_ssize_t *open = cutting->open, around = NO_SYMBOL, shown = NO_SYMBOL;
    /* Lines after the first that make at least half; those behind the last line have none. */
    Py_ssize_t further = span.last < span.first ? -1 : (span.last - span.first) / 2;
    for (Py_ssize_t place = 0; place < walk->depth; place++)
        if (symbols[open[place]].line_end >= span.first + further)
            around = open[place];
    for (; walk->position < cutting->count; walk->position++) {
        const Symbol *own = &symbols[walk->position];
        if (own->region > span.last)
            break;
        if (shown == NO_SYMBOL && further <= own->line_end - own->region &&
            own->region + further <= span.last)
            shown = walk->position;
        if (own->region <= span.first + further && !own->is_uncut)
            around = NO_SYMBOL;
        while (walk->depth && symbols[open[walk->depth - 1]].line_end < own->line_end)
            walk->depth--;
        open[walk->depth++] = walk->position;
    }
    while (walk->depth && symbols[open[walk->depth - 1]].line_end <= span.last)
        walk->depth--;
    return shown == NO_SYMBOL ? around : shown;
}

/* As `tuple.__new__` makes it: from Python 3.14 on a tuple holds more than its items, its hash. */
static PyObject *make_chunk(PyObject *type, Span span, Py_ssize_t symbol)
{
    newfunc make = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    PyObject *fields = Py_BuildValue("((nnn))", span.first, span.last, symbol);
    PyObject *chunk = fields == NULL ? NULL : make((PyTypeObject *)type, fields, NULL);
    Py_XDECREF(fields);
    return chunk;
}

static PyObject *make_chunks(Cutting *cutting)
{
    Walk walk = {0, 0};
    PyObject *chunks = PyTuple_New(cutting->span_count);
    for (Py_ssize_t place = 0; place < cutting->span_count && chunks != NULL; place++) {
        Span span = cutting->spans[place];
        Py_ssize_t symbol = attribute(cutting, &walk, span);
        PyObject *chunk = make_chunk(cutting->request->chunk, span, symbol);
        if (chunk == NULL)
            Py_CLEAR(chunks);
        else
            PyTuple_SetItem(chunks, place, chunk);
    }
    return chunks;
}

static PyObject *cut_with(Cutting *cutting)
{
    if (read_starts(cutting) < 0)
        return NULL;
    for (Py_ssize_t place = 0; place < cutting->count; place++)
        if (read_symbol(cutting, place) < 0)
            return NULL;
    cut(cutting);
    return make_chunks(cutting);
}

static PyObject *cut_text(const Request *request)
{
    Py_ssize_t lines = PyList_Size(request->line_starts), count = PyTuple_Size(request->symbols);
    size_t line_room = (size_t)lines + 2, symbol_room = (size_t)count + 1;
    Cutting cutting = {
        .request = request,
        .lines = lines,
        .count = count,
        .starts = PyMem_Malloc(line_room * sizeof *cutting.starts),
        .cuts = PyMem_Calloc(line_room, sizeof *cutting.cuts),
        .symbols = PyMem_Malloc(symbol_room * sizeof *cutting.symbols),
        .open = PyMem_Malloc(symbol_room * sizeof *cutting.open),
        .spans = PyMem_Malloc(line_room * sizeof *cutting.spans),
    };
    PyObject *chunks = NULL;
    if (!cutting.starts || !cutting.cuts || !cutting.symbols || !cutting.open || !cutting.spans)
        PyErr_NoMemory();
    else
        chunks = cut_with(&cutting);
    PyMem_Free(cutting.starts);
    PyMem_Free(cutting.cuts);
    PyMem_Free(cutting.symbols);
    PyMem_Free(cutting.open);
    PyMem_Free(cutting.spans);
    return chunks;
}

static int fits(const Request *request)
{
    unsigned long flags = PyType_GetFlags((PyTypeObject *)request->chunk);
    return flags & Py_TPFLAGS_TUPLE_SUBCLASS && PyList_Size(request->line_starts) > 0 &&
           PyList_Size(request->regions) == PyTuple_Size(request->symbols) &&
           request->split_bytes >= 0 && request->max_lines > 0 && request->last_ordinal >= 0;
}

/* cut_chunks((text, line_starts), (symbols, regions), chunk, (uncut_kinds, places, sizes)) */
PyObject *cut_chunks(PyObject *module, PyObject *args)
{
    Request request;
    (void)module;
    if (!PyArg_ParseTuple(args, "(y*O!)(O!O!)O!(O!(nnnn)(iiiii))", &request.text, &PyList_Type,
                          &request.line_starts, &PyTuple_Type, &request.symbols, &PyList_Type,
                          &request.regions, &PyType_Type, &request.chunk, &PyFrozenSet_Type,
                          &request.uncut_kinds, &request.kind, &request.parent,
                          &request.line_start, &request.line_end, &request.merged_bytes,
                          &request.split_bytes, &request.max_lines, &request.settled_bytes,
                          &request.last_ordinal))
        return NULL;
    PyObject *chunks = NULL;
    if (fits(&request))
        chunks = cut_text(&request);
    else
        refuse("a text has lines, and each symbol a region");
    PyBuffer_Release(&request.text);
    return chunks;
}
