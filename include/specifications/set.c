/* FIRST adds, SECOND removes, THIRD asks; each says whether the set had to change, or has the value. */
#include "forms.h"

bool FIRST(VALUE value) {
    unsigned place = 0;
    if (has(value, &place))
        return false;
    /* States with the same values are the same state. */
    while (place < count && values[place] < value)
        place++;
    put_at(place, value);
    return true;
}

bool SECOND(VALUE value) {
    unsigned place;
    if (!has(value, &place))
        return false;
    take_at(place);
    return true;
}

bool THIRD(VALUE value) {
    unsigned place;
    return has(value, &place);
}
