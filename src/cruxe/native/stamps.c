/* Whether files still have the stamps that are known of them: see discover/stamps.py. */

#include "kernels.h"

#ifndef _WIN32

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#define NUMBERS 4  /* size, time of change, time of the inode's change, inode */
#define NO_SIZE -1 /* below it a path has no stamps to compare */
#define NANOSECONDS 1000000000LL

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#define CHANGED st_ctimespec
#else
#define MODIFIED st_mtim
#define CHANGED st_ctim
#endif

static int64_t nanoseconds(struct timespec time)
{
    return (int64_t)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

/* A file that is gone, or cannot be looked at, is unlike any. */
static int is_unlike(const char *path, const int64_t *known)
{
    struct stat found;
    return lstat(path, &found) != 0 || (int64_t)found.st_size != known[0] ||
           nanoseconds(found.MODIFIED) != known[1] || nanoseconds(found.CHANGED) != known[2] ||
           (int64_t)((uint64_t)found.st_ino & INT64_MAX) != known[3];
}

/* Append the places of paths, each ended by NUL, that are unlike what is known of them. */
static int append_unlike(PyObject *places, char *path, size_t prefix, const Py_buffer *listing,
                         const Py_buffer *numbers)
{
    const int64_t *known = numbers->buf;
    Py_ssize_t count = numbers->len / (NUMBERS * (Py_ssize_t)sizeof *known);
    const char *next = listing->buf, *end = next + listing->len;
    for (Py_ssize_t place = 0; place < count; place++, known += NUMBERS) {
        const char *nul = memchr(next, 0, (size_t)(end - next));
        if (nul == NULL) {
            PyErr_SetString(PyExc_ValueError, "there are more stamps than paths");
            return -1;
        }
        size_t length = (size_t)(nul - next) + 1;
        int fits = prefix + length <= PATH_MAX;
        if (fits)
            memcpy(path + prefix, next, length);
        next += length;
        if (known[0] < NO_SIZE || (fits && !is_unlike(path, known)))
            continue;
        PyObject *number = PyLong_FromSsize_t(place);
        int failed = number == NULL || PyList_Append(places, number) < 0;
        Py_XDECREF(number);
        if (failed)
            return -1;
    }
    return 0;
}

/* unlike_places(prefix, listing, numbers) */
PyObject *unlike_places(PyObject *module, PyObject *args)
{
    Py_buffer prefix, listing, numbers;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*y*", &prefix, &listing, &numbers))
        return NULL;
    char path[PATH_MAX];
    PyObject *places = NULL;
    if (prefix.len >= PATH_MAX) {
        PyErr_SetString(PyExc_ValueError, "the folder's path is too long");
    } else if ((places = PyList_New(0)) != NULL) {
        memcpy(path, prefix.buf, (size_t)prefix.len);
        if (append_unlike(places, path, (size_t)prefix.len, &listing, &numbers) < 0) {
            Py_DECREF(places);
            places = NULL;
        }
    }
    PyBuffer_Release(&prefix);
    PyBuffer_Release(&listing);
    PyBuffer_Release(&numbers);
    return places;
}

#else

/* There the standard library makes a file's stamps from several calls; it is asked. */
PyObject *unlike_places(PyObject *module, PyObject *args)
{
    (void)module, (void)args;
    PyErr_SetString(PyExc_NotImplementedError, "not on this system");
    return NULL;
}

#endif
