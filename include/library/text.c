/* Texts: what is written into memory by a format, and what is cut into words. Linked to programs that call these functions and do not define them.
 *
 * Formats: d i u o x X c s p n % with flags, width, precision and the sizes hh h l ll z j t; f of moderate numbers. Anything else is said to be unsupported. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void __hmc_unsupported(const char *);
void *malloc(size_t);

/* Where a text goes: at most `room` bytes, the last of which is for the end. */
struct sink {
    char *to;
    size_t room, length;
};

static void put(struct sink *s, char c) {
    if (s->length + 1 < s->room) s->to[s->length] = c;
    s->length++;
}

struct form {
    int left, plus, space, alternate, zero, width, precision;
};

/* A number's digits, with what stands before them. */
static void put_digits(struct sink *s, const struct form *f, const char *sign, const char *digits, int n) {
    int zeros = f->precision > n ? f->precision - n : 0;
    int before = 0;
    while (sign[before]) before++;
    int rest = f->width - before - zeros - n;
    if (f->zero && !f->left && f->precision < 0 && rest > 0) {
        zeros += rest;
        rest = 0;
    }
    if (!f->left) for (; rest > 0; rest--) put(s, ' ');
    for (int i = 0; i < before; i++) put(s, sign[i]);
    for (; zeros > 0; zeros--) put(s, '0');
    for (int i = 0; i < n; i++) put(s, digits[i]);
    for (; rest > 0; rest--) put(s, ' ');
}

static void put_number(struct sink *s, const struct form *f, uintmax_t n, unsigned base, int upper, const char *sign) {
    char digits[24];
    int at = sizeof digits;
    const char *all = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    while (n) {
        digits[--at] = all[n % base];
        n /= base;
    }
    if (at == sizeof digits && f->precision != 0) digits[--at] = '0';
    /* An octal number begins with a zero when it is asked for. */
    int n_digits = sizeof digits - at;
    if (base == 8 && f->alternate && f->precision <= n_digits && (!n_digits || digits[at] != '0')) digits[--at] = '0';
    put_digits(s, f, sign, digits + at, sizeof digits - at);
}

static void put_text(struct sink *s, const struct form *f, const char *text) {
    int n = 0;
    while ((f->precision < 0 || n < f->precision) && text[n]) n++;
    int rest = f->width - n;
    if (!f->left) for (; rest > 0; rest--) put(s, ' ');
    for (int i = 0; i < n; i++) put(s, text[i]);
    for (; rest > 0; rest--) put(s, ' ');
}

/* Up to nine digits behind the point of numbers whose whole part has at most 18 digits. */
static void put_fixed(struct sink *s, struct form *f, double x) {
    const char *sign = f->plus ? "+" : f->space ? " " : "";
    if (x < 0) {
        sign = "-";
        x = -x;
    }
    int behind = f->precision < 0 ? 6 : f->precision;
    if (!(x < 1e18) || behind > 9) {
        __hmc_unsupported("a format asks for a floating-point number that is large, or for more than nine digits behind the point");
        return;
    }
    uint64_t scale = 1;
    for (int i = 0; i < behind; i++) scale *= 10;
    uint64_t whole = (uint64_t)x;
    double left = (x - (double)whole) * (double)scale;
    uint64_t part = (uint64_t)left;
    double over = left - (double)part;
    if (over > 0.5 || (over == 0.5 && (behind ? part & 1 : whole & 1))) part++;
    if (part >= scale) {
        part -= scale;
        whole++;
    }
    char digits[32];
    int at = sizeof digits;
    for (int i = 0; i < behind; i++) {
        digits[--at] = (char)('0' + part % 10);
        part /= 10;
    }
    if (behind || f->alternate) digits[--at] = '.';
    do {
        digits[--at] = (char)('0' + whole % 10);
        whole /= 10;
    } while (whole);
    f->precision = -1;
    put_digits(s, f, sign, digits + at, sizeof digits - at);
}

int vsnprintf(char *to, size_t room, const char *format, va_list list) {
    struct sink s = {to, room, 0};
    for (; *format; format++) {
        if (*format != '%') {
            put(&s, *format);
            continue;
        }
        struct form f = {0, 0, 0, 0, 0, 0, -1};
        for (format++;; format++) {
            if (*format == '-') f.left = 1;
            else if (*format == '+') f.plus = 1;
            else if (*format == ' ') f.space = 1;
            else if (*format == '#') f.alternate = 1;
            else if (*format == '0') f.zero = 1;
            else break;
        }
        if (*format == '*') {
            f.width = va_arg(list, int);
            if (f.width < 0) {
                f.left = 1;
                f.width = -f.width;
            }
            format++;
        }
        for (; *format >= '0' && *format <= '9'; format++) f.width = 10 * f.width + (*format - '0');
        if (*format == '.') {
            f.precision = 0;
            if (*++format == '*') {
                f.precision = va_arg(list, int);
                format++;
            }
            for (; *format >= '0' && *format <= '9'; format++) f.precision = 10 * f.precision + (*format - '0');
        }
        int shorter = 0, longer = 0;
        for (;; format++) {
            if (*format == 'h') shorter++;
            else if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't' || *format == 'q') longer++;
            else break;
        }
        switch (*format) {
        case '%':
            put(&s, '%');
            break;
        case 'c': {
            char text[2] = {(char)va_arg(list, int), 0};
            int rest = f.width - 1;
            if (!f.left) for (; rest > 0; rest--) put(&s, ' ');
            put(&s, text[0]);
            for (; rest > 0; rest--) put(&s, ' ');
            break;
        }
        case 's': {
            const char *text = va_arg(list, const char *);
            put_text(&s, &f, text ? text : "(null)");
            break;
        }
        case 'd':
        case 'i': {
            intmax_t n = longer ? va_arg(list, long) : va_arg(list, int);
            if (shorter == 1) n = (short)n;
            if (shorter > 1) n = (signed char)n;
            const char *sign = n < 0 ? "-" : f.plus ? "+" : f.space ? " " : "";
            put_number(&s, &f, n < 0 ? -(uintmax_t)n : (uintmax_t)n, 10, 0, sign);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            uintmax_t n = longer ? va_arg(list, unsigned long) : va_arg(list, unsigned);
            if (shorter == 1) n = (unsigned short)n;
            if (shorter > 1) n = (unsigned char)n;
            unsigned base = *format == 'u' ? 10 : *format == 'o' ? 8 : 16;
            const char *sign = !f.alternate || !n || base != 16 ? "" : *format == 'x' ? "0x" : "0X";
            put_number(&s, &f, n, base, *format == 'X', sign);
            break;
        }
        case 'p': {
            uintptr_t n = (uintptr_t)va_arg(list, void *);
            if (n) put_number(&s, &f, n, 16, 0, "0x");
            else put_text(&s, &f, "(nil)");
            break;
        }
        case 'f':
        case 'F':
            put_fixed(&s, &f, va_arg(list, double));
            break;
        default:
            __hmc_unsupported("a format has a conversion other than d i u o x X c s p f");
            return -1;
        }
    }
    if (room) to[s.length < room ? s.length : room - 1] = 0;
    return (int)s.length;
}

int snprintf(char *to, size_t room, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, room, format, list);
    va_end(list);
    return n;
}

int vsprintf(char *to, const char *format, va_list list) { return vsnprintf(to, SIZE_MAX, format, list); }

int sprintf(char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, SIZE_MAX, format, list);
    va_end(list);
    return n;
}

int vasprintf(char **to, const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    int n = vsnprintf(0, 0, format, list);
    *to = malloc((size_t)n + 1);
    if (*to) vsnprintf(*to, (size_t)n + 1, format, again);
    va_end(again);
    return *to ? n : -1;
}

int asprintf(char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vasprintf(to, format, list);
    va_end(list);
    return n;
}

static int is_one_of(char c, const char *all) {
    for (; *all; all++) if (*all == c) return 1;
    return 0;
}

char *strtok_r(char *text, const char *between, char **rest) {
    char *at = text ? text : *rest;
    if (!at) return 0;
    while (*at && is_one_of(*at, between)) at++;
    if (!*at) {
        *rest = at;
        return 0;
    }
    char *word = at;
    while (*at && !is_one_of(*at, between)) at++;
    if (*at) *at++ = 0;
    *rest = at;
    return word;
}

/* One for all threads, as in the standard. */
static char *where_strtok_is;

char *strtok(char *text, const char *between) { return strtok_r(text, between, &where_strtok_is); }

char *strsep(char **text, const char *between) {
    char *word = *text;
    if (!word) return 0;
    char *at = word;
    while (*at && !is_one_of(*at, between)) at++;
    *text = *at ? at + 1 : 0;
    *at = 0;
    return word;
}
