/* Nothing is printed; what ends the kernel, or warns, is a finding. */
HMC_OWN int _printk(const char *format, ...) { return 0; }
HMC_OWN void dump_stack(void) { }
HMC_OWN void panic(const char *format, ...) { __hmc_fail("panic"); }
HMC_OWN void warn_slowpath_fmt(const char *file, const int line, unsigned taint, const char *format, ...) { __hmc_warn("a warning"); }
HMC_OWN void __warn_printk(const char *format, ...) { __hmc_warn("a warning"); }
