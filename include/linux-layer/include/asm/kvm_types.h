#include <asm-generic/kvm_types.h>
