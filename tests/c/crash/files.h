/* What the programs of this folder share: files that exist, and what a recovery asks of them. */
#include <assert.h>
#include <fcntl.h>
#include <hmc.h>
#include <stdio.h>
#include <unistd.h>

/* A file that holds 11. */
static inline void make(const char *name)
{
    int f = creat(name, 0640);
    write(f, "11", 2);
    close(f);
}

/* Up to n bytes of a file; how many there are, or -1 without the file. */
static inline int get(const char *name, char *to, int n)
{
    int f = open(name, O_RDONLY);
    return f < 0 ? -1 : (int)read(f, to, n);
}

/* Whether a file holds these two bytes and no others. */
static inline int holds(const char *name, const char *bytes)
{
    char found[3];
    return get(name, found, 3) == 2 && found[0] == bytes[0] && found[1] == bytes[1];
}

/* Whether a file holds 11 or 22. */
static inline int is_old_or_new(const char *name)
{
    char found[3];
    return get(name, found, 3) == 2 && found[0] == found[1] && (found[0] == '1' || found[0] == '2');
}
