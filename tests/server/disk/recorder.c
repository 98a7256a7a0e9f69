/* A disk under observation: loaded before the C library (LD_PRELOAD), it writes down what a process does to the
 * files below one folder, and what it sends that a client may rely on. `power.py` reads that and lets the power
 * fail. Nothing is synced in truth; a disk can also be made small.
 *
 * Each entry of the record: kind, length of the path, inode, offset, length of the data; then path and data.
 *   C create   M make a folder   U unlink   R rename (data: the new path)
 *   W write    T truncate        B a sync begins    S it has ended    A an answer leaves
 *   F a write found the disk full
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 4096
#define SYNC_MICROSECONDS 300

static int record = -1;
static char root[PATH_MAX], limit_file[PATH_MAX];
static char *paths[DESCRIPTORS]; /* of open files below the root */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;


/* Observe what happens below a folder from now on. */
void observe_disk(const char *record_file, const char *folder, const char *limit) {
    snprintf(root, sizeof root, "%s", folder);
    snprintf(limit_file, sizeof limit_file, "%s", limit);
    record = (int)syscall(SYS_openat, AT_FDCWD, record_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
}

static int below(const char *path) {
    size_t length = strlen(root);
    if (record < 0 || path == NULL || strncmp(path, root, length) != 0) return 0;
    return path[length] == '/' || path[length] == 0;
}

static int known(int descriptor) {
    return record >= 0 && descriptor >= 0 && descriptor < DESCRIPTORS && paths[descriptor] != NULL;
}

static uint64_t inode(int descriptor) {
    struct stat found;
    return fstat(descriptor, &found) == 0 ? (uint64_t)found.st_ino : 0;
}

static void all_of(const void *data, size_t length) {
    while (length > 0) {
        long done = syscall(SYS_write, record, data, length);
        if (done <= 0) abort();
        data = (const char *)data + done;
        length -= (size_t)done;
    }
}

/* Write an entry down; the lock is held. */
static void note(char kind, const char *path, uint64_t inode, int64_t offset, const void *data, size_t length) {
    struct __attribute__((packed)) {
        char kind;
        uint32_t path_length;
        uint64_t inode;
        int64_t offset;
        uint32_t length;
    } head = {kind, (uint32_t)strlen(path), inode, offset, (uint32_t)length};
    all_of(&head, sizeof head);
    all_of(path, head.path_length);
    all_of(data, length);
}

/* A small disk */

static int64_t size_of(const char *folder) {
    int64_t sum = 0;
    DIR *listing = opendir(folder);
    if (listing == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        char path[PATH_MAX];
        struct stat found;
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &found) != 0) continue;
        sum += S_ISDIR(found.st_mode) ? size_of(path) : (int64_t)found.st_size;
    }
    closedir(listing);
    return sum;
}

static int64_t limit_now(void) {
    char text[32] = "";
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, limit_file, O_RDONLY, 0);
    if (descriptor < 0) return INT64_MAX;
    if (syscall(SYS_read, descriptor, text, sizeof text - 1) < 0) text[0] = 0;
    syscall(SYS_close, descriptor);
    return text[0] ? atoll(text) : INT64_MAX;
}

static int is_full(int descriptor, int64_t end) {
    struct stat found;
    int64_t limit = limit_now();
    if (limit == INT64_MAX || fstat(descriptor, &found) != 0 || end <= found.st_size) return 0;
    return size_of(root) + (end - found.st_size) > limit;
}

int statvfs64(const char *path, struct statvfs64 *found) {
    int (*real)(const char *, struct statvfs64 *) = dlsym(RTLD_NEXT, "statvfs64");
    int result = real(path, found);
    int64_t limit = limit_now();
    if (result == 0 && below(path) && limit != INT64_MAX) {
        int64_t left = limit - size_of(root);
        found->f_bavail = found->f_bfree = left > 0 ? (fsblkcnt64_t)left / found->f_frsize : 0;
    }
    return result;
}

int statvfs(const char *path, struct statvfs *found) { return statvfs64(path, (struct statvfs64 *)found); }

/* Files */

static int opened(int descriptor, const char *path, int flags, int existed) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) {
        paths[descriptor] = strdup(path);
        if (!existed) note('C', path, inode(descriptor), 0, "", 0);
        if (existed && (flags & O_TRUNC)) note('T', path, inode(descriptor), 0, "", 0);
    }
    return descriptor;
}

static int open_any(int folder, const char *path, int flags, mode_t mode) {
    if (!below(path)) return (int)syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat found;
    int existed = stat(path, &found) == 0;
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    opened(descriptor, path, flags, existed);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static mode_t mode_of(int flags, va_list rest) {
    return (flags & (O_CREAT | O_TMPFILE)) ? (mode_t)va_arg(rest, int) : 0;
}

#define OPEN(name)                                  \
    int name(const char *path, int flags, ...) {    \
        va_list rest;                               \
        va_start(rest, flags);                      \
        mode_t mode = mode_of(flags, rest);         \
        va_end(rest);                               \
        return open_any(AT_FDCWD, path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                         \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest;                                        \
        va_start(rest, flags);                               \
        mode_t mode = mode_of(flags, rest);                  \
        va_end(rest);                                        \
        return open_any(folder, path, flags, mode);          \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor) {
    if (known(descriptor)) {
        pthread_mutex_lock(&lock);
        free(paths[descriptor]);
        paths[descriptor] = NULL;
        pthread_mutex_unlock(&lock);
    }
    return (int)syscall(SYS_close, descriptor);
}

static ssize_t write_at(int descriptor, const void *data, size_t length, int64_t offset) {
    pthread_mutex_lock(&lock);
    ssize_t done = -1;
    if (is_full(descriptor, offset + (int64_t)length)) {
        note('F', paths[descriptor], inode(descriptor), offset, "", 0);
        errno = ENOSPC;
    } else {
        done = syscall(SYS_pwrite64, descriptor, data, length, offset);
        if (done > 0) note('W', paths[descriptor], inode(descriptor), offset, data, (size_t)done);
    }
    int kept = errno;
    pthread_mutex_unlock(&lock);
    errno = kept;
    return done;
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
    if (known(descriptor)) return write_at(descriptor, data, length, offset);
    return syscall(SYS_pwrite64, descriptor, data, length, offset);
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
    return pwrite(descriptor, data, length, offset);
}

static int truncated(int descriptor, int64_t length) {
    if (!known(descriptor)) return (int)syscall(SYS_ftruncate, descriptor, length);
    pthread_mutex_lock(&lock);
    int result = (int)syscall(SYS_ftruncate, descriptor, length);
    if (result == 0) note('T', paths[descriptor], inode(descriptor), length, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t length) { return truncated(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncated(descriptor, length); }

static int synced(int descriptor) {
    pthread_mutex_lock(&lock);
    note('B', paths[descriptor], inode(descriptor), 0, "", 0);
    pthread_mutex_unlock(&lock);
    usleep(SYNC_MICROSECONDS);
    pthread_mutex_lock(&lock);
    note('S', paths[descriptor], inode(descriptor), 0, "", 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int fsync(int descriptor) {
    return known(descriptor) ? synced(descriptor) : (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    return known(descriptor) ? synced(descriptor) : (int)syscall(SYS_fdatasync, descriptor);
}

/* Names */

static int named(char kind, long result, const char *path, const char *other) {
    if (result == 0) note(kind, path, 0, 0, other, strlen(other));
    int kept = errno;
    pthread_mutex_unlock(&lock);
    errno = kept;
    return (int)result;
}

int rename(const char *old, const char *new) {
    if (!below(new)) return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
    pthread_mutex_lock(&lock);
    return named('R', syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0), old, new);
}

int unlink(const char *path) {
    if (!below(path)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&lock);
    return named('U', syscall(SYS_unlinkat, AT_FDCWD, path, 0), path, "");
}

int mkdir(const char *path, mode_t mode) {
    if (!below(path)) return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    pthread_mutex_lock(&lock);
    return named('M', syscall(SYS_mkdirat, AT_FDCWD, path, mode), path, "");
}

/* Answers: written down before they leave */

static void answered(const void *data, size_t length) {
    if (record < 0 || length == 0) return;
    if (memmem(data, length, "\"type\":\"done\"", 13) || memmem(data, length, "\"type\":\"welcome\"", 16)) {
        pthread_mutex_lock(&lock);
        note('A', "", 0, 0, data, length);
        pthread_mutex_unlock(&lock);
    }
}

static void all_answered(const struct iovec *parts, size_t count) {
    for (size_t part = 0; part < count; part++) answered(parts[part].iov_base, parts[part].iov_len);
}

ssize_t write(int descriptor, const void *data, size_t length) {
    if (known(descriptor)) {
        ssize_t done = write_at(descriptor, data, length, lseek(descriptor, 0, SEEK_CUR));
        if (done > 0) lseek(descriptor, done, SEEK_CUR);
        return done;
    }
    answered(data, length);
    return syscall(SYS_write, descriptor, data, length);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    all_answered(parts, (size_t)count);
    return syscall(SYS_writev, descriptor, parts, count);
}

ssize_t send(int descriptor, const void *data, size_t length, int flags) {
    answered(data, length);
    return syscall(SYS_sendto, descriptor, data, length, flags, NULL, 0);
}

ssize_t sendto(int descriptor, const void *data, size_t length, int flags, const struct sockaddr *to, socklen_t size) {
    answered(data, length);
    return syscall(SYS_sendto, descriptor, data, length, flags, to, size);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    all_answered(message->msg_iov, message->msg_iovlen);
    return syscall(SYS_sendmsg, descriptor, message, flags);
}
