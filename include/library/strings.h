/* Before C++ programs: libstdc++'s texts (std::string) by the code of its headers, not by that of the library's file, which is not there. */
#if defined __has_include
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#ifdef _GLIBCXX_EXTERN_TEMPLATE
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#endif
#endif
