#include <asm-generic/user.h>
