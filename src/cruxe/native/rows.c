/* Symbols as rows of the database, in MessagePack: see store/records.py. */

#include "numbered.h"

enum { FIELDS = 11, COLUMNS = 13, ID_BYTES = 8, MOST_HEAD = 9 };

/* The fields of a symbol by their place: see model/symbols.py. */
enum {
    NAME, SCOPE, KIND, VISIBILITY, PARENT, FIRST_LINE, LAST_LINE, NAME_LINE, SIGNATURE, DOC,
    ID
};

typedef struct {
    unsigned long long version_key;
    PyObject *kinds, *visibilities; /* dicts: the number of each */
    PyObject *fold_name;            /* asked where a name is not ASCII */
    Numbered scopes;                /* as JSON */
    Written written;
} Rows;

static int is_strange(void) { return refuse("no symbol looks like this"); }

/* A byte that says what follows, and a number of so many bytes, the highest first. */
static void put_head(Written *written, int sign, uint64_t number, int bytes)
{
    put_byte(written, (char)sign);
    while (bytes-- > 0)
        put_byte(written, (char)(number >> 8 * bytes & 0xff));
}

static int write_natural(Written *written, uint64_t number)
{
    if (make_room(written, MOST_HEAD) < 0)
        return -1;
    if (number < 0x80)
        put_head(written, (int)number, 0, 0);
    else if (number <= UINT8_MAX)
        put_head(written, 0xcc, number, 1);
    else if (number <= UINT16_MAX)
        put_head(written, 0xcd, number, 2);
    else if (number <= UINT32_MAX)
        put_head(written, 0xce, number, 4);
    else
        put_head(written, 0xcf, number, 8);
    return 0;
}

static int write_number(Written *written, PyObject *told)
{
    int64_t number = told != NULL && PyLong_Check(told) ? PyLong_AsLongLong(told) : -1;
    return number < 0 ? is_strange() : write_natural(written, (uint64_t)number);
}

/* The head of a text, with room for the text itself. */
static int write_text_head(Written *written, size_t length)
{
    if (length > UINT32_MAX || make_room(written, length + MOST_HEAD) < 0)
        return is_strange();
    if (length < 32)
        put_head(written, 0xa0 | (int)length, 0, 0);
    else if (length <= UINT8_MAX)
        put_head(written, 0xd9, length, 1);
    else if (length <= UINT16_MAX)
        put_head(written, 0xda, length, 2);
    else
        put_head(written, 0xdb, length, 4);
    return 0;
}

static const char *utf8_of(PyObject *text, size_t *length)
{
    Py_ssize_t count = 0;
    const char *bytes = NULL;
    if (text != NULL && PyUnicode_Check(text))
        bytes = PyUnicode_AsUTF8AndSize(text, &count);
    *length = (size_t)count;
    return bytes;
}

static int write_text(Written *written, PyObject *text)
{
    size_t length;
    const char *bytes = utf8_of(text, &length);
    if (bytes == NULL || write_text_head(written, length) < 0)
        return is_strange();
    put_bytes(written, bytes, length);
    return 0;
}

/* How long a name of ASCII is without underscores, or with them if it has nothing else; -1 where it
   is not ASCII. */
static Py_ssize_t folded_length(const char *name, size_t length)
{
    size_t kept = 0;
    for (size_t place = 0; place < length; place++) {
        if ((unsigned char)name[place] > '~')
            return -1;
        kept += name[place] != '_';
    }
    return (Py_ssize_t)(kept > 0 ? kept : length);
}

static int write_folded(Rows *rows, PyObject *name)
{
    size_t length;
    const char *bytes = utf8_of(name, &length);
    Py_ssize_t kept = bytes == NULL ? 0 : folded_length(bytes, length);
    if (kept < 0) {
        PyObject *folded = PyObject_CallFunctionObjArgs(rows->fold_name, name, NULL);
        int written = folded == NULL ? -1 : write_text(&rows->written, folded);
        Py_XDECREF(folded);
        return written;
    }
    if (bytes == NULL || write_text_head(&rows->written, (size_t)kept) < 0)
        return is_strange();
    int is_all_kept = (size_t)kept == length;
    for (size_t place = 0; place < length; place++) {
        char character = bytes[place];
        if (character >= 'A' && character <= 'Z')
            character = (char)(character - 'A' + 'a');
        if (is_all_kept || character != '_')
            put_byte(&rows->written, character);
    }
    return 0;
}

static int digit_of(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

/* An id of hexadecimal digits as the bytes that they stand for. */
static int write_id(Written *written, PyObject *id)
{
    size_t length;
    const char *digits = utf8_of(id, &length);
    if (digits == NULL || length != 2 * ID_BYTES || make_room(written, ID_BYTES + 2) < 0)
        return is_strange();
    put_head(written, 0xc4, ID_BYTES, 1);
    for (size_t place = 0; place < length; place += 2) {
        int high = digit_of(digits[place]), low = digit_of(digits[place + 1]);
        if (high < 0 || low < 0)
            return is_strange();
        put_byte(written, (char)(high << 4 | low));
    }
    return 0;
}

/* The ordinal of a parent, or nothing where there is none. */
static int write_parent(Written *written, PyObject *parent)
{
    int64_t ordinal = parent != NULL && PyLong_Check(parent) ? PyLong_AsLongLong(parent) : -2;
    if (ordinal != -1)
        return write_number(written, parent);
    if (PyErr_Occurred() || make_room(written, 1) < 0)
        return -1;
    put_head(written, 0xc0, 0, 0);
    return 0;
}

/* The number of a scope, which is given one if it is new. */
static int write_scope(Rows *rows, PyObject *scope)
{
    if (scope == NULL || !PyUnicode_Check(scope) || write_json(&rows->scopes.texts, scope) < 0)
        return is_strange();
    int64_t number = number_text(&rows->scopes);
    return number < 0 ? -1 : write_natural(&rows->written, (uint64_t)number);
}

static int write_row(Rows *rows, PyObject *symbol)
{
    Written *written = &rows->written;
    PyObject *fields[FIELDS];
    if (!PyTuple_Check(symbol) || PyTuple_Size(symbol) != FIELDS || make_room(written, 1) < 0)
        return is_strange();
    for (Py_ssize_t place = 0; place < FIELDS; place++)
        fields[place] = PyTuple_GetItem(symbol, place);
    put_head(written, 0x90 | COLUMNS, 0, 0);
    int is_done =
        write_natural(written, rows->version_key) == 0 &&
        write_text(written, fields[NAME]) == 0 && write_folded(rows, fields[NAME]) == 0 &&
        write_scope(rows, fields[SCOPE]) == 0 &&
        write_number(written, PyDict_GetItemWithError(rows->kinds, fields[KIND])) == 0 &&
        write_number(written, PyDict_GetItemWithError(rows->visibilities, fields[VISIBILITY])) ==
            0 &&
        write_parent(written, fields[PARENT]) == 0;
    for (int place = FIRST_LINE; place <= NAME_LINE && is_done; place++)
        is_done = write_number(written, fields[place]) == 0;
    is_done = is_done && write_text(written, fields[SIGNATURE]) == 0 &&
              write_text(written, fields[DOC]) == 0 && write_id(written, fields[ID]) == 0;
    return is_done ? 0 : -1;
}

static int write_rows(Rows *rows, PyObject *symbols)
{
    Py_ssize_t count = PyTuple_Size(symbols);
    if (count > UINT32_MAX || make_room(&rows->written, MOST_HEAD) < 0)
        return is_strange();
    if (count < 16)
        put_head(&rows->written, 0x90 | (int)count, 0, 0);
    else if (count <= UINT16_MAX)
        put_head(&rows->written, 0xdc, (uint64_t)count, 2);
    else
        put_head(&rows->written, 0xdd, (uint64_t)count, 4);
    for (Py_ssize_t ordinal = 0; ordinal < count; ordinal++)
        if (write_row(rows, PyTuple_GetItem(symbols, ordinal)) < 0)
            return -1;
    return 0;
}

/* All scopes as one list of JSON. */
static int write_scopes(const Numbered *scopes, Written *written)
{
    if (write_bytes(written, "[", 1) < 0)
        return -1;
    for (size_t number = 0; number < scopes->count; number++) {
        Text scope = numbered_text(scopes, number);
        if (write_bytes(written, ",", number > 0) < 0 ||
            write_bytes(written, scope.bytes, scope.length) < 0)
            return -1;
    }
    return write_bytes(written, "]", 1);
}

/* pack_symbols(version_key, symbols, (kinds, visibilities), fold_name) */
PyObject *pack_symbols(PyObject *module, PyObject *args)
{
    PyObject *key, *symbols;
    Rows rows = {0};
    Written scopes = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!(O!O!)O", &PyLong_Type, &key, &PyTuple_Type, &symbols,
                          &PyDict_Type, &rows.kinds, &PyDict_Type, &rows.visibilities,
                          &rows.fold_name))
        return NULL;
    rows.version_key = PyLong_AsUnsignedLongLong(key);
    if (PyErr_Occurred()) /* no key is negative, and none has more than 64 bits */
        return NULL;
    if (write_rows(&rows, symbols) == 0)
        write_scopes(&rows.scopes, &scopes);
    free_numbered(&rows.scopes);
    PyObject *packed = take_written(&rows.written), *listed = take_written(&scopes);
    if (packed == NULL || listed == NULL) {
        Py_XDECREF(packed);
        Py_XDECREF(listed);
        return NULL;
    }
    return Py_BuildValue("NN", packed, listed);
}
