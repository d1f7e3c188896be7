/* Whether files still have the stamps that are known of them: see discover/stamps.py. */

#include "kernels.h"

#ifndef _WIN32

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A file that is gone, or cannot be looked at, is unlike any; an empty path is the folder's own. */
static int is_unlike(int folder, const char *path, const int64_t *known)
{
    struct stat found;
    return fstatat(folder, *path ? path : ".", &found, AT_SYMLINK_NOFOLLOW) != 0 ||
           (int64_t)found.st_size != known[0] || nanoseconds(found.MODIFIED) != known[1] ||
           nanoseconds(found.CHANGED) != known[2] ||
           (int64_t)((uint64_t)found.st_ino & INT64_MAX) != known[3];
}

static int append_place(PyObject *places, Py_ssize_t place)
{
    PyObject *number = PyLong_FromSsize_t(place);
    int failed = number == NULL || PyList_Append(places, number) < 0;
    Py_XDECREF(number);
    return failed ? -1 : 0;
}

/* Append the places of paths, each ended by NUL, that are unlike what is known of them. */
static int append_unlike(
    PyObject *places, int folder, const Py_buffer *listing, const Py_buffer *numbers)
{
    const int64_t *known = numbers->buf;
    Py_ssize_t count = numbers->len / (NUMBERS * (Py_ssize_t)sizeof *known);
    const char *path = listing->buf, *end = path + listing->len;
    for (Py_ssize_t place = 0; place < count; place++, known += NUMBERS) {
        const char *nul = path == end ? NULL : memchr(path, 0, (size_t)(end - path));
        if (nul == NULL) {
            PyErr_SetString(PyExc_ValueError, "there are more stamps than paths");
            return -1;
        }
        if (known[0] >= NO_SIZE && is_unlike(folder, path, known) &&
            append_place(places, place) < 0)
            return -1;
        path = nul + 1;
    }
    return 0;
}

/* unlike_places(folder, listing, numbers) */
PyObject *unlike_places(PyObject *module, PyObject *args)
{
    const char *name;
    Py_buffer listing, numbers;
    (void)module;
    if (!PyArg_ParseTuple(args, "yy*y*", &name, &listing, &numbers))
        return NULL;
    PyObject *places = PyList_New(0);
    /* Where it cannot be opened, none of its paths can: all are unlike. */
    int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (places != NULL && append_unlike(places, folder, &listing, &numbers) < 0)
        Py_CLEAR(places);
    if (folder >= 0)
        close(folder);
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
