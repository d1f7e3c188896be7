/* Sites named, qualified and placed in the lines and symbols around them: see parse/sites.py. */

#include "kernels.h"
#include "numbered.h"
#include "sites.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BESIDES (2 * MOST_DIGITS + 8) /* bytes of a site beside its texts */

/* Offsets in rising order that are passed once. */
typedef struct {
    PyObject *offsets; /* a list, borrowed */
    Py_ssize_t passed;
    int64_t next;
} Walk;

/* A site as it is written: those of one kind, name and qualifier together, in the order they came. */
typedef struct {
    uint32_t kind, name, qualifier; /* the last two numbered */
    uint32_t order;
    int64_t line, owner;
} Placed;

typedef struct {
    const char *text;
    Py_ssize_t length;
    PyObject *kinds;                            /* a tuple */
    PyObject *predeclared, *bound, *parameters; /* two sets and a dict; `bound` may be None */
    PyObject *receiver_of;                      /* asked where white space is to be folded */
    int has_paths;
    Py_ssize_t most_qualifier;   /* what is longer is cut in Python */
    long long call, reference;   /* ranks of two kinds */
    Walk lines, owned, names;
    PyObject *owners; /* a list: who owns what is behind so many offsets of `owned` */
    Numbered texts;   /* names and qualifiers, as JSON */
    Written placed;   /* of `Placed` */
} Placing;

static int look_ahead(Walk *walk)
{
    if (walk->passed >= PyList_Size(walk->offsets)) {
        walk->next = INT64_MAX;
        return 0;
    }
    walk->next = PyLong_AsLongLong(PyList_GetItem(walk->offsets, walk->passed));
    return walk->next == -1 && PyErr_Occurred() ? refuse("an offset is no number") : 0;
}

static int pass(Walk *walk, int64_t offset)
{
    while (offset >= walk->next && walk->next != INT64_MAX) {
        walk->passed++;
        if (look_ahead(walk) < 0)
            return -1;
    }
    return 0;
}

/* Whether an offset is one of those that are walked past. */
static int meets(Walk *walk, int64_t offset)
{
    while (walk->next < offset) {
        walk->passed++;
        if (look_ahead(walk) < 0)
            return -1;
    }
    return walk->next == offset;
}

/* As a slice of bytes decoded: what is outside of the text is left out. */
static PyObject *text_between(const Placing *placing, int64_t start, int64_t end)
{
    end = end < placing->length ? end : placing->length;
    if (start < 0 || start >= end)
        return PyUnicode_FromStringAndSize("", 0);
    return PyUnicode_DecodeUTF8(placing->text + start, (Py_ssize_t)(end - start), "replace");
}

static int is_of_word(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '_';
}

/* Where the parts of a path start that stand before an offset: `a::` before the `b` of `a::b`. */
static int64_t path_start(const Placing *placing, int64_t start)
{
    const char *text = placing->text;
    int64_t first = start > placing->most_qualifier ? start - placing->most_qualifier : 0;
    while (start - first > 2 && text[start - 1] == ':' && text[start - 2] == ':') {
        int64_t word = start - 2;
        while (word > first && is_of_word(text[word - 1]))
            word--;
        if (word == start - 2)
            break;
        start = word;
    }
    return start;
}

/* The number of a text of Python, which is let go of; -1 with an error. */
static int64_t number_told(Placing *placing, PyObject *text)
{
    int written = text == NULL ? -1 : write_json(&placing->texts.texts, text);
    Py_XDECREF(text);
    return written < 0 ? -1 : number_text(&placing->texts);
}

/* The same of what stands between two offsets; what is not plain is made a text of Python first. */
static int64_t number_between(Placing *placing, int64_t start, int64_t end)
{
    if (start >= 0 && start <= end && end <= placing->length) {
        int is_plain =
            write_plain_json(&placing->texts.texts, placing->text + start, (size_t)(end - start));
        if (is_plain != 0)
            return is_plain < 0 ? -1 : number_text(&placing->texts);
    }
    return number_told(placing, text_between(placing, start, end));
}

static int64_t number_receiver(Placing *placing, const Site *site)
{
    int64_t start = site->qualifier_start, end = site->qualifier_end;
    if (start < 0)
        return number_between(placing, 0, 0);
    int is_inside = start <= end && end <= placing->length;
    if (is_inside && end - start <= placing->most_qualifier &&
        memchr(placing->text + start, '\n', (size_t)(end - start)) == NULL)
        return number_between(placing, placing->has_paths ? path_start(placing, start) : start,
                              end);
    return number_told(placing, PyObject_CallFunction(placing->receiver_of, "LL", (long long)start,
                                                      (long long)end));
}

/* Read a scope, a pair of offsets. Nothing but whole numbers is asked for its value: what else can
   be one may run Python, which may let go of the scope. */
static int read_scope(PyObject *scope, int64_t *start, int64_t *end)
{
    if (!PyTuple_Check(scope) || PyTuple_Size(scope) != 2 ||
        !PyLong_Check(PyTuple_GetItem(scope, 0)) || !PyLong_Check(PyTuple_GetItem(scope, 1)))
        return refuse("a scope is a pair of offsets");
    *start = PyLong_AsLongLong(PyTuple_GetItem(scope, 0));
    *end = PyLong_AsLongLong(PyTuple_GetItem(scope, 1));
    return PyErr_Occurred() ? -1 : 0;
}

/* Whether one of a type parameter's scopes has an offset inside; a call is never of one. */
static int is_in_scope(const Placing *placing, PyObject *scopes, const Site *site)
{
    if (site->kind == placing->call)
        return 0;
    if (!PyList_Check(scopes))
        return refuse("scopes come in a list");
    for (Py_ssize_t place = 0; place < PyList_Size(scopes); place++) {
        int64_t start, end;
        if (read_scope(PyList_GetItem(scopes, place), &start, &end) < 0)
            return -1;
        if (start <= site->start && site->start < end)
            return 1;
    }
    return 0;
}

/* Whether a bare mention can mean nothing outside of the function that it stands in. */
static int is_local_name(const Placing *placing, const Site *site, PyObject *name)
{
    if (placing->bound != Py_None && site->kind == placing->reference) {
        int is_bound = PySet_Contains(placing->bound, name);
        if (is_bound <= 0)
            return is_bound < 0 ? -1 : 1;
    }
    int is_known = PySet_Contains(placing->predeclared, name);
    if (is_known != 0)
        return is_known;
    PyObject *scopes = PyDict_GetItemWithError(placing->parameters, name);
    if (scopes == NULL)
        return PyErr_Occurred() ? -1 : 0;
    return is_in_scope(placing, scopes, site);
}

static int is_local(const Placing *placing, const Site *site)
{
    PyObject *name = text_between(placing, site->start, site->end);
    int is_local = name == NULL ? -1 : is_local_name(placing, site, name);
    Py_XDECREF(name);
    return is_local;
}

/* Keep a site for when all are there. */
static int keep_site(Placing *placing, const Site *site)
{
    PyObject *owner = PyList_GetItem(placing->owners, placing->owned.passed);
    if (owner == NULL || site->kind < 0 || site->kind >= PyTuple_Size(placing->kinds))
        return refuse("a site has no kind or no owner");
    Placed placed = {.kind = (uint32_t)site->kind,
                     .order = (uint32_t)(placing->placed.used / sizeof placed),
                     .line = placing->lines.passed,
                     .owner = PyLong_AsLongLong(owner)};
    if (placed.owner == -1 && PyErr_Occurred())
        return -1;
    int64_t name = number_between(placing, site->start, site->end);
    int64_t qualifier = name < 0 ? -1 : number_receiver(placing, site);
    placed.name = (uint32_t)name;
    placed.qualifier = (uint32_t)qualifier;
    return qualifier < 0 ? -1
                         : write_bytes(&placing->placed, (const char *)&placed, sizeof placed);
}

static int place_site(Placing *placing, const Site *site)
{
    int is_own_name = meets(&placing->names, site->start);
    /* A parser that recovers from an error makes up empty nodes. */
    if (is_own_name != 0 || site->start >= site->end)
        return is_own_name < 0 ? -1 : 0;
    int is_left_out = site->qualifier_start < 0 ? is_local(placing, site) : 0;
    if (is_left_out != 0)
        return is_left_out < 0 ? -1 : 0;
    if (pass(&placing->lines, site->start) < 0 || pass(&placing->owned, site->start) < 0)
        return -1;
    return keep_site(placing, site);
}

static int in_order(const void *one, const void *other)
{
    const Placed *first = one, *second = other;
    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    if (first->name != second->name)
        return first->name < second->name ? -1 : 1;
    if (first->qualifier != second->qualifier)
        return first->qualifier < second->qualifier ? -1 : 1;
    return (first->order > second->order) - (first->order < second->order);
}

/* A key, behind what was open before it and is ended by it: so many brackets. */
static int write_key(Written *written, const char *ended, Text key, char bracket)
{
    if (write_bytes(written, ended, strlen(ended)) < 0 ||
        write_bytes(written, key.bytes, key.length) < 0 || make_room(written, 2) < 0)
        return -1;
    put_byte(written, ':');
    put_byte(written, bracket);
    return 0;
}

/* What tells a site from the one before it, of which there is none before the first. */
static int write_keys(const Placing *placing, Written *written, const Placed *before,
                      const Placed *placed)
{
    int has_kind = before != NULL && before->kind == placed->kind;
    int has_name = has_kind && before->name == placed->name;
    if (!has_kind) {
        Written kind = {0};
        int is_done = write_json(&kind, PyTuple_GetItem(placing->kinds, placed->kind)) == 0 &&
                      write_key(written, before == NULL ? "" : "]}},",
                                (Text){kind.start, kind.used}, '{') == 0;
        free_written(&kind);
        if (!is_done)
            return -1;
    }
    if (!has_name && write_key(written, has_kind ? "]}," : "",
                               numbered_text(&placing->texts, placed->name), '{') < 0)
        return -1;
    return write_key(written, has_name ? "]," : "",
                     numbered_text(&placing->texts, placed->qualifier), '[');
}

static int write_placed(const Placing *placing, Written *written)
{
    Placed *placed = (Placed *)placing->placed.start;
    size_t count = placing->placed.used / sizeof *placed;
    if (count > 0)
        qsort(placed, count, sizeof *placed, in_order);
    if (write_bytes(written, "{", 1) < 0)
        return -1;
    for (size_t place = 0; place < count; place++) {
        const Placed *own = placed + place, *before = place == 0 ? NULL : own - 1;
        int is_same = before != NULL && before->kind == own->kind && before->name == own->name &&
                      before->qualifier == own->qualifier;
        if (!is_same && write_keys(placing, written, before, own) < 0)
            return -1;
        if (make_room(written, MOST_BESIDES) < 0)
            return -1;
        if (is_same)
            put_byte(written, ',');
        put_byte(written, '[');
        put_number(written, own->line);
        put_byte(written, ',');
        put_number(written, own->owner);
        put_byte(written, ']');
    }
    if (count > 0 && write_bytes(written, "]}}", 3) < 0)
        return -1;
    return write_bytes(written, "}", 1);
}

static PyObject *place_all(Placing *placing, const Py_buffer *raw)
{
    const Site *sites = raw->buf;
    Py_ssize_t count = raw->len / (Py_ssize_t)sizeof *sites;
    Written written = {0};
    int is_done = look_ahead(&placing->lines) == 0 && look_ahead(&placing->owned) == 0 &&
                  look_ahead(&placing->names) == 0;
    for (Py_ssize_t place = 0; place < count && is_done; place++)
        is_done = place_site(placing, &sites[place]) == 0;
    if (is_done)
        write_placed(placing, &written);
    free_written(&placing->placed);
    free_numbered(&placing->texts);
    return take_written(&written);
}

/* place_sites(sites, (text, line_starts, receiver_of, has_paths, most_qualifier),
   (own_names, owned, owners), (kinds, call, reference, predeclared, parameters, bound)) */
PyObject *place_sites(PyObject *module, PyObject *args)
{
    Py_buffer raw, text;
    Placing placing = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "y*(y*O!Opn)(O!O!O!)(O!LLO!O!O)", &raw, &text, &PyList_Type,
                          &placing.lines.offsets, &placing.receiver_of, &placing.has_paths,
                          &placing.most_qualifier, &PyList_Type, &placing.names.offsets, &PyList_Type,
                          &placing.owned.offsets, &PyList_Type, &placing.owners, &PyTuple_Type,
                          &placing.kinds, &placing.call, &placing.reference, &PyFrozenSet_Type, &placing.predeclared, &PyDict_Type,
                          &placing.parameters, &placing.bound))
        return NULL;
    placing.text = text.buf;
    placing.length = text.len;
    PyObject *placed = NULL;
    if (placing.bound != Py_None && !PyAnySet_Check(placing.bound))
        refuse("bound names come in a set");
    else
        placed = place_all(&placing, &raw);
    PyBuffer_Release(&raw);
    PyBuffer_Release(&text);
    return placed;
}
