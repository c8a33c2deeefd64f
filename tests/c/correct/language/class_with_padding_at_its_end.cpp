// hmc: --cat rc11 => holds executions=1 notes=0
// hmc: --cat sc => holds executions=1 notes=0
//
// An object of a class with virtual functions is cleared as a whole before it is made, by the bytes behind its last member, too; clang makes the class a packed structure.
#include <cassert>
#include <memory>
#include <thread>

struct node {
    int value;
    virtual ~node() {}
};

struct leaf {
    virtual int get() { return value; }
    int value;
};

static leaf *make() { return new leaf(); }

int main() {
    std::thread t([] {
        auto owned = std::make_unique<node>();
        owned->value = 1;
        leaf *made = make();
        assert(made->value == 0);
        made->value = 2;
        assert(made->get() == 2);
        delete made;
    });
    t.join();
}
