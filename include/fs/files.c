/* files.c: the calls on files, as the journaling file system ext4 answers them, in C on ordinary locks and memory.
 *
 * What is done to the disk is told through disk.h; which of it survives a crash, and in which order, is a question for the persistency model
 * (`--persist ext4`, `posix`, `persevere`, or a file of yours). Sets of the events:
 *
 *   DATA             a byte of a file
 *   SIZE             the size of a file on the disk. With TRUNC: set by a truncation. What data=ordered writes back before it: with ALL, all data below
 *                    it; with GROWN, the data between the size before it and it
 *   DIR              an entry of the directory: the address of an inode, or 0
 *   JBEGIN JEND      a transaction begins or ends, in the inode that is written between the two
 *   FSYNC FDATASYNC  calls that force one inode; SYNC: everything
 *   FAILED           a force of one inode that has failed: with the word fsync-fails
 *   JPOINT           where PerSeVerE's model of ext4 forces an inode without a call
 *
 * One flat directory, constant names, descriptors that are never used again. The order of the steps follows GenMC's description of ext4
 * (Kokologiannakis, Kaysin, Raad, Vafeiadis: PerSeVerE, POPL 2021). Words of `--persist-with` are macros here: HMC_WITH_BLOCK=4. */
#define _GNU_SOURCE
#include <disk.h>
#include <errno.h>
#include <fcntl.h>
#include <hmc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef HMC_WITH_BLOCK
enum { BLOCK = HMC_WITH_BLOCK };
#else
enum { BLOCK = 2 };
#endif
#ifdef HMC_WITH_LARGEST
enum { LARGEST = HMC_WITH_LARGEST };
#else
enum { LARGEST = 64 };
#endif
#ifdef HMC_WITH_DATA_JOURNAL
enum { JOURNALS_DATA = 1 };
#else
enum { JOURNALS_DATA = 0 };
#endif
#ifdef HMC_WITH_WRITEBACK
enum { WRITES_BACK = 1 };
#else
enum { WRITES_BACK = 0 };
#endif
#if defined HMC_WITH_NODELALLOC || defined HMC_WITH_DATA_JOURNAL || defined HMC_WITH_WRITEBACK
enum { DELAYS = 0 };
#else
enum { DELAYS = 1 };
#endif

/* The default is what a disk has; nodelalloc waits at each size (data=ordered only). */
#if defined HMC_WITH_NODELALLOC && !defined HMC_WITH_DATA_JOURNAL && !defined HMC_WITH_WRITEBACK
enum { WAITS_FOR_SIZES = 1 };
#else
enum { WAITS_FOR_SIZES = 0 };
#endif

enum { UNIT = 512, NAMES = 120, INODES = 16, THREADS = 16, OPEN = 8 };
/* Words of a thread: how many files it has opened; whether it is the recovery. */
enum { OPENED = 15, RECOVERS = 14 };
_Static_assert(LARGEST <= 480, "a file of more bytes than an inode has room for");

const unsigned long __hmc_unit_block = BLOCK;
const unsigned long __hmc_unit_inode = UNIT;

/* On the disk. */
struct inode {
    unsigned char data[LARGEST];
    int size __attribute__((aligned(4)));
    int mark;
} __attribute__((aligned(UNIT)));

struct directory {
    unsigned entry[NAMES];
    int mark;
} __attribute__((aligned(UNIT)));

static hmc_persistent struct directory directory;
static hmc_persistent struct inode inodes[INODES];

/* In memory. */
static pthread_mutex_t directory_lock = PTHREAD_MUTEX_INITIALIZER;
static int made;
static struct file {
    pthread_mutex_t lock;
    _Atomic int size;
} files[INODES];
static struct open_file {
    /* While it is open: its inode from 1 on, and its flags. */
    _Atomic long what;
    off_t at;
    pthread_mutex_t lock;
} opened[THREADS * OPEN];

enum { DIRECTORY = -1 };

/* A descriptor, looked up. */
struct use {
    struct open_file *file;
    int inode;
    int flags;
};

static unsigned long recovers(void) { return __hmc_word(RECOVERS); }

void __hmc_recovery_begins(void) { __hmc_set_word(RECOVERS, 1); }

static void lock(pthread_mutex_t *mutex)
{
    if (!recovers())
        pthread_mutex_lock(mutex);
}

static void unlock(pthread_mutex_t *mutex)
{
    if (!recovers())
        pthread_mutex_unlock(mutex);
}

#define STORE(sets, place, value) __hmc_disk_store(sets, sizeof *(place), place, (unsigned long)(value))
#define LOAD(place) __hmc_disk_load("", sizeof *(place), place)

#ifdef HMC_WITH_ERRORS
#define FAIL(code, text) return __hmc_wrong(#code ": " text), errno = (code), -1
#else
#define FAIL(code, text) return errno = (code), -1
#endif

/* A file that would be longer than the largest one: disks have room for it, so the program is not told of a failure that it would never see. */
#define TEXT_OF(word) #word
#define NUMBER_IN_TEXT(number) TEXT_OF(number)
#ifdef HMC_WITH_LARGEST
#define LARGEST_SAID NUMBER_IN_TEXT(HMC_WITH_LARGEST)
#else
#define LARGEST_SAID "64"
#endif
#ifdef HMC_WITH_ERRORS
#define TOO_LONG FAIL(EFBIG, "a file would be longer than the largest one")
#else
#define TOO_LONG return __hmc_unsupported("a file of more than " LARGEST_SAID " bytes; `--persist-with largest=N` makes room for up to 480"), -1
#endif

/* A transaction that is under way when the crash comes never happened: the recovery that finds its mark is cut off. */
static void see_no_transaction(int *mark)
{
    if (recovers()) {
        hmc_assume(!LOAD(mark));
        return;
    }
    while (LOAD(mark))
        ;
}

static void put_size(struct inode *inode, int size, const int kind)
{
    switch (kind) {
    case 0: STORE("SIZE", &inode->size, size); break;
    case 1: STORE("SIZE ALL", &inode->size, size); break;
    case 2: STORE("SIZE GROWN", &inode->size, size); break;
    case 3: STORE("SIZE TRUNC", &inode->size, size); break;
    default: STORE("SIZE TRUNC GROWN", &inode->size, size); break;
    }
    if (WAITS_FOR_SIZES)
        __hmc_disk_force("JPOINT", inode);
}
enum { MADE, ALL, GROWN, CUT, EXTENDED };

static unsigned long slot(const char *name)
{
    unsigned long number = __hmc_name(name);
    if (number >= NAMES)
        __hmc_unsupported("more constant texts than the directory has room for (120)");
    return number;
}

static unsigned look_up(unsigned long name)
{
    see_no_transaction(&directory.mark);
    return LOAD(&directory.entry[name]);
}

static void put_entry(unsigned long name, unsigned inode)
{
    __hmc_disk_force("JPOINT", &directory);
    STORE("DIR", &directory.entry[name], inode);
    if (JOURNALS_DATA)
        __hmc_disk_force("JPOINT", &directory);
}

static unsigned address_of(int number) { return (unsigned)(unsigned long)&inodes[number]; }

static int number_of(unsigned address) { return (int)((address - address_of(0)) / UNIT); }

static int make_inode(void)
{
    int number = made;
    if (number >= INODES)
        __hmc_unsupported("more than 16 files are created");
    made = number + 1;
    struct inode *inode = &inodes[number];
    STORE("JEND", &inode->mark, 0);
    put_size(inode, 0, MADE);
    return number;
}

static int get_size(int number)
{
    if (recovers())
        return (int)LOAD(&inodes[number].size);
    return atomic_load_explicit(&files[number].size, memory_order_acquire);
}

static void set_size(int number, int size)
{
    atomic_store_explicit(&files[number].size, size, memory_order_release);
}

static void put_zeros(struct inode *inode, int from, int to)
{
    for (int at = from; at < to; at++)
        STORE("DATA", &inode->data[at], 0);
}

/* Descriptors. They are never used again, so that a closed one is known as such. */
static int new_descriptor(int inode, int flags)
{
    unsigned long n = __hmc_word(OPENED), thread = __hmc_thread();
    if (n >= OPEN || thread >= THREADS)
        __hmc_unsupported("a thread opens more than 8 files, or there are more than 16 threads");
    __hmc_set_word(OPENED, n + 1);
    int fd = (int)(thread * OPEN + n);
    atomic_store_explicit(&opened[fd].what, (long)(inode + 2) << 32 | (flags & ~O_TRUNC), memory_order_release);
    return fd + 3;
}

static struct use get_file(int fd)
{
    struct use use = { 0, 0, 0 };
    if (fd < 3 || fd >= THREADS * OPEN + 3)
        return use;
    long what = atomic_load_explicit(&opened[fd - 3].what, memory_order_acquire);
    if (!what)
        return use;
    use.file = &opened[fd - 3];
    use.inode = (int)(what >> 32) - 2;
    use.flags = (int)what;
    return use;
}

static int may_read(struct use use) { return (use.flags & O_ACCMODE) != O_WRONLY; }
static int may_write(struct use use) { return (use.flags & O_ACCMODE) != O_RDONLY; }

static int cut_to(int number, off_t length)
{
    if (length < 0)
        FAIL(EINVAL, "a negative length of a file");
    struct inode *inode = &inodes[number];
    struct file *file = &files[number];
    lock(&file->lock);
    int size = get_size(number), kind = CUT;
    if (length > size) {
        if (length > LARGEST) {
            unlock(&file->lock);
            TOO_LONG;
        }
        put_zeros(inode, size, (int)length);
        kind = EXTENDED;
    }
    put_size(inode, (int)length, kind);
    set_size(number, (int)length);
    if (!WRITES_BACK)
        __hmc_disk_force("JPOINT", inode);
    unlock(&file->lock);
    return 0;
}

/* Flags of open that have a meaning here, and those that make no difference. */
enum {
    KNOWN = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_SYNC | O_DSYNC | O_DIRECTORY
        | O_CLOEXEC | O_NOATIME | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK
};

int open(const char *path, int flags, ...)
{
    if (flags & ~KNOWN) {
#ifndef HMC_WITH_ERRORS
        __hmc_unsupported("a flag of `open` that is not modelled");
#endif
        FAIL(EINVAL, "a flag of `open` that is not known");
    }
    if (__hmc_name(path) == __hmc_name(".")) {
        if ((flags & O_ACCMODE) != O_RDONLY)
            FAIL(EISDIR, "the directory is opened for writing");
        return new_descriptor(DIRECTORY, flags);
    }
    if (flags & O_DIRECTORY)
        FAIL(ENOTDIR, "a file is opened as a directory");
    if ((flags & O_TRUNC) && (flags & O_ACCMODE) == O_RDONLY)
        FAIL(EINVAL, "a file is truncated that is not opened for writing");
    unsigned long name = slot(path);
    unsigned found;
    if (flags & O_CREAT) {
        lock(&directory_lock);
        found = look_up(name);
        if (found && (flags & O_EXCL)) {
            unlock(&directory_lock);
            FAIL(EEXIST, "a file that is to be created exists");
        }
        if (!found) {
#ifndef HMC_WITH_RECOVERY_WRITES
            if (recovers())
                __hmc_wrong("the recovery creates a file");
#endif
            found = address_of(make_inode());
            put_entry(name, found);
            flags &= ~O_TRUNC;
        }
        unlock(&directory_lock);
    } else {
        found = look_up(name);
    }
    if (!found)
        FAIL(ENOENT, "a file that is opened does not exist");
    int fd = new_descriptor(number_of(found), flags);
    if ((flags & O_TRUNC) && cut_to(number_of(found), 0) < 0)
        return -1;
    return fd;
}

int creat(const char *path, mode_t mode)
{
    (void)mode;
    return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int close(int fd)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is closed that is not open");
    atomic_store_explicit(&use.file->what, 0, memory_order_release);
    return 0;
}

static ssize_t read_at(struct use use, char *to, size_t count, off_t at)
{
    if (use.inode == DIRECTORY)
        FAIL(EISDIR, "the directory is read as a file");
    if (!may_read(use))
        FAIL(EBADF, "a file is read that is not opened for reading");
    struct inode *inode = &inodes[use.inode];
    int size = get_size(use.inode);
    if (at >= size)
        return 0;
    int n = size - (int)at < (int)count ? size - (int)at : (int)count;
    for (int i = 0; i < n; i++)
        to[i] = (char)LOAD(&inode->data[at + i]);
    if (JOURNALS_DATA)
        see_no_transaction(&inode->mark);
    return n;
}

ssize_t read(int fd, void *to, size_t count)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is read that is not open");
    lock(&use.file->lock);
    ssize_t n = read_at(use, to, count, use.file->at);
    if (n > 0)
        use.file->at += n;
    unlock(&use.file->lock);
    return n;
}

ssize_t pread(int fd, void *to, size_t count, off_t at)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is read that is not open");
    if (at < 0)
        FAIL(EINVAL, "a negative offset");
    return read_at(use, to, count, at);
}

/* Bytes of a file, block by block; the inode is locked. */
static void put_bytes(int number, const char *from, int count, int at, int size)
{
    struct inode *inode = &inodes[number];
    int rest = size % BLOCK, end = size - rest + BLOCK, after = at + count;
    /* Delayed allocation: the last block is there already, so its end becomes part of the file before there is anything in it. */
    if (DELAYS && rest && ((at <= size && size < after) || (at < end && end <= after) || (size <= at && after <= end))) {
        int to = end < after ? end : after;
        put_zeros(inode, size, to);
        put_size(inode, to, GROWN);
    }
    if (at > size)
        put_zeros(inode, size, at);
    int kind = ALL;
    while (at < after) {
        int next = at - at % BLOCK + BLOCK;
        if (next > after)
            next = after;
        if (JOURNALS_DATA)
            STORE("JBEGIN", &inode->mark, 1);
        for (; at < next; at++)
            STORE("DATA", &inode->data[at], *from++);
        if (next > size) {
            put_size(inode, next, kind);
            set_size(number, next);
            size = next;
            kind = GROWN;
        }
        if (JOURNALS_DATA) {
            STORE("JEND", &inode->mark, 0);
            __hmc_disk_force("JPOINT", inode);
        }
    }
}

static ssize_t write_at(struct use use, const char *from, size_t count, off_t at)
{
    if (use.inode == DIRECTORY || !may_write(use))
        FAIL(EBADF, "a file is written that is not opened for writing");
    /* Linux refuses such a length before it looks at the file. */
    if ((ssize_t)count < 0)
        return errno = EINVAL, -1;
    int number = use.inode, n = count <= LARGEST ? (int)count : LARGEST + 1;
    lock(&files[number].lock);
    if (n > 0) {
        int size = get_size(number);
        if (use.flags & O_APPEND)
            at = size;
        if (at > LARGEST || n > LARGEST - at) {
            unlock(&files[number].lock);
            TOO_LONG;
        }
        put_bytes(number, from, n, (int)at, size);
    }
    unlock(&files[number].lock);
    if (n > 0 && (use.flags & (O_SYNC | O_DSYNC)))
        __hmc_disk_force("FSYNC", &inodes[number]);
    return n;
}

ssize_t write(int fd, const void *from, size_t count)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is written that is not open");
    lock(&use.file->lock);
    ssize_t n = write_at(use, from, count, use.file->at);
    if (n >= 0)
        use.file->at += n;
    unlock(&use.file->lock);
    return n;
}

ssize_t pwrite(int fd, const void *from, size_t count, off_t at)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is written that is not open");
    if (at < 0)
        FAIL(EINVAL, "a negative offset");
    return write_at(use, from, count, at);
}

off_t lseek(int fd, off_t by, int from)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is moved that is not open");
    if (use.inode == DIRECTORY)
        FAIL(EISDIR, "the directory is read as a file");
    lock(&use.file->lock);
    int size = get_size(use.inode);
    off_t at = from == SEEK_SET ? by : from == SEEK_CUR ? use.file->at + by : from == SEEK_END ? size + by : -1;
    if (at >= 0)
        use.file->at = at;
    unlock(&use.file->lock);
    if (at < 0)
        FAIL(EINVAL, "a place in front of a file");
    return at;
}

int link(const char *old, const char *new)
{
    unsigned long from = slot(old), to = slot(new);
    lock(&directory_lock);
    unsigned inode = look_up(from);
    if (!inode) {
        unlock(&directory_lock);
        FAIL(ENOENT, "a file that is linked does not exist");
    }
    if (look_up(to)) {
        unlock(&directory_lock);
        FAIL(EEXIST, "the new name of a file exists");
    }
    put_entry(to, inode);
    unlock(&directory_lock);
    return 0;
}

int unlink(const char *path)
{
    unsigned long name = slot(path);
    lock(&directory_lock);
    if (!look_up(name)) {
        unlock(&directory_lock);
        FAIL(ENOENT, "a file that is removed does not exist");
    }
    put_entry(name, 0);
    unlock(&directory_lock);
    return 0;
}

int rename(const char *old, const char *new)
{
    unsigned long from = slot(old), to = slot(new);
    lock(&directory_lock);
    unsigned inode = look_up(from);
    if (!inode) {
        unlock(&directory_lock);
        FAIL(ENOENT, "a file that is renamed does not exist");
    }
    if (look_up(to) != inode) {
        STORE("JBEGIN", &directory.mark, 1);
        put_entry(to, inode);
        put_entry(from, 0);
        STORE("JEND", &directory.mark, 0);
    }
    unlock(&directory_lock);
    return 0;
}

int truncate(const char *path, off_t length)
{
    unsigned long name = slot(path);
    lock(&directory_lock);
    unsigned found = look_up(name);
    unlock(&directory_lock);
    if (!found)
        FAIL(ENOENT, "a file that is truncated does not exist");
    return cut_to(number_of(found), length);
}

int ftruncate(int fd, off_t length)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is truncated that is not open");
    if (use.inode == DIRECTORY || !may_write(use))
        FAIL(EINVAL, "a file is truncated that is not opened for writing");
    return cut_to(use.inode, length);
}

static const volatile void *place_of(struct use use)
{
    return use.inode == DIRECTORY ? (const volatile void *)&directory : &inodes[use.inode];
}

_Bool __VERIFIER_nondet_bool(void);

/* One force of a file may fail: what was written to it is not on the disk, and no later force brings it there, unless it is written again. */
static int may_fail(struct use use)
{
#ifdef HMC_WITH_FSYNC_FAILS
    static _Atomic int has_failed;
    if (use.inode == DIRECTORY || recovers() || atomic_load(&has_failed) || !__VERIFIER_nondet_bool())
        return 0;
    if (atomic_exchange(&has_failed, 1))
        return 0;
    __hmc_disk_force("FAILED", place_of(use));
    errno = EIO;
    return 1;
#else
    (void)use;
    return 0;
#endif
}

int fsync(int fd)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is forced that is not open");
    if (may_fail(use))
        return -1;
    __hmc_disk_force("FSYNC CALL", place_of(use));
    return 0;
}

int fdatasync(int fd)
{
    struct use use = get_file(fd);
    if (!use.file)
        FAIL(EBADF, "a descriptor is forced that is not open");
    if (may_fail(use))
        return -1;
    __hmc_disk_force("FDATASYNC CALL", place_of(use));
    return 0;
}

void sync(void) { __hmc_disk_force("SYNC CALL", 0); }

#include <streams.h>
