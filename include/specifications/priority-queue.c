/* FIRST puts, SECOND takes a smallest value. */
#include "forms.h"

static unsigned behind_smaller(VALUE value) {
    unsigned place = 0;
    while (place < count && values[place] < value)
        place++;
    return place;
}

EXPANDED_PUTS(FIRST, RETURNS_FIRST, behind_smaller(value))
EXPANDED_TAKES(SECOND, STORES_SECOND, 0)
