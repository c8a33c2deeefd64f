// How many buckets libstdc++'s hash tables have, and hashes of bytes, which are not in its headers: primes, each about twice the one before; FNV-1a. Linked to programs that
// call these functions and do not define them.
#include <unordered_map>

namespace std {

size_t _Hash_bytes(const void *bytes, size_t n, size_t seed) {
    size_t hash = 14695981039346656037ull ^ seed;
    for (size_t i = 0; i < n; i++) hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 1099511628211ull;
    return hash;
}

namespace __detail {

static const size_t primes[] = {2, 5, 11, 23, 47, 97, 199, 409, 823, 1741, 3469, 6949, 14033, 28411, 57557, 116731, 236897, 480881, 976369, 1982627, 4026031};

size_t _Prime_rehash_policy::_M_next_bkt(size_t wanted) const {
    size_t prime = 1;
    for (size_t i = 0; prime < wanted && i < sizeof primes / sizeof primes[0]; i++) prime = primes[i];
    _M_next_resize = static_cast<size_t>(static_cast<double>(prime) * static_cast<double>(_M_max_load_factor));
    return prime;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
    if (elements + more <= _M_next_resize) return {false, 0};
    size_t least = static_cast<size_t>(static_cast<double>(elements + more) / static_cast<double>(_M_max_load_factor)) + 1;
    if (least < buckets + 1 && _M_next_resize) {
        _M_next_resize = static_cast<size_t>(static_cast<double>(buckets) * static_cast<double>(_M_max_load_factor));
        return {false, 0};
    }
    return {true, _M_next_bkt(least > 2 * buckets ? least : 2 * buckets)};
}

} // namespace __detail
} // namespace std
