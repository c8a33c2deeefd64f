// hmc: --cat sc,rc11,lkmm => holds executions=1
//
// Functions on texts and blocks give what C says they give. Clocks stand still.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    char text[8];
    memset(text, 'z', 8);
    strncpy(text, "abc", 6);
    assert(!memcmp(text, "abc\0\0\0zz", 8));
    strncpy(text, "xy", 1);
    assert(!strcmp(text, "xbc"));
    strncat(text, "defg", 2);
    assert(!strcmp(text, "xbcde"));
    assert(strnlen(text, 3) == 3 && strnlen(text, 100) == 5);
    const char *twice = "abcabc";
    assert(strchr(twice, 'b') == twice + 1 && !strchr(twice, 'x') && strchr(twice, 0) == twice + 6);
    assert(strrchr(twice, 'b') == twice + 4 && !strrchr(twice, 'x') && strrchr(twice, 0) == twice + 6);
    assert(memchr(twice, 'c', 6) == twice + 2 && !memchr(twice, 'c', 2) && !memchr(twice, 'x', 6));
    assert(!strncmp("abc", "abd", 2) && strncmp("abc", "abd", 3) < 0 && memcmp("\xff", "a", 1) > 0);
    time_t now;
    assert(time(&now) == now && time(0) == now);
    struct timeval day;
    gettimeofday(&day, 0);
    assert(day.tv_sec == now && day.tv_usec == 0);
    struct timespec since;
    assert(timespec_get(&since, TIME_UTC) == TIME_UTC && since.tv_sec == now);
    assert(clock_gettime(CLOCK_MONOTONIC, &since) == 0 && since.tv_nsec == 0);
    return 0;
}
