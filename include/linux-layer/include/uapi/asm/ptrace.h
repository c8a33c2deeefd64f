struct user_pt_regs { unsigned long none; };
