/* A bag of two places: a take gives any of its values, or finds nothing. */
#include <hmc.h>

static int values[2];

void insert(int value) {
    int place = values[0] ? 1 : 0;
    hmc_assume(!values[place]);
    values[place] = value;
}

int take(void) {
    int place = hmc_choose_below(3);
    if (place == 2)
        return -1;
    int value = values[place];
    hmc_assume(value);
    values[place] = 0;
    return value;
}
