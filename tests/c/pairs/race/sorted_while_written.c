// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
//
// qsort and bsearch access the elements, and call the program's function.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int key, value;
};

static int numbers[5] = {5, 1, 4, 1, 3}; // HERE
static struct pair pairs[3] = {{3, 1}, {1, 2}, {2, 3}};
static char letters[4] = {'d', 'b', 'c', 'a'};

static int of_numbers(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b; // HERE
    return x < y ? -1 : x > y;
}

static int of_pairs(const void *a, const void *b) {
    return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

static int of_letters(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

static void *sorter(void *arg) {
    qsort(numbers, 5, sizeof numbers[0], of_numbers); // HERE
    for (int i = 0; i < 4; i++)
        assert(numbers[i] <= numbers[i + 1]);
    int key = 4;
    assert(bsearch(&key, numbers, 5, sizeof numbers[0], of_numbers) == &numbers[3]);
    key = 2;
    assert(!bsearch(&key, numbers, 5, sizeof numbers[0], of_numbers));
    qsort(letters, 4, 1, of_letters);
    assert(letters[0] == 'a' && letters[1] == 'b' && letters[2] == 'c' && letters[3] == 'd');
    return arg;
}

int main(void) {
    qsort(pairs, 3, sizeof pairs[0], of_pairs);
    assert(pairs[0].value == 2 && pairs[1].value == 3 && pairs[2].value == 1);
    qsort(pairs, 0, sizeof pairs[0], of_pairs);
    pthread_t a;
    pthread_create(&a, 0, sorter, 0); // HERE
#ifdef WRONG
    numbers[0] = 7; // HERE
#endif
    pthread_join(a, 0);
    return 0;
}
