#include <linux/byteorder/little_endian.h>
