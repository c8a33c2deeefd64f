/* `assert` for targets whose C library is not installed. */
#undef assert
#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
