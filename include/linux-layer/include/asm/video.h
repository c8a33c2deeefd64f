#include <asm-generic/video.h>
