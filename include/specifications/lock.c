/* FIRST takes the lock: it waits, or says whether it has it, if it says something. SECOND gives it back. */
#include "forms.h"

#if RETURNS_FIRST
bool FIRST(void) {
    if (count)
        return false;
    count = 1;
    return true;
}
#else
void FIRST(void) {
    hmc_assume(!count);
    count = 1;
}
#endif

void SECOND(void) { count = 0; }
