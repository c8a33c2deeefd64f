// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DL=1 => holds
// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DL=1 -DNO_FENCE => holds,violated,violated,violated,violated,violated,violated kind=assertion
//
// The parker of a Java virtual machine without the fence after the permit is consumed: wrong on every processor, x86 too.
#include "../bench/parker.c"
