// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
// hmc: --cat sc -- -DWRONG => violated kind=memory
// hmc: --cat rc11 -- -DWRONG => violated kind=memory
//
// What was moved into a thread's function is gone when the thread has ended.
#include <cassert>
#include <thread>

struct Owner {
    int *p;
    explicit Owner(int *p) : p(p) {}
    Owner(Owner &&other) : p(other.p) { other.p = nullptr; }
    ~Owner() { delete p; }
};

int main() {
    int *raw = new int(1);
    std::thread t([owner = Owner(raw)] { assert(*owner.p == 1); });
    t.join();
#ifdef WRONG
    *raw = 2; // HERE
#endif
}
