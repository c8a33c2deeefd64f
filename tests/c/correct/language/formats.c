// hmc: --cat rc11 => holds
// hmc: --cat sc => holds
//
// Texts that formats write into memory are those of the C library; a buffer that is too short gets what fits.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char buffer[40];

static int put(char *to, size_t room, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, room, format, list);
    va_end(list);
    return n;
}

static void *writer(void *arg) {
    int n = snprintf(buffer, sizeof buffer, "id=%d %s %c %5.2f %-4x|", 42, "ab", 'z', 1.5, 255);
    assert(n == (int)strlen(buffer));
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(!strcmp(buffer, "id=42 ab z  1.50 ff  |"));
    char small[4];
    assert(snprintf(small, sizeof small, "%d", 12345) == 5 && !strcmp(small, "123"));
    sprintf(buffer, "%ld%%%08x%+d", -7L, 0xabcu, 3);
    assert(!strcmp(buffer, "-7%00000abc+3"));
    assert(put(buffer, sizeof buffer, "%s-%.2s-%*d", "x", "yyy", 3, 1) == 8 && !strcmp(buffer, "x-yy-  1"));
    return 0;
}
