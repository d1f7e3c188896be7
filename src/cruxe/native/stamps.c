/* Whether files still have the stamps that are known of them: see discover/stamps.py. */

#include "kernels.h"

#ifndef _WIN32

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBERS 4  /* size, time of change, time of the inode's change, inode */
#define NO_SIZE -1 /* below it a path has no stamps to compare */
#define FEWEST_FOR_A_THREAD 1000 /* with fewer, to start one takes as long as it saves */
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

/* Some paths that follow each other, each ended by NUL, and what is known of them. */
typedef struct {
    int folder;
    const char *path;
    const int64_t *known;
    Py_ssize_t count;
    char *is_unlike; /* a byte for each */
} Stretch;

static void *look_at(void *given)
{
    const Stretch *stretch = given;
    const char *path = stretch->path;
    for (Py_ssize_t place = 0; place < stretch->count; place++, path += strlen(path) + 1) {
        const int64_t *known = stretch->known + place * NUMBERS;
        stretch->is_unlike[place] =
            known[0] >= NO_SIZE && is_unlike(stretch->folder, path, known);
    }
    return NULL;
}

/* What follows the first so many paths; NULL where there are fewer. */
static const char *skip_paths(const char *path, const char *end, Py_ssize_t count)
{
    for (; count > 0 && path != NULL; count--) {
        const char *nul = path == end ? NULL : memchr(path, 0, (size_t)(end - path));
        path = nul == NULL ? NULL : nul + 1;
    }
    return path;
}

/* Look at a stretch, its second half on another core: the kernel takes nearly all of the time. */
static void look_at_halves(Stretch whole, const char *middle)
{
    Stretch half = whole, rest = whole;
    half.count = whole.count / 2;
    rest.count = whole.count - half.count;
    rest.path = middle;
    rest.known += half.count * NUMBERS;
    rest.is_unlike += half.count;
    pthread_t thread;
    int is_apart = whole.count >= FEWEST_FOR_A_THREAD &&
                   pthread_create(&thread, NULL, look_at, &rest) == 0;
    look_at(&half);
    if (is_apart)
        pthread_join(thread, NULL);
    else
        look_at(&rest);
}

static PyObject *places_of(const char *is_unlike, Py_ssize_t count)
{
    PyObject *places = PyList_New(0);
    for (Py_ssize_t place = 0; place < count && places != NULL; place++) {
        if (!is_unlike[place])
            continue;
        PyObject *number = PyLong_FromSsize_t(place);
        if (number == NULL || PyList_Append(places, number) < 0)
            Py_CLEAR(places);
        Py_XDECREF(number);
    }
    return places;
}

static PyObject *find_unlike(const char *name, const Py_buffer *listing, const Py_buffer *numbers)
{
    Py_ssize_t count = numbers->len / (NUMBERS * (Py_ssize_t)sizeof(int64_t));
    const char *start = listing->buf, *end = start + listing->len;
    const char *middle = skip_paths(start, end, count / 2);
    if (middle == NULL || skip_paths(middle, end, count - count / 2) == NULL) {
        PyErr_SetString(PyExc_ValueError, "there are more stamps than paths");
        return NULL;
    }
    char *is_unlike = PyMem_Malloc((size_t)count + 1);
    if (is_unlike == NULL)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    /* Where it cannot be opened, none of its paths can: all are unlike. */
    int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    look_at_halves((Stretch){folder, start, numbers->buf, count, is_unlike}, middle);
    if (folder >= 0)
        close(folder);
    Py_END_ALLOW_THREADS
    PyObject *places = places_of(is_unlike, count);
    PyMem_Free(is_unlike);
    return places;
}

/* unlike_places(folder, listing, numbers) */
PyObject *unlike_places(PyObject *module, PyObject *args)
{
    const char *name;
    Py_buffer listing, numbers;
    (void)module;
    if (!PyArg_ParseTuple(args, "yy*y*", &name, &listing, &numbers))
        return NULL;
    PyObject *places = find_unlike(name, &listing, &numbers);
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
