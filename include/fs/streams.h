/* streams.h: fopen, fwrite, fflush, fclose and their kin, on top of the calls of a file system. A file system that is given to `--fs` gets them by
 * `#include <streams.h>`.
 *
 * What is written stands in the stream's buffer until that is full, flushed or closed, or the program ends; `setvbuf` changes nothing. What is read is
 * asked of the file at once, so nothing is read that nobody wanted. They are weak: a program may have its own. */
#ifndef HMC_STREAMS_H
#define HMC_STREAMS_H

/* Only programs that open streams have them: __HMC_STREAMS is said by hmc. */
#ifdef __HMC_STREAMS
#include <disk.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 160, STREAM_BUFFER = 512 };

/* The library's FILE is not looked at: a pointer to a stream is one to these. */
typedef struct stream {
    pthread_mutex_t lock;
    /* Its descriptor from 1 on, while it is open. */
    int what;
    int has_ended, has_failed;
    int filled;
    unsigned char buffer[STREAM_BUFFER];
} stream;

static stream *_Atomic streams[STREAMS];
/* No descriptor from here on has one. */
static _Atomic int last;

#define weak __attribute__((weak))
enum { END = -1 };

/* These are no streams of files: nobody looks at what is written there. */
weak stream *stdin = (stream *)1;
weak stream *stdout = (stream *)2;
weak stream *stderr = (stream *)3;

static int is_file(stream *s) { return (unsigned long)s > 3; }

/* The file system says whether this is the recovery (`recovers`): that runs alone, and takes no locks. */
static void begin(stream *s)
{
    if (!recovers())
        pthread_mutex_lock(&s->lock);
}

static void end(stream *s)
{
    if (!recovers())
        pthread_mutex_unlock(&s->lock);
}

/* Gives the file what is in the buffer; the stream is locked. */
static int pass_on(stream *s)
{
    int done = 0;
    while (done < s->filled) {
        ssize_t n = write(s->what - 1, s->buffer + done, (size_t)(s->filled - done));
        if (n <= 0) {
            s->filled = 0;
            s->has_failed = 1;
            return END;
        }
        done += (int)n;
    }
    s->filled = 0;
    return 0;
}

static int flags_of(const char *mode)
{
    int flags = mode[0] == 'r' ? O_RDONLY : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY | O_CREAT | O_APPEND;
    for (const char *c = mode + 1; *c; c++) {
        if (*c == '+')
            flags = (flags & ~O_ACCMODE) | O_RDWR;
        else if (*c == 'x')
            flags |= O_EXCL;
    }
    return flags;
}

static void pass_all_on(void)
{
    for (int n = 0, most = last; n < most; n++) {
        stream *s = streams[n];
        if (s && s->what && s->filled)
            pass_on(s);
    }
}

weak stream *fdopen(int fd, const char *mode)
{
    (void)mode;
    if (fd < 0)
        return 0;
    if (fd >= STREAMS)
        __hmc_unsupported("a stream on a descriptor from 160 on");
    stream *s = malloc(sizeof *s);
    pthread_mutex_init(&s->lock, 0);
    s->what = fd + 1;
    s->has_ended = s->has_failed = s->filled = 0;
    streams[fd] = s;
    int most = last;
    while (most <= fd && !atomic_compare_exchange_strong(&last, &most, fd + 1))
        ;
    if (!most && !recovers())
        atexit(pass_all_on);
    return s;
}

weak stream *fopen(const char *path, const char *mode)
{
    return fdopen(open(path, flags_of(mode), 0666), mode);
}

weak int fflush(stream *s)
{
    if (!s) {
        pass_all_on();
        return 0;
    }
    if (!is_file(s))
        return 0;
    begin(s);
    int done = pass_on(s);
    end(s);
    return done;
}

weak int fclose(stream *s)
{
    if (!is_file(s))
        return 0;
    begin(s);
    int fd = s->what - 1, done = pass_on(s);
    end(s);
    streams[fd] = 0;
    free(s);
    return close(fd) < 0 ? END : done;
}

weak size_t fwrite(const void *from, size_t size, size_t count, stream *s)
{
    if (!is_file(s))
        return count;
    size_t rest = size * count, done = 0;
    begin(s);
    while (rest) {
        size_t n = STREAM_BUFFER - (size_t)s->filled;
        if (n > rest)
            n = rest;
        memcpy(s->buffer + s->filled, (const char *)from + done, n);
        s->filled += (int)n;
        done += n;
        rest -= n;
        if (s->filled == STREAM_BUFFER && pass_on(s) < 0)
            break;
    }
    end(s);
    return rest ? 0 : count;
}

weak int fputs(const char *text, stream *s)
{
    size_t n = strlen(text);
    return fwrite(text, 1, n, s) == n ? 1 : END;
}

weak int fputc(int c, stream *s)
{
    unsigned char byte = (unsigned char)c;
    return fwrite(&byte, 1, 1, s) == 1 ? byte : END;
}

weak int putc(int c, stream *s) { return fputc(c, s); }

weak int fprintf(stream *s, const char *format, ...)
{
    if (is_file(s) && strchr(format, '%'))
        __hmc_unsupported("`fprintf` to a file with something to convert: `fwrite` or `fputs` of a text that is there");
    return is_file(s) ? fputs(format, s) : 0;
}

weak size_t fread(void *to, size_t size, size_t count, stream *s)
{
    if (!is_file(s)) {
        __hmc_unsupported("a stream is read that is no file");
        return 0;
    }
    size_t whole = size * count, done = 0;
    begin(s);
    pass_on(s);
    while (done < whole) {
        ssize_t n = read(s->what - 1, (char *)to + done, whole - done);
        if (n <= 0) {
            s->has_ended |= !n;
            s->has_failed |= n < 0;
            break;
        }
        done += (size_t)n;
    }
    end(s);
    return size ? done / size : 0;
}

weak int fgetc(stream *s)
{
    unsigned char byte;
    return fread(&byte, 1, 1, s) == 1 ? byte : END;
}

weak int getc(stream *s) { return fgetc(s); }

weak char *fgets(char *to, int size, stream *s)
{
    int n = 0;
    while (n < size - 1) {
        int c = fgetc(s);
        if (c == END)
            break;
        to[n++] = (char)c;
        if (c == '\n')
            break;
    }
    to[n] = 0;
    return n ? to : 0;
}

weak int fseek(stream *s, long by, int from)
{
    if (!is_file(s))
        return END;
    begin(s);
    pass_on(s);
    s->has_ended = 0;
    off_t at = lseek(s->what - 1, by, from);
    end(s);
    return at < 0 ? END : 0;
}

weak long ftell(stream *s)
{
    if (!is_file(s))
        return END;
    begin(s);
    pass_on(s);
    long at = lseek(s->what - 1, 0, SEEK_CUR);
    end(s);
    return at;
}

weak int fileno(stream *s) { return is_file(s) ? s->what - 1 : END; }
weak int feof(stream *s) { return is_file(s) && s->has_ended; }
weak int ferror(stream *s) { return is_file(s) && s->has_failed; }

weak void clearerr(stream *s)
{
    if (is_file(s))
        s->has_ended = s->has_failed = 0;
}

#undef weak
#endif

#endif
