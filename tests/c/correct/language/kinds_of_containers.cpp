// hmc: --cat rc11 => holds
//
// Sets, lists, hash tables, queues and functions of C++ do what they do elsewhere.
#include <cassert>
#include <functional>
#include <list>
#include <queue>
#include <set>
#include <unordered_map>

int main() {
    std::set<int> set;
    for (int i = 0; i < 8; i++) set.insert(i * 5 % 8);
    for (int i = 0; i < 8; i += 2) set.erase(i);
    int last = -1;
    for (int i : set) {
        assert(i > last && i % 2);
        last = i;
    }
    assert(set.size() == 4 && last == 7);
    std::list<int> list{3, 1, 2};
    list.sort();
    assert(list.front() == 1 && list.back() == 3);
    std::unordered_map<int, int> table;
    for (int i = 0; i < 20; i++) table[i] = i;
    assert(table.size() == 20 && table.at(13) == 13);
    std::queue<int> queue;
    queue.push(1);
    std::function<int(int)> twice = [](int n) { return 2 * n; };
    assert(twice(queue.front()) == 2);
    return 0;
}
