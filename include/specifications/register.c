/* FIRST writes, SECOND reads. */
#include "forms.h"

void FIRST(VALUE value) { values[0] = value; }

VALUE SECOND(void) { return values[0]; }
