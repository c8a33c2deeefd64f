#ifndef HMC_ASM_ELF_H
#define HMC_ASM_ELF_H
#define ELF_CLASS ELFCLASS64
#define ELF_DATA ELFDATA2LSB
#define ELF_ARCH EM_X86_64
#define ELF_EXEC_PAGESIZE PAGE_SIZE
#define ELF_ET_DYN_BASE 0
#define ELF_HWCAP 0
#define ELF_PLATFORM 0
#define elf_check_arch(x) 1
typedef unsigned long elf_greg_t;
typedef elf_greg_t elf_gregset_t[1];
typedef elf_greg_t elf_fpregset_t;
#endif
