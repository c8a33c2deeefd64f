// hmc: --cat rc11 => holds
// hmc: --cat rc11 -- -DWRONG => violated kind=race
//
// Copies of a std::shared_ptr are counted atomically, so that each thread may have one; what they point to is not theirs alone. (libstdc++ read both counts
// as one word, which was refused.)
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

#ifdef WRONG
using Number = int;
#else
using Number = std::atomic<int>;
#endif

int main() {
    auto number = std::make_shared<Number>(0);
    std::thread a([number] { ++*number; }); // HERE
    std::thread b([number] { ++*number; }); // HERE
    number.reset();
    a.join();
    b.join();
}
