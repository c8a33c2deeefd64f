/* FIRST adds one and gives what was there before, if it gives something; SECOND reads. */
#include "forms.h"

#if RETURNS_FIRST
VALUE FIRST(void) { return values[0]++; }
#else
void FIRST(void) { values[0]++; }
#endif

VALUE SECOND(void) { return values[0]; }
