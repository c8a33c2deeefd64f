// Litmus tests of all architectures: the sections, and the words in them. What an instruction may be is the architecture's matter.
module.exports = grammar({
  name: "litmus",
  extras: ($) => [/[ \t\r\n]/, $.comment],
  word: ($) => $.identifier,
  rules: {
    source_file: ($) => seq($.header, repeat($.metadata), $.init, repeat($._program), optional($.condition)),
    header: ($) => seq(field("architecture", $.identifier), optional(field("name", $.test_name)), /\n/),
    test_name: () => token(prec(2, /[A-Za-z0-9_][^\s{]*/)),
    metadata: ($) => choice($.string, seq(field("key", $.identifier), "=", token(prec(1, /[^\n{]+/)))),
    init: ($) => seq("{", repeat(choice($._word, ";", $.init)), "}"),
    _program: ($) => choice($._word, ";", $.block),
    block: ($) => seq("{", repeat(choice($._word, ";", $.block)), "}"),
    condition: ($) => repeat1(seq(choice("exists", "forall", "filter", "locations", "final", "~exists"), repeat(choice($._word, ";", $.block)))),
    _word: ($) => choice($.thread, $.register, $.number, $.string, $.identifier, $.operator),
    thread: () => token(prec(2, /P[0-9]+/)),
    register: () => token(prec(1, /[0-9]+:[A-Za-z$%_][A-Za-z0-9_]*/)),
    number: () => /[#$]?-?(0x[0-9a-fA-F]+|[0-9]+)/,
    string: () => /"[^"]*"/,
    identifier: () => /[A-Za-z_.%$@][A-Za-z0-9_.]*/,
    operator: () => token(choice("/\\", "\\/", "=>", "->", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", /[|,:()\[\]=~!*&+\-<>^%?\/]/)),
    comment: () => token(prec(3, choice(seq("(*", /[\s*]/, /([^*]|\*+[^*)])*\*+/, ")"), seq("//", /[^\n]*/), seq("/*", /([^*]|\*+[^*\/])*\*+/, "/")))),
  },
});
