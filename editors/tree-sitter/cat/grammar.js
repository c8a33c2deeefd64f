// cat models and bell files, as grammar/cat.lalrpop reads them. Comments that nest are read by src/scanner.c, which also tells a closure
// from a product: `*` is a product exactly when an operand follows.
const sep = (rule, by) => seq(rule, repeat(seq(by, rule)));
const list = (rule) => optional(sep(rule, ","));

module.exports = grammar({
  name: "cat",
  externals: ($) => [$.block_comment, $._closure, $._product],
  extras: ($) => [/\s/, $.block_comment, $.plain_comment],
  word: ($) => $.name,
  rules: {
    source_file: ($) => seq(repeat(alias(choice($.name, $.string), $.title)), optional("catdep"), repeat(choice($._instruction, $.enum))),

    plain_comment: () => token(choice(seq("//", /[^\n]*/), seq("#", /[^\n]*/), seq("/*", /([^*]|\*+[^*\/])*\*+/, "/"))),
    string: () => /"[^"]*"/,
    name: () => /_?[A-Za-z][A-Za-z0-9_.\-]*'?/,
    tag: () => /'_?[A-Za-z][A-Za-z0-9_.\-]*'?/,

    _instruction: ($) =>
      choice($.let, $.check, $.show, $.unshow, $.include, $.procedure, $.call, $.forall, $.with, $.match_do, $.if_do, $.debug, $.instructions),
    let: ($) => prec.right(seq("let", optional("rec"), sep($.binding, "and"), optional(seq("when", $._test)), optional("in"))),
    check: ($) => seq(optional(choice("flag", "undefined_unless", "assert")), $._test),
    _test: ($) => prec.right(seq(optional("~"), choice("acyclic", "irreflexive", "empty"), $._expression, optional($.as))),
    as: ($) => seq("as", field("name", $.name)),
    show: ($) => prec.right(seq("show", sep(prec.right(seq($._base, optional($.as))), ","))),
    unshow: ($) => prec.right(seq("unshow", sep($.name, ","))),
    include: ($) => seq("include", field("file", $.string)),
    procedure: ($) => seq("procedure", optional("rec"), field("name", $.name), field("parameter", $._pattern), "=", repeat($._instruction), "end"),
    call: ($) => prec.right(seq("call", field("name", $.name), $._simple, optional($.as))),
    forall: ($) => seq("forall", $.name, "in", $._expression, "do", repeat($._instruction), "end"),
    with: ($) => seq("with", $.name, "from", $._expression),
    match_do: ($) => seq("match", $._expression, "with", optional("||"), sep(seq(choice($.tag, "_"), "->", repeat($._instruction)), "||"), "end"),
    if_do: ($) => seq("if", $._variants, repeat($._instruction), optional(seq("else", repeat($._instruction))), "end"),
    debug: ($) => seq("debug", $._expression),
    enum: ($) => seq("enum", field("name", $.name), "=", optional("||"), sep($.tag, "||")),
    instructions: ($) => seq(choice("instructions", "default"), $.name, "[", list($._base), "]"),

    binding: ($) => seq(choice(sep($._pattern_atom, ","), $.pattern, seq(field("name", $.name), field("parameter", $._pattern))), "=", $._expression),
    _pattern: ($) => choice($._pattern_atom, $.pattern),
    pattern: ($) => seq("(", list($._pattern_atom), ")"),
    _pattern_atom: ($) => choice(field("name", $.name), "_"),

    _variants: ($) =>
      choice(
        $.string,
        prec(3, seq("not", $._variants)),
        prec.left(2, seq($._variants, "&&", $._variants)),
        prec.left(1, seq($._variants, "||", $._variants)),
        seq("(", $._variants, ")"),
      ),

    _expression: ($) => choice($.let_in, $.fun, $.try, $.if, $.match, $.tuple, $._base),
    let_in: ($) => seq("let", optional("rec"), sep($.binding, "and"), "in", $._expression),
    fun: ($) => seq("fun", $._pattern, "->", $._expression),
    try: ($) => seq("try", $._expression, "with", $._expression),
    if: ($) => seq("if", $._condition, "then", $._expression, "else", $._expression),
    _condition: ($) => choice(seq($._expression, choice("=", "subset", "in"), $._expression), $._variants),
    match: ($) => seq("match", $._expression, "with", optional("||"), sep($._clause, "||"), "end"),
    _clause: ($) => seq(choice($.tag, "_", seq("{", "}"), seq(optional(seq($._pattern_atom, "|")), $._pattern_atom, "++", $._pattern_atom)), "->", $._expression),
    tuple: ($) => prec.left(seq($._base, repeat1(seq(",", $._base)))),

    _base: ($) => choice($._simple, $.union, $.sequence, $.difference, $.intersection, $.add, $.product, $.complement, $.postfix, $.application),
    union: ($) => prec.left(1, seq($._base, "|", $._base)),
    add: ($) => prec.right(2, seq($._base, "++", $._base)),
    sequence: ($) => prec.left(3, seq($._base, ";", $._base)),
    difference: ($) => prec.left(4, seq($._base, "\\", $._base)),
    intersection: ($) => prec.left(5, seq($._base, "&", $._base)),
    product: ($) => prec.left(6, seq($._base, alias($._product, "*"), $._base)),
    complement: ($) => prec(7, seq("~", $._base)),
    postfix: ($) => prec(8, seq($._base, choice("+", alias($._closure, "*"), "?", "-1", seq("^", choice("-1", "+", alias($._closure, "*")))))),
    application: ($) => prec.left(9, seq(field("function", choice($.name, $.application, $.parentheses)), field("argument", $._simple))),
    _simple: ($) => choice($.name, $.tag, $.zero, $.universe, $.set, $.identity, $.parentheses),
    zero: () => "0",
    universe: () => "_",
    set: ($) => seq("{", list($._base), "}"),
    identity: ($) => seq("[", $._expression, "]"),
    parentheses: ($) => choice(seq("(", optional($._expression), ")"), seq("begin", $._expression, "end")),
  },
});
