/* Whether files still have the stamps that are known of them: see workspace/stamps.py. */

#include "kernels.h"

#ifndef _WIN32

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBERS 4  /* size, time of change, time of the inode's change, inode */
#define NO_SIZE -1 /* below it a path has no stamps to compare */
#define BLOCK 256  /* paths that a thread takes at once */
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

/* A look at many files: a thread of its own begins it, and whoever waits for the end helps. */
typedef struct {
    PyObject_HEAD
    Py_buffer listing, numbers; /* paths, each ended by NUL, and what is known of each */
    Py_ssize_t count, block_count;
    const char **blocks; /* where the paths of each block begin */
    char *is_unlike;     /* a byte for each path */
    int folder;          /* where it cannot be opened, none of its paths can: all are unlike */
    int is_apart, is_told;
    pthread_t thread;
    atomic_llong next; /* the first block that nobody has taken */
} StampLook;

static void look_at_block(const StampLook *look, Py_ssize_t block)
{
    const char *path = look->blocks[block];
    Py_ssize_t place = block * BLOCK;
    Py_ssize_t end = place + BLOCK < look->count ? place + BLOCK : look->count;
    for (; place < end; place++, path += strlen(path) + 1) {
        const int64_t *known = (const int64_t *)look->numbers.buf + place * NUMBERS;
        look->is_unlike[place] = known[0] >= NO_SIZE && is_unlike(look->folder, path, known);
    }
}

static void *look_at_blocks(void *given)
{
    StampLook *look = given;
    long long block;
    while ((block = atomic_fetch_add(&look->next, 1)) < look->block_count)
        look_at_block(look, (Py_ssize_t)block);
    return NULL;
}

/* Find where each block of paths begins: 0, or -1 where there are fewer paths than stamps. */
static int find_blocks(StampLook *look)
{
    const char *path = look->listing.buf, *end = path + look->listing.len;
    for (Py_ssize_t place = 0; place < look->count; place++) {
        if (place % BLOCK == 0)
            look->blocks[place / BLOCK] = path;
        const char *nul = path == end ? NULL : memchr(path, 0, (size_t)(end - path));
        if (nul == NULL) {
            PyErr_SetString(PyExc_ValueError, "there are more stamps than paths");
            return -1;
        }
        path = nul + 1;
    }
    return 0;
}

static int begin(StampLook *look, const char *folder)
{
    look->count = look->numbers.len / (NUMBERS * (Py_ssize_t)sizeof(int64_t));
    look->block_count = (look->count + BLOCK - 1) / BLOCK;
    look->blocks = PyMem_Malloc(((size_t)look->block_count + 1) * sizeof *look->blocks);
    look->is_unlike = PyMem_Malloc((size_t)look->count + 1);
    if (look->blocks == NULL || look->is_unlike == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (find_blocks(look) < 0)
        return -1;
    look->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    look->is_apart = look->count >= FEWEST_FOR_A_THREAD &&
                     pthread_create(&look->thread, NULL, look_at_blocks, look) == 0;
    return 0;
}

/* StampLook(folder, listing, numbers) */
static PyObject *new_look(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const char *folder;
    Py_buffer listing, numbers;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "yy*y*", &folder, &listing, &numbers))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    StampLook *look = (StampLook *)allocate(type, 0); /* all zero */
    if (look == NULL) {
        PyBuffer_Release(&listing);
        PyBuffer_Release(&numbers);
        return NULL;
    }
    look->listing = listing;
    look->numbers = numbers;
    look->folder = -1;
    if (begin(look, folder) < 0)
        Py_CLEAR(look);
    return (PyObject *)look;
}

/* Wait for the thread, if there is one; the interpreter is not held meanwhile. */
static void finish(StampLook *look)
{
    int is_apart = look->is_apart;
    look->is_apart = 0;
    Py_BEGIN_ALLOW_THREADS
    look_at_blocks(look);
    if (is_apart)
        pthread_join(look->thread, NULL);
    Py_END_ALLOW_THREADS
}

/* places(): those of the paths that are unlike; told once. */
static PyObject *places(StampLook *look, PyObject *unused)
{
    (void)unused;
    if (look->is_told) {
        PyErr_SetString(PyExc_RuntimeError, "what was seen has been told");
        return NULL;
    }
    look->is_told = 1;
    finish(look);
    PyObject *found = PyList_New(0);
    for (Py_ssize_t place = 0; place < look->count && found != NULL; place++) {
        if (!look->is_unlike[place])
            continue;
        PyObject *number = PyLong_FromSsize_t(place);
        if (number == NULL || PyList_Append(found, number) < 0)
            Py_CLEAR(found);
        Py_XDECREF(number);
    }
    return found;
}

static void deallocate(StampLook *look)
{
    PyTypeObject *type = Py_TYPE((PyObject *)look);
    if (look->is_apart) {
        atomic_store(&look->next, look->block_count); /* nobody will ask: what is left can be */
        finish(look);
    }
    if (look->folder >= 0)
        close(look->folder);
    PyMem_Free(look->blocks);
    PyMem_Free(look->is_unlike);
    PyBuffer_Release(&look->listing);
    PyBuffer_Release(&look->numbers);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(look);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"places", (PyCFunction)places, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot look_slots[] = {
    {Py_tp_new, new_look},
    {Py_tp_dealloc, deallocate},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec stamp_look_spec = {
    "cruxe.native._kernels.StampLook", sizeof(StampLook), 0, Py_TPFLAGS_DEFAULT, look_slots,
};

/* What a path names, be it a link or not: whether it can be looked at. */
static int look_at(const char *path, struct stat *found)
{
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = lstat(path, found);
    Py_END_ALLOW_THREADS
    return !failed;
}

/* Whether a folder is there and no link, which is remembered; -1 for an error. */
static int is_real(const char *path, Py_ssize_t length, PyObject *real_folders)
{
    PyObject *folder = PyBytes_FromStringAndSize(path, length);
    int known = folder == NULL ? -1 : PySet_Contains(real_folders, folder);
    if (known == 0) {
        struct stat found;
        known = look_at(PyBytes_AsString(folder), &found) && !S_ISLNK(found.st_mode);
        if (known && PySet_Add(real_folders, folder) < 0)
            known = -1;
    }
    Py_XDECREF(folder);
    return known;
}

/* The same for all folders that a path below a root is in, from the outermost. */
static int are_real(const char *full, Py_ssize_t root, PyObject *real_folders)
{
    const char *slash = full + root;
    int real = 1;
    while (real == 1 && (slash = strchr(slash + 1, '/')) != NULL)
        real = is_real(full, slash - full, real_folders);
    return real;
}

/* stamps_at(full, root, real_folders): the stamps of a regular file, else None. */
PyObject *stamps_at(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    char *full;
    struct stat found;
    (void)module;
    if (count != 3 || !PySet_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "stamps_at takes a path, a length and a set");
        return NULL;
    }
    if (PyBytes_AsStringAndSize(args[0], &full, NULL) < 0)
        return NULL;
    Py_ssize_t root = PyLong_AsSsize_t(args[1]);
    if (root == -1 && PyErr_Occurred())
        return NULL;
    if (root < 0 || root >= PyBytes_Size(args[0])) {
        PyErr_SetString(PyExc_ValueError, "the root is no start of the path");
        return NULL;
    }
    int real = are_real(full, root, args[2]);
    if (real < 0)
        return NULL;
    if (!real || !look_at(full, &found) || !S_ISREG(found.st_mode))
        Py_RETURN_NONE;
    return Py_BuildValue("LLLL", (long long)found.st_size, (long long)nanoseconds(found.MODIFIED),
                         (long long)nanoseconds(found.CHANGED),
                         (long long)((uint64_t)found.st_ino & INT64_MAX));
}

#endif
