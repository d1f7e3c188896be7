/* What the kernel tells of changes in folders: see freshness/change_journal.py. */

#include "kernels.h"

#ifdef __linux__

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Of a name in a folder, or of the folder itself. */
#define NAMES_CHANGE (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
#define FOLDER_GOES (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW)
#define ASKED_FOR (IN_MODIFY | IN_ATTRIB | NAMES_CHANGE | IN_DELETE_SELF | IN_MOVE_SELF)
#define EVENT_BYTES 16384
#define LONGEST_PATH 4096

/* Listens to some folders from the moment it is made. */
typedef struct {
    PyObject_HEAD
    Py_buffer listing;    /* folders, each ended by NUL; the root is an empty path */
    const char **folders; /* by what the kernel calls them; it counts from one */
    Py_ssize_t count;
    int queue;
} FolderEvents;

/* Listen to one folder: 0, or the number of an error. One that is none is passed by. */
static int listen_to(FolderEvents *events, char *full, size_t root, const char *folder)
{
    size_t length = strlen(folder);
    if (root + length + 2 > LONGEST_PATH)
        return ENAMETOOLONG;
    full[root] = '/';
    memcpy(full + root + 1, folder, length + 1);
    if (!length)
        full[root] = 0;
    int wd = inotify_add_watch(events->queue, full, ASKED_FOR | IN_ONLYDIR | IN_DONT_FOLLOW);
    if (wd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    /* The same folder under two names would be told of under one. */
    if (wd > events->count || events->folders[wd] != NULL)
        return EEXIST;
    events->folders[wd] = folder;
    return 0;
}

static int listen_to_all(FolderEvents *events, const char *root)
{
    char full[LONGEST_PATH];
    size_t length = strlen(root);
    if (length + 2 > sizeof full)
        return ENAMETOOLONG;
    memcpy(full, root, length);
    const char *folder = events->listing.buf, *end = folder + events->listing.len;
    int failed = 0;
    for (; folder < end && !failed; folder += strlen(folder) + 1)
        failed = listen_to(events, full, length, folder);
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
    for (Py_ssize_t place = 0; place < events->listing.len; place++)
        events->count += !bytes[place];
    events->folders = PyMem_Calloc((size_t)events->count + 1, sizeof *events->folders);
    if (events->folders == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    Py_BEGIN_ALLOW_THREADS
    events->queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    failed = events->queue < 0 ? errno : listen_to_all(events, root);
    Py_END_ALLOW_THREADS
    if (!failed)
        return 0;
    errno = failed;
    PyErr_SetFromErrno(PyExc_OSError);
    return -1;
}

/* FolderEvents(root, folders) */
static PyObject *new_events(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const char *root;
    Py_buffer listing;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "yy*", &root, &listing))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    FolderEvents *events = (FolderEvents *)allocate(type, 0); /* all zero */
    if (events == NULL) {
        PyBuffer_Release(&listing);
        return NULL;
    }
    events->listing = listing;
    events->queue = -1;
    if (begin(events, root) < 0)
        Py_CLEAR(events);
    return (PyObject *)events;
}

static int add_path(PyObject *touched, const char *folder, const char *name)
{
    int is_inside = *folder && *name;
    PyObject *path = PyBytes_FromFormat("%s%s%s", folder, is_inside ? "/" : "", name);
    int added = path == NULL ? -1 : PySet_Add(touched, path);
    Py_XDECREF(path);
    return added;
}

/* Take one event: 1, or 0 where it is about folders or says that others are missing, or -1. */
static int take(const FolderEvents *events, const struct inotify_event *event, PyObject *touched)
{
    int is_known = event->wd > 0 && event->wd <= events->count && events->folders[event->wd];
    if (!is_known || event->mask & (IN_ISDIR | FOLDER_GOES))
        return 0;
    const char *folder = events->folders[event->wd];
    if (add_path(touched, folder, event->len ? event->name : "") < 0)
        return -1;
    /* A folder is stamped when a name in it comes or goes. */
    return event->mask & NAMES_CHANGE && add_path(touched, folder, "") < 0 ? -1 : 1;
}

/* Take what one read gave: as above. */
static int take_all(const FolderEvents *events, const char *at, const char *end, PyObject *touched)
{
    int taken = 1;
    while (taken == 1 && at < end) {
        const struct inotify_event *event = (const struct inotify_event *)(const void *)at;
        at += sizeof *event + event->len;
        taken = take(events, event, touched);
    }
    return taken;
}

/* touched(): the paths that were touched since it was last asked; None where nobody can tell. */
static PyObject *touched(FolderEvents *events, PyObject *unused)
{
    uint64_t buffer[EVENT_BYTES / sizeof(uint64_t)]; /* aligned as events must be */
    (void)unused;
    PyObject *found = PySet_New(NULL);
    int taken = 1;
    while (taken == 1 && found != NULL) {
        ssize_t length = read(events->queue, buffer, sizeof buffer);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && errno == EAGAIN)
            return found;
        const char *bytes = (const char *)buffer;
        taken = length <= 0 ? 0 : take_all(events, bytes, bytes + length, found);
    }
    Py_XDECREF(found);
    if (taken < 0 || found == NULL)
        return NULL;
    Py_RETURN_NONE;
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
    {"touched", (PyCFunction)touched, METH_NOARGS, NULL},
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
