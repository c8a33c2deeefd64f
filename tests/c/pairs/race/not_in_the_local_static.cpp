// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
//
// What the initialisation of a local variable does is done once and seen by all; a flag of one's own is not enough.
#include <cassert>
#include <thread>

static int value;

static int make() {
    value = 42; // HERE
    return 1;
}

static void thread() {
#ifdef WRONG
    static bool made;
    if (!made) // HERE
        made = make(); // HERE
#else
    static bool made = make();
#endif
    assert(made && value == 42); // HERE
}

int main() {
    std::thread a(thread), b(thread);
    a.join();
    b.join();
    return 0;
}
