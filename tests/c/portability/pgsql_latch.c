// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv => holds
// hmc: --cat sc,rc11,x86tso,aarch64,power,armv7,riscv -- -DNO_FENCE => holds,violated,holds,violated,violated,violated,violated kind=assertion
//
// The latch of PostgreSQL without its fences: right on x86, wrong on Power, where it was found, and on the others.
#include "../bench/pgsql.c"
