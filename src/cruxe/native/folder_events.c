/* An inotify queue over many folders: see freshness/file_events.py, which reads its masks. */

#include "kernels.h"

#ifdef __linux__

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define EVENT_BYTES 16384
#define LONGEST_PATH 4096

/* Watches some folders from the moment it is made. */
typedef struct {
    PyObject_HEAD
    Py_buffer listing;    /* folders, each ended by NUL; the root is an empty path */
    const char **folders; /* by watch descriptor; the kernel counts from one */
    Py_ssize_t count;
    unsigned int mask; /* of each watch: events and options */
    int queue;
} FolderEvents;

/* Watch one folder: 0, or errno. A path that is gone or no folder is skipped. */
static int watch_folder(FolderEvents *events, char *full, size_t root, const char *folder)
{
    size_t length = strlen(folder);
    if (root + length + 2 > LONGEST_PATH)
        return ENAMETOOLONG;
    full[root] = '/';
    memcpy(full + root + 1, folder, length + 1);
    if (!length)
        full[root] = 0;
    int wd = inotify_add_watch(events->queue, full, events->mask);
    if (wd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    /* Events of a folder with two names would be reported under one of them. */
    if (wd > events->count || events->folders[wd] != NULL)
        return EEXIST;
    events->folders[wd] = folder;
    return 0;
}

static int watch_all(FolderEvents *events, const char *root)
{
    char full[LONGEST_PATH];
    size_t length = strlen(root);
    if (length + 2 > sizeof full)
        return ENAMETOOLONG;
    memcpy(full, root, length);
    const char *folder = events->listing.buf, *end = folder + events->listing.len;
    int failed = 0;
    for (; folder < end && !failed; folder += strlen(folder) + 1)
        failed = watch_folder(events, full, length, folder);
    return failed;
}

static int begin(FolderEvents *events, const char *root)
{
    const char *bytes = events->listing.buf;
    int failed;
    if (events->listing.len && bytes[events->listing.len - 1]) {
        PyErr_SetString(PyExc_ValueError, "the last folder has no end");
        return -1;
    }
    for (Py_ssize_t index = 0; index < events->listing.len; index++)
        events->count += !bytes[index];
    events->folders = PyMem_Calloc((size_t)events->count + 1, sizeof *events->folders);
    if (events->folders == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS
    events->queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    failed = events->queue < 0 ? errno : watch_all(events, root);
    Py_END_ALLOW_THREADS
    if (!failed)
        return 0;
    errno = failed;
    PyErr_SetFromErrno(PyExc_OSError);
    return -1;
}

/* FolderEvents(root, folders, mask) */
static PyObject *new_events(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const char *root;
    Py_buffer listing;
    unsigned int mask;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "yy*I", &root, &listing, &mask))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    FolderEvents *events = (FolderEvents *)allocate(type, 0); /* all zero */
    if (events == NULL) {
        PyBuffer_Release(&listing);
        return NULL;
    }
    events->listing = listing;
    events->mask = mask;
    events->queue = -1;
    if (begin(events, root) < 0)
        Py_CLEAR(events);
    return (PyObject *)events;
}

/* Append one event as (path, mask): 0, or -1. An event of no watched folder has an empty path. */
static int append(const FolderEvents *events, const struct inotify_event *event, PyObject *found)
{
    int is_known = event->wd > 0 && event->wd <= events->count && events->folders[event->wd];
    const char *folder = is_known ? events->folders[event->wd] : "";
    const char *name = is_known && event->len ? event->name : "";
    const char *separator = *folder && *name ? "/" : "";
    PyObject *path = PyBytes_FromFormat("%s%s%s", folder, separator, name);
    PyObject *pair = path == NULL ? NULL : Py_BuildValue("(NI)", path, (unsigned int)event->mask);
    int failed = pair == NULL ? -1 : PyList_Append(found, pair);
    Py_XDECREF(pair);
    return failed;
}

static int append_all(const FolderEvents *events, const char *at, const char *end, PyObject *found)
{
    int failed = 0;
    while (!failed && at < end) {
        const struct inotify_event *event = (const struct inotify_event *)(const void *)at;
        at += sizeof *event + event->len;
        failed = append(events, event, found);
    }
    return failed;
}

/* drain(): the events in the queue, which is empty then. */
static PyObject *drain(FolderEvents *events, PyObject *unused)
{
    uint64_t buffer[EVENT_BYTES / sizeof(uint64_t)]; /* aligned as events must be */
    (void)unused;
    PyObject *found = PyList_New(0);
    int failed = found == NULL;
    while (!failed) {
        ssize_t length = read(events->queue, buffer, sizeof buffer);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && errno == EAGAIN)
            return found;
        const char *bytes = (const char *)buffer;
        failed = length <= 0 || append_all(events, bytes, bytes + length, found);
        if (length <= 0)
            PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_XDECREF(found);
    return NULL;
}

/* fileno(): readable while there are events. */
static PyObject *queue_number(FolderEvents *events, PyObject *unused)
{
    (void)unused;
    return PyLong_FromLong(events->queue);
}

static void deallocate(FolderEvents *events)
{
    PyTypeObject *type = Py_TYPE((PyObject *)events);
    if (events->queue >= 0)
        close(events->queue);
    PyMem_Free(events->folders);
    PyBuffer_Release(&events->listing);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(events);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"drain", (PyCFunction)drain, METH_NOARGS, NULL},
    {"fileno", (PyCFunction)queue_number, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot event_slots[] = {
    {Py_tp_new, new_events},
    {Py_tp_dealloc, deallocate},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec folder_events_spec = {
    "cruxe.native._kernels.FolderEvents", sizeof(FolderEvents), 0, Py_TPFLAGS_DEFAULT, event_slots,
};

#endif
