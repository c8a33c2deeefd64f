/* First in, first out: FIRST puts, SECOND takes. */
#include "forms.h"
EXPANDED_PUTS(FIRST, RETURNS_FIRST, count)
EXPANDED_TAKES(SECOND, STORES_SECOND, 0)
