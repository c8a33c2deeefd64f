/* A work-stealing deque: FIRST puts at the end, SECOND takes from the end, THIRD takes from the other end. */
#include "forms.h"
EXPANDED_PUTS(FIRST, RETURNS_FIRST, count)
EXPANDED_TAKES(SECOND, STORES_SECOND, count - 1)
EXPANDED_TAKES(THIRD, STORES_THIRD, 0)
