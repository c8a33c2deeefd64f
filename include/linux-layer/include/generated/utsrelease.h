#define UTS_RELEASE "hmc"
