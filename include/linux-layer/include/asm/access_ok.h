#include <asm-generic/access_ok.h>
