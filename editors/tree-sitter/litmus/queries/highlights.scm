(identifier) @variable
(comment) @comment
(string) @string
(header architecture: (identifier) @keyword)
(test_name) @title
(metadata key: (identifier) @property)
["exists" "forall" "filter" "locations" "final" "~exists"] @keyword.control
(thread) @type
(register) @variable.parameter
(number) @number
(operator) @operator
((identifier) @constant (#match? @constant "^memory_order_"))
((identifier) @function.builtin (#match? @function.builtin "^(atomic_|smp_|s?rcu_|spin_|READ_ONCE$|WRITE_ONCE$|xchg|cmpxchg)"))
