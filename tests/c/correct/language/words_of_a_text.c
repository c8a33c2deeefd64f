// hmc: --cat rc11 => holds
//
// A text is cut into words: by each thread with a place of its own.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *cut(void *text) {
    char *rest;
    long n = 0;
    for (char *word = strtok_r(text, ",;", &rest); word; word = strtok_r(0, ",;", &rest)) n++;
    return (void *)n;
}

int main(void) {
    static char one[] = "a,b;;c", two[] = ";x";
    void *n[2];
    pthread_t t, u;
    pthread_create(&t, 0, cut, one);
    pthread_create(&u, 0, cut, two);
    pthread_join(t, &n[0]);
    pthread_join(u, &n[1]);
    assert((long)n[0] == 3 && (long)n[1] == 1);
    char both[] = "x y";
    assert(!strcmp(strtok(both, " "), "x") && !strcmp(strtok(0, " "), "y") && !strtok(0, " "));
    return 0;
}
