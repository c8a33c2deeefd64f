//! Random helper functions in C, and what their results depend on: found by a plain walk over the syntax tree.
//!
//! The walk runs the helper on given reads, with a set of reads for each variable. Behind a conditional it compares what both ways make of each variable, as
//! symbols over what the variables held before: where these differ, the variable depends on the condition as well.
//!
//! The out parameter is in memory. A model may order accesses to one place; then it depends on all that was written there.

use super::random::Rng;
use std::fmt::Write;

/// Reads on which something may depend: each is asked for by a program of its own.
pub const QUERIES: usize = 2;
/// Variables: two results, of which the second is an out parameter, and a counter of its own for each loop.
const VARIABLES: usize = 3;
/// The variable behind the out parameter.
const OUT: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Const(u64),
    Read(usize),
    Variable(usize),
}

#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Value),
    /// Adds one.
    Increment(usize),
    If(Value, Vec<Statement>, Vec<Statement>),
    /// By value 0, 1, and others.
    Switch(Value, [Vec<Statement>; 3]),
    /// As often as the value says, twice at most.
    Loop(Value, Vec<Statement>),
    /// Leaves the function with a value.
    Return(Value),
    /// Calls one of two functions that return constants.
    Call(usize, Value, [u64; 2]),
}
use Statement::{Call, If, Increment, Loop, Return, Set, Switch};

/// What a model orders besides dependencies.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Dependencies of branches never end.
    pub last: bool,
    /// Accesses to one place are in order.
    pub in_place: bool,
}

/// A helper.
#[derive(Clone, Debug)]
pub struct Helper {
    body: Vec<Statement>,
    /// Whether what counts is what it writes through its out parameter, not what it returns.
    by_out: bool,
}

/// What a variable holds, over what variables held before: one of these, and so many more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Symbol(Base, u64);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    Zero,
    Read(usize),
    Before(usize),
    /// Something else than anything before.
    Other(u64),
}

/// Symbols of variables; the last is that of what is returned.
type Symbols = [Symbol; VARIABLES + 1];

/// What a run on given reads has come to: values, and the reads on which they depend as bits.
#[derive(Clone, Debug)]
struct Run {
    reads: [u64; QUERIES],
    values: [(u64, u8); VARIABLES + 1],
    /// On what everything depends that follows, where branches never end.
    passed: u8,
    /// Whether accesses to one place are in order.
    in_place: bool,
    returned: bool,
}

impl Helper {
    pub fn random(rng: &mut Rng) -> Helper {
        let mut body = statements(rng, 3, false);
        if !body.iter().any(|statement| matches!(statement, If(..) | Switch(..) | Loop(..) | Call(..))) {
            body.push(If(Value::Read(rng.below(2) as usize), statements(rng, 1, false), statements(rng, 1, false)));
        }
        Helper { body, by_out: rng.below(3) == 0 }
    }

    /// The reads on which the result depends when they give these values.
    fn depends(&self, reads: [u64; QUERIES], Rules { last, in_place }: Rules) -> u8 {
        let mut run = Run { reads, values: [(0, 0); VARIABLES + 1], passed: 0, in_place, returned: false };
        let mut fresh = 0;
        run.pass(&self.body, &mut fresh);
        if !run.returned {
            // It returns the first variable.
            run.values[VARIABLES] = run.values[0];
        }
        let result = run.values[if self.by_out { OUT } else { VARIABLES }].1;
        if last { result | run.passed } else { result }
    }

    /// Whether its result is in memory and written in a branch. The write depends on the condition, so exploration does not look at executions in which that is a part of
    /// a cycle of dependencies and reads-from.
    pub fn writes_memory_in_branches(&self) -> bool {
        self.by_out && self.body.iter().any(|statement| parts(statement).into_iter().flatten().any(writes_out))
    }

    /// Its text.
    pub fn text(&self, number: usize) -> String {
        let mut text =
            format!("static int help_{number}(int r0, int r1, int *out) {{\n    int v0 = 0, v1 = 0;\n    *out = 0;\n");
        let mut loops = 0;
        self.body.iter().for_each(|statement| write_statement(&mut text, statement, 1, &mut loops));
        text += "    return v0;\n}\n";
        text
    }
}

fn statements(rng: &mut Rng, depth: u32, is_in_loop: bool) -> Vec<Statement> {
    (0..1 + rng.below(3)).map(|_| statement(rng, depth, is_in_loop)).collect()
}

fn value(rng: &mut Rng) -> Value {
    match rng.below(5) {
        0 | 1 => Value::Const(rng.below(2)),
        2 => Value::Variable(rng.below(VARIABLES as u64) as usize),
        _ => Value::Read(rng.below(2) as usize),
    }
}

/// Of a condition: compilers leave out branches on constants.
fn condition(rng: &mut Rng) -> Value {
    match rng.below(3) {
        0 => Value::Variable(rng.below(VARIABLES as u64) as usize),
        _ => Value::Read(rng.below(2) as usize),
    }
}

fn statement(rng: &mut Rng, depth: u32, is_in_loop: bool) -> Statement {
    let variable = rng.below(VARIABLES as u64) as usize;
    match if depth == 0 { rng.below(3) } else { rng.below(9) } {
        0 | 1 => Set(variable, value(rng)),
        2 if depth == 0 && !is_in_loop && rng.below(3) == 0 => Return(value(rng)),
        2 => Increment(variable),
        3 => Switch(condition(rng), [(); 3].map(|()| statements(rng, 0, is_in_loop))),
        4 if !is_in_loop => Loop(condition(rng), statements(rng, 0, true)),
        5 if rng.below(2) == 0 => Call(variable, condition(rng), [rng.below(2), rng.below(2)]),
        6 => If(condition(rng), statements(rng, depth - 1, is_in_loop), Vec::new()),
        _ => If(condition(rng), statements(rng, depth - 1, is_in_loop), statements(rng, depth - 1, is_in_loop)),
    }
}

fn name(variable: usize) -> String {
    if variable == OUT { "*out".to_owned() } else { format!("v{variable}") }
}

fn shown(value: Value) -> String {
    match value {
        Value::Const(value) => value.to_string(),
        Value::Read(read) => format!("r{read}"),
        Value::Variable(variable) => name(variable),
    }
}

fn write_statement(text: &mut String, statement: &Statement, depth: usize, loops: &mut usize) {
    let indent = "    ".repeat(depth);
    let mut line = |line: &str| writeln!(text, "{indent}{line}").expect("texts grow");
    match statement {
        Set(variable, value) => line(&format!("{} = {};", name(*variable), shown(*value))),
        Increment(variable) => line(&format!("{0} = {0} + 1;", name(*variable))),
        Return(value) => line(&format!("return {};", shown(*value))),
        Call(variable, value, [a, b]) => {
            line(&format!(
                "{{ int (*f)(void) = {} ? give{a} : give{b}_too; {} = f(); }}",
                shown(*value),
                name(*variable)
            ));
        }
        If(cond, then, otherwise) => {
            line(&format!("if ({}) {{", shown(*cond)));
            then.iter().for_each(|statement| write_statement(text, statement, depth + 1, loops));
            writeln!(text, "{indent}}} else {{").expect("texts grow");
            otherwise.iter().for_each(|statement| write_statement(text, statement, depth + 1, loops));
            writeln!(text, "{indent}}}").expect("texts grow");
        }
        Switch(value, ways) => {
            line(&format!("switch ({}) {{", shown(*value)));
            for (label, way) in ["case 0", "case 1", "default"].iter().zip(ways) {
                writeln!(text, "{indent}{label}:").expect("texts grow");
                way.iter().for_each(|statement| write_statement(text, statement, depth + 1, loops));
                writeln!(text, "{indent}    break;").expect("texts grow");
            }
            writeln!(text, "{indent}}}").expect("texts grow");
        }
        Loop(value, body) => {
            *loops += 1;
            let (i, n) = (format!("i{loops}"), format!("n{loops}"));
            line(&format!("int {n} = {}; for (int {i} = 0; {i} < {n} && {i} < 2; {i}++) {{", shown(*value)));
            body.iter().for_each(|statement| write_statement(text, statement, depth + 1, loops));
            writeln!(text, "{indent}}}").expect("texts grow");
        }
    }
}

impl Run {
    fn value(&self, value: Value) -> (u64, u8) {
        match value {
            Value::Const(value) => (value, 0),
            Value::Read(read) => (self.reads[read], 1 << read),
            Value::Variable(variable) => self.values[variable],
        }
    }

    /// Writes a variable.
    fn set(&mut self, variable: usize, (value, deps): (u64, u8)) {
        let before = if self.in_place { self.values[OUT].1 } else { 0 };
        let in_memory = if variable == OUT { before } else { 0 };
        self.values[variable] = (value, deps | in_memory);
    }

    /// Runs statements. What follows a conditional on one of whose ways the function is left is part of the other way.
    fn pass(&mut self, body: &[Statement], fresh: &mut u64) {
        let Some((first, rest)) = body.split_first() else { return };
        match first {
            Set(variable, value) => self.set(*variable, self.value(*value)),
            Increment(variable) => {
                let (value, deps) = self.values[*variable];
                self.set(*variable, (value + 1, deps));
            }
            Return(value) => {
                self.values[VARIABLES] = self.value(*value);
                self.returned = true;
                return;
            }
            Call(variable, value, [a, b]) => {
                let (cond, deps) = self.value(*value);
                self.passed |= deps;
                let given = if cond != 0 { *a } else { *b };
                self.set(*variable, (given, if a == b { 0 } else { deps }));
            }
            If(cond, then, otherwise) => {
                if self.choose(*cond, &|v| usize::from(v == 0), &[then, otherwise], rest, fresh) {
                    return;
                }
            }
            Switch(value, ways) => {
                let ways: Vec<&Vec<Statement>> = ways.iter().collect();
                if self.choose(*value, &|v| v.min(2) as usize, &ways, rest, fresh) {
                    return;
                }
            }
            Loop(value, body) => {
                let (count, deps) = self.value(*value);
                self.passed |= deps;
                for _ in 0..count.min(2) {
                    self.pass(body, fresh);
                }
                let after = after(body, start(), fresh);
                for (variable, symbol) in after.0.iter().enumerate() {
                    if *symbol != Symbol(Base::Before(variable), 0) {
                        self.values[variable].1 |= deps;
                    }
                }
            }
        }
        self.pass(rest, fresh);
    }

    /// Goes one of several ways; whether that was the rest as well.
    fn choose(
        &mut self,
        value: Value,
        way: &dyn Fn(u64) -> usize,
        ways: &[&Vec<Statement>],
        rest: &[Statement],
        fresh: &mut u64,
    ) -> bool {
        let (value, deps) = self.value(value);
        self.passed |= deps;
        let is_left = ways.iter().any(|way| returns(way));
        let whole: Vec<Vec<Statement>> =
            ways.iter().map(|way| way.iter().chain(if is_left { rest } else { &[] }).cloned().collect()).collect();
        self.pass(&whole[way(value)], fresh);
        if is_left && !self.returned {
            self.values[VARIABLES] = self.values[0];
            self.returned = true;
        }
        let all: Vec<Symbols> = whole
            .iter()
            .map(|way| {
                let (mut symbols, returned) = after(way, start(), fresh);
                if is_left && !returned {
                    symbols[VARIABLES] = symbols[0];
                }
                symbols
            })
            .collect();
        for (variable, value) in self.values.iter_mut().enumerate() {
            if all.iter().any(|symbols| symbols[variable] != all[0][variable]) {
                value.1 |= deps;
            }
        }
        is_left
    }
}

/// The statements that a condition decides about.
fn parts(statement: &Statement) -> Vec<&Vec<Statement>> {
    match statement {
        If(_, a, b) => vec![a, b],
        Switch(_, ways) => ways.iter().collect(),
        Loop(_, body) => vec![body],
        _ => Vec::new(),
    }
}

fn writes_out(statement: &Statement) -> bool {
    match statement {
        Set(variable, _) | Increment(variable) | Call(variable, ..) => *variable == OUT,
        _ => parts(statement).into_iter().flatten().any(writes_out),
    }
}

fn returns(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Return(_) => true,
        If(_, a, b) => returns(a) || returns(b),
        Switch(_, ways) => ways.iter().any(|way| returns(way)),
        _ => false,
    })
}

fn start() -> Symbols {
    std::array::from_fn(|variable| Symbol(Base::Before(variable), 0))
}

/// What statements make of the variables, and whether they end by a return.
fn after(body: &[Statement], mut symbols: Symbols, fresh: &mut u64) -> (Symbols, bool) {
    let other = |fresh: &mut u64| {
        *fresh += 1;
        Symbol(Base::Other(*fresh), 0)
    };
    let of = |symbols: &Symbols, value: Value| match value {
        Value::Const(value) => Symbol(Base::Zero, value),
        Value::Read(read) => Symbol(Base::Read(read), 0),
        Value::Variable(variable) => symbols[variable],
    };
    let mut rest = body;
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        match first {
            Set(variable, value) => symbols[*variable] = of(&symbols, *value),
            Increment(variable) => symbols[*variable].1 += 1,
            Return(value) => {
                symbols[VARIABLES] = of(&symbols, *value);
                return (symbols, true);
            }
            Call(variable, ..) => symbols[*variable] = other(fresh),
            If(..) | Switch(..) => {
                let ways: Vec<&Vec<Statement>> = match first {
                    If(_, a, b) => vec![a, b],
                    Switch(_, ways) => ways.iter().collect(),
                    _ => Vec::new(),
                };
                let is_left = ways.iter().any(|way| returns(way));
                let all: Vec<(Symbols, bool)> = ways
                    .iter()
                    .map(|way| {
                        let whole: Vec<Statement> =
                            way.iter().chain(if is_left { behind } else { &[] }).cloned().collect();
                        let (mut symbols, returned) = after(&whole, symbols, fresh);
                        if is_left && !returned {
                            symbols[VARIABLES] = symbols[0];
                        }
                        (symbols, returned)
                    })
                    .collect();
                let met: Symbols = std::array::from_fn(|variable| {
                    let first = all[0].0[variable];
                    match all.iter().all(|(symbols, _)| symbols[variable] == first) {
                        true => first,
                        false => other(fresh),
                    }
                });
                symbols = met;
                if is_left {
                    return (symbols, true);
                }
            }
            Loop(_, body) => {
                let (once, _) = after(body, start(), fresh);
                for (variable, symbol) in symbols.iter_mut().enumerate() {
                    if once[variable] != Symbol(Base::Before(variable), 0) {
                        *symbol = other(fresh);
                    }
                }
            }
        }
    }
    (symbols, false)
}

/// A module with these helpers and their twins: for each and each query, a program in which the read that is asked for may read what a write behind the helper
/// leads to, if that does not depend on it.
pub fn module(helpers: &[Helper], is_kernel: bool, rules: Rules) -> String {
    let mut text =
        "#include <pthread.h>\n#include <assert.h>\n#include <stdatomic.h>\n#include <stddef.h>\n".to_owned();
    text += match is_kernel {
        true => "#define T int\n#define LOAD(v) READ_ONCE(v)\n#define STORE(v, w) WRITE_ONCE(v, w)\n",
        false => {
            "#define T atomic_int\n#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)\n#define STORE(v, w) atomic_store_explicit(&v, w, memory_order_relaxed)\n"
        }
    };
    text += "T x0, x1, y;\n";
    for value in 0..2 {
        let _ = writeln!(
            text,
            "static int give{value}(void) {{ return {value}; }}\nstatic int give{value}_too(void) {{ return {value}; }}"
        );
    }
    for query in 0..QUERIES {
        let _ =
            writeln!(text, "static void *other_{query}(void *a) {{ if (LOAD(y)) STORE(x{query}, 1); return NULL; }}");
    }
    for (i, helper) in helpers.iter().enumerate() {
        text += &helper.text(i);
        let result = if helper.by_out { "w" } else { "v" };
        let _ = writeln!(
            text,
            "static void *run_{i}(void *a) {{ int r0 = LOAD(x0), r1 = LOAD(x1), w = 0; int v = help_{i}(r0, r1, &w); STORE(y, 8 | {result}); return (void *)(long)(r0 | r1); }}"
        );
        for query in 0..QUERIES {
            let reads = std::array::from_fn(|read| u64::from(read == query));
            let depends = helper.depends(reads, rules);
            let stated: String =
                (0..QUERIES).filter(|read| depends & (1 << read) != 0).map(|read| format!(" | r{read} * 0")).collect();
            let _ = writeln!(
                text,
                "static void *twin_run_{i}_{query}(void *a) {{ int r0 = LOAD(x0), r1 = LOAD(x1); STORE(y, 8{stated}); return (void *)(long)(r0 | r1); }}"
            );
            for (kind, thread) in [("own", format!("run_{i}")), ("twin", format!("twin_run_{i}_{query}"))] {
                let _ = writeln!(
                    text,
                    "int {kind}_{i}_{query}(void) {{ pthread_t p, q; void *seen; pthread_create(&p, NULL, {thread}, NULL); pthread_create(&q, NULL, other_{query}, NULL); pthread_join(p, &seen); pthread_join(q, NULL); assert(!seen); return 0; }}"
                );
            }
        }
    }
    text + "int main(void) { return 0; }\n"
}
