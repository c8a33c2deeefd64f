// hmc: --cat sc => holds executions=1
// hmc: --cat rc11 => holds executions=1
//
// Packed structures that are copied as a whole only: their members lie at odd addresses, however the structure itself is aligned.
#include <assert.h>
#include <string.h>

struct __attribute__((packed)) record {
    char tag;
    int value;
    char more;
    short last;
};
// The same bytes, read one by one.
union bytes {
    struct record whole;
    char each[sizeof(struct record)];
};

static union bytes shared;

static void from_a_constant(void) {
    struct record local = {1, 0x05040302, 6, 0x0807}, *p = &local;
    *p = local;
    memcpy(&shared, p, sizeof local);
}

int main(void) {
    from_a_constant();
    for (int i = 0; i < (int)sizeof shared; i++)
        assert(shared.each[i] == i + 1);
    return 0;
}
