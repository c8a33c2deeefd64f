#include <asm-generic/error-injection.h>
