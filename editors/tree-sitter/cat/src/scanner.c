// What a context-free grammar of cat cannot say: comments nest, and `*` is a product exactly when an operand follows.
#include "tree_sitter/parser.h"

enum { BLOCK_COMMENT, CLOSURE, PRODUCT };

void *tree_sitter_cat_external_scanner_create(void) { return 0; }
void tree_sitter_cat_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_cat_external_scanner_serialize(void *payload, char *buffer) {
    (void)payload;
    (void)buffer;
    return 0;
}
void tree_sitter_cat_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    (void)payload;
    (void)buffer;
    (void)length;
}

static void skip_blanks(TSLexer *lexer) {
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r' || lexer->lookahead == '\n')
        lexer->advance(lexer, false);
}

static bool block_comment(TSLexer *lexer) {
    unsigned depth = 1;
    while (depth > 0) {
        if (lexer->eof(lexer))
            return false;
        int32_t c = lexer->lookahead;
        lexer->advance(lexer, false);
        if (c == '(' && lexer->lookahead == '*') {
            lexer->advance(lexer, false);
            depth++;
        } else if (c == '*' && lexer->lookahead == ')') {
            lexer->advance(lexer, false);
            depth--;
        }
    }
    return true;
}

// Words that follow an expression, and begin no operand.
static bool is_operand_word(TSLexer *lexer) {
    static const char *const words[] = {"let", "rec", "and", "when", "acyclic", "irreflexive", "empty", "show", "unshow", "subset", "as", "fun",
        "in", "undefined_unless", "flag", "assert", "include", "variant", "end", "procedure", "call", "enum", "debug", "match", "with", "forall",
        "from", "do", "try", "if", "then", "else", "catdep", "instructions", "default", "not"};
    char word[20];
    unsigned length = 0;
    for (;;) {
        int32_t c = lexer->lookahead;
        bool is_part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '\'';
        if (!is_part)
            break;
        if (length < sizeof word - 1)
            word[length] = (char)c;
        length++;
        lexer->advance(lexer, false);
    }
    if (length >= sizeof word)
        return true;
    word[length] = 0;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        const char *a = words[i], *b = word;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            return false;
    }
    return true;
}

// Behind a `*`: whether an operand follows, comments passed over.
static bool operand_follows(TSLexer *lexer) {
    for (;;) {
        skip_blanks(lexer);
        int32_t c = lexer->lookahead;
        if (c == '(') {
            lexer->advance(lexer, false);
            if (lexer->lookahead != '*')
                return true;
            lexer->advance(lexer, false);
            if (!block_comment(lexer))
                return false;
            continue;
        }
        if (c == '/') {
            while (!lexer->eof(lexer) && lexer->lookahead != '\n')
                lexer->advance(lexer, false);
            continue;
        }
        if (c == '[' || c == '{' || c == '~' || c == '0' || c == '\'')
            return true;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
            return is_operand_word(lexer);
        return false;
    }
}

bool tree_sitter_cat_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    (void)payload;
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r' || lexer->lookahead == '\n')
        lexer->advance(lexer, true);
    if (lexer->lookahead == '(' && valid[BLOCK_COMMENT]) {
        lexer->advance(lexer, false);
        if (lexer->lookahead != '*')
            return false;
        lexer->advance(lexer, false);
        if (!block_comment(lexer))
            return false;
        lexer->mark_end(lexer);
        lexer->result_symbol = BLOCK_COMMENT;
        return true;
    }
    if (lexer->lookahead == '*' && (valid[CLOSURE] || valid[PRODUCT])) {
        lexer->advance(lexer, false);
        lexer->mark_end(lexer);
        bool is_product = operand_follows(lexer);
        if (is_product ? !valid[PRODUCT] : !valid[CLOSURE])
            return false;
        lexer->result_symbol = is_product ? PRODUCT : CLOSURE;
        return true;
    }
    return false;
}
