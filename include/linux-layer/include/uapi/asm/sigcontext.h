struct sigcontext { unsigned long none; };
