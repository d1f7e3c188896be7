/* Whether bytes are valid UTF-8, without decoding them: see workspace/decode.py. */

#include "kernels.h"
#include <stdint.h>
#include <string.h>

#define HIGH_BITS 0x8080808080808080u
#define FIRST_SURROGATE 0xD800u
#define LAST_SURROGATE 0xDFFFu
#define LAST_CHARACTER 0x10FFFFu

static const unsigned char *skip_ascii(const unsigned char *at, const unsigned char *end)
{
    uint64_t eight;
    for (; (size_t)(end - at) >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, at, sizeof eight);
        if (eight & HIGH_BITS)
            break;
    }
    while (at < end && *at < 0x80)
        at++;
    return at;
}

static int is_character(uint32_t code, int length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return code >= least[length] && code <= LAST_CHARACTER &&
           (code < FIRST_SURROGATE || code > LAST_SURROGATE);
}

/* The length of the character of several bytes that begins here, or 0 if none does. */
static int character_length(const unsigned char *at, const unsigned char *end)
{
    int length = *at >= 0xF0 ? 4 : *at >= 0xE0 ? 3 : 2;
    if (*at < 0xC2 || *at > 0xF4 || end - at < length)
        return 0;
    uint32_t code = *at & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3Fu);
    }
    return is_character(code, length) ? length : 0;
}

PyObject *is_utf8(PyObject *module, PyObject *args)
{
    const unsigned char *at, *end;
    Py_ssize_t size;
    int length = 1;
    (void)module;
    if (!PyArg_ParseTuple(args, "y#", (const char **)&at, &size))
        return NULL;
    end = at + size;
    while ((at = skip_ascii(at, end)) < end && (length = character_length(at, end)) > 0)
        at += length;
    return PyBool_FromLong(at == end);
}
