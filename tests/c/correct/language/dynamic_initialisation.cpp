// hmc: --cat sc => holds
// hmc: --cat rc11 => holds
//
// Global objects of C++ are constructed before `main` and destroyed behind it in the reverse order. (They were all zero.)
#include <atomic>
#include <cassert>

static int seven() { return 7; }
static int number = seven();
static int alive = 0;

struct Node {
    int value;
    explicit Node(int value) : value(value) { alive++; }
    ~Node() { assert(alive-- == value); }
};

static Node first(1), second(2);
static std::atomic<Node *> head{new Node(3)};

int main() {
    assert(number == 7 && alive == 3);
    assert(head.load()->value == 3);
    delete head.load();
    assert(alive == 2);
}
