[(block_comment) (plain_comment)] @comment
(string) @string
(title) @string.special
(tag) @constant
(zero) @number
["let" "rec" "and" "in" "when" "as" "fun" "include" "show" "unshow" "procedure" "call" "forall" "do" "with" "from" "match" "if" "then" "else" "end" "begin" "try" "enum" "instructions" "default" "debug" "catdep" "not" "subset"] @keyword
["acyclic" "irreflexive" "empty" "flag" "undefined_unless" "assert"] @keyword.exception
["|" ";" "&" "\\" "~" "+" "++" "?" "-1" "^" "*" "=" "->" "||" "&&"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
(name) @variable
(binding name: (name) @function)
(procedure name: (name) @function)
(call name: (name) @function.call)
(application function: (name) @function.call)
(as name: (name) @label)
(enum name: (name) @type)
