//! Random programs as textual LLVM IR, as clang writes it without optimisation: values live in local variables, so that which dependencies
//! there are is decided by the compiler's front half and the interpreter, not by this file.

use super::random::Rng;
use std::fmt::Write;

/// Which operations a program may use besides those of C11.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// None.
    Standard,
    /// None, and compare-and-swaps compare with what was read.
    Comparing,
    /// The kernel's: marked accesses, locks, critical sections of RCU.
    Kernel,
}

/// A random program, twice.
pub struct Source {
    /// Something to read.
    pub text: String,
    /// LLVM IR. Threads are the functions `P0`, `P1`, …, which `main` creates and joins.
    pub ir: String,
    /// How many threads, without `main`.
    pub threads: usize,
    /// Whether `main` does more than to create them and to wait for them.
    pub works: bool,
}

const LOADS: &[&str] = &["", "monotonic", "acquire", "seq_cst"];
const STORES: &[&str] = &["", "monotonic", "release", "seq_cst"];
const UPDATES: &[&str] = &["monotonic", "acquire", "release", "acq_rel", "seq_cst"];
/// Additions make the enumerator try ever larger values, so there are few.
const UPDATING: &[&str] = &["xchg", "or", "xor", "xchg", "or", "xor", "xchg", "and", "umax", "add"];
const FENCES: &[&str] = &["acquire", "release", "acq_rel", "seq_cst"];
const CELLS: [&str; 4] = ["x", "y", "z", "w"];
const MARKED_LOADS: &[&str] = &["ONCE", "ACQUIRE"];
const MARKED_STORES: &[&str] = &["ONCE", "RELEASE"];
const MARKED_UPDATES: &[&str] = &["ONCE", "ACQUIRE", "RELEASE", "MB"];
const MARKED_FENCES: &[&str] = &["MB", "rmb", "wmb", "sync-rcu"];

fn one<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.below(of.len() as u64) as usize]
}

/// The name of the constant that holds a tag.
fn constant(tag: &str) -> String {
    format!("@tag_{}", tag.replace('-', "_"))
}

/// A thread that is being written.
struct Thread<'r> {
    rng: &'r mut Rng,
    words: Words,
    cells: u64,
    text: String,
    code: String,
    /// Local variables, which hold what was read; the first ones are plain numbers that are set in branches and count rounds.
    locals: usize,
    /// Those that hold something that was read.
    known: Vec<usize>,
    names: usize,
    depth: usize,
    budget: u64,
    locked: bool,
    /// Which of several orders all accesses of a kind have, if they have the same.
    uniform: Option<u64>,
}

impl<'r> Thread<'r> {
    fn new(rng: &'r mut Rng, words: Words, cells: u64, budget: u64) -> Thread<'r> {
        Thread {
            rng,
            words,
            cells,
            text: String::new(),
            code: String::new(),
            locals: 0,
            known: Vec::new(),
            names: 0,
            depth: 1,
            budget,
            locked: false,
            uniform: None,
        }
    }

    /// Creates threads and waits for them, as these say, with statements before some.
    fn calls(&mut self, calls: &[&str]) {
        for call in calls {
            self.budget = self.rng.below(2);
            self.statements();
            let (what, t) = call.split_at(1);
            self.says(&format!("{} P{t}", if what == "c" { "create" } else { "join" }));
            self.line(&if what == "c" { create(t) } else { join(t) });
        }
    }

    /// Writes it as a function.
    fn end(self, name: &str, returns: &str, text: &mut String, ir: &mut String) {
        let arg = if returns == "ptr" { "ptr %arg" } else { "" };
        let _ = write!(text, "{name}:\n{}", self.text);
        let _ = writeln!(ir, "define {returns} @{name}({arg}) {{\nentry:");
        for local in 0..self.locals {
            let _ = writeln!(ir, "  %l{local} = alloca i32, align 4\n  store i32 0, ptr %l{local}, align 4");
        }
        let _ = writeln!(ir, "{}  ret {returns} {}\n}}", self.code, if returns == "ptr" { "null" } else { "0" });
    }
}

impl Thread<'_> {
    /// The order of an access or a fence.
    fn order(&mut self, of: &[&'static str]) -> &'static str {
        match self.uniform {
            Some(n) => of[(n % of.len() as u64) as usize],
            None => one(self.rng, of),
        }
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("%t{}", self.names)
    }

    fn label(&mut self) -> String {
        self.names += 1;
        format!("b{}", self.names)
    }

    fn line(&mut self, ir: &str) {
        let _ = writeln!(self.code, "  {ir}");
    }

    fn says(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    /// The value of an instruction.
    fn value(&mut self, ir: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {ir}"));
        name
    }

    fn place(&mut self, label: &str) {
        let _ = writeln!(self.code, "{label}:");
    }

    fn goes(&mut self, label: &str) {
        self.line(&format!("br label %{label}"));
    }

    fn branch(&mut self, cond: &str, then: &str, otherwise: &str) {
        self.line(&format!("br i1 {cond}, label %{then}, label %{otherwise}"));
    }

    fn local(&mut self) -> usize {
        self.locals += 1;
        self.locals - 1
    }

    fn get(&mut self, local: usize) -> String {
        self.value(&format!("load i32, ptr %l{local}"))
    }

    fn set(&mut self, local: usize, value: &str) {
        self.line(&format!("store i32 {value}, ptr %l{local}"));
    }

    /// Whether a local variable is not zero.
    fn is_set(&mut self, local: usize) -> String {
        let value = self.get(local);
        self.value(&format!("icmp ne i32 {value}, 0"))
    }

    /// Something that was read, more often than not the last.
    fn known(&mut self) -> Option<usize> {
        let n = self.known.len() as u64;
        if n == 0 {
            return None;
        }
        let back = if self.rng.below(3) == 0 { self.rng.below(n) } else { 0 };
        Some(self.known[(n - 1 - back) as usize])
    }

    /// A shared variable, now and then one that depends on what was read, really or not.
    fn address(&mut self) -> (String, String) {
        let cell = self.rng.below(self.cells);
        let plain = CELLS[cell as usize].to_owned();
        let chance = self.rng.below(6);
        let read = if chance < 2 { self.known() } else { None };
        let Some(local) = read else { return (format!("getelementptr (i32, ptr @v, i64 {cell})"), plain) };
        let value = self.get(local);
        let (offset, text) = match chance {
            0 => (self.value(&format!("and i32 {value}, 1")), format!("v[l{local} & 1]")),
            _ => {
                let zero = self.value(&format!("xor i32 {value}, {value}"));
                (self.value(&format!("add i32 {zero}, {cell}")), format!("v[(l{local} ^ l{local}) + {cell}]"))
            }
        };
        let wide = self.value(&format!("zext i32 {offset} to i64"));
        (self.value(&format!("getelementptr i32, ptr @v, i64 {wide}")), text)
    }

    /// What is written: a number, or something that was read.
    fn operand(&mut self) -> (String, String) {
        let chance = self.rng.below(6);
        let read = if chance < 3 { self.known() } else { None };
        let Some(local) = read else {
            let n = 1 + self.rng.below(4) / 3;
            return (n.to_string(), n.to_string());
        };
        let value = self.get(local);
        match chance {
            0 => (self.value(&format!("xor i32 {value}, 1")), format!("l{local} ^ 1")),
            _ => (value, format!("l{local}")),
        }
    }

    /// Keeps what was read.
    fn keep(&mut self, value: &str) -> usize {
        let local = self.local();
        self.set(local, value);
        self.known.push(local);
        local
    }

    fn kernel(&mut self) -> bool {
        self.words == Words::Kernel && self.rng.below(4) != 0
    }

    fn load(&mut self, at: &str) -> (String, &'static str) {
        if self.kernel() {
            let tag = self.order(MARKED_LOADS);
            let wide = self.value(&format!("call i64 @__hmc_load(ptr {}, i64 4, ptr {at})", constant(tag)));
            return (self.value(&format!("trunc i64 {wide} to i32")), tag);
        }
        let order = self.order(LOADS);
        let ir = match order {
            "" => format!("load i32, ptr {at}, align 4"),
            _ => format!("load atomic i32, ptr {at} {order}, align 4"),
        };
        (self.value(&ir), order)
    }

    fn store(&mut self) {
        let to = self.address();
        self.store_to(to);
    }

    fn store_to(&mut self, (at, name): (String, String)) {
        let (value, shown) = self.operand();
        let order = if self.kernel() {
            let tag = self.order(MARKED_STORES);
            let wide = self.value(&format!("zext i32 {value} to i64"));
            self.line(&format!("call i64 @__hmc_store(ptr {}, i64 4, ptr {at}, i64 {wide})", constant(tag)));
            tag
        } else {
            let order = self.order(STORES);
            self.line(&match order {
                "" => format!("store i32 {value}, ptr {at}, align 4"),
                _ => format!("store atomic i32 {value}, ptr {at} {order}, align 4"),
            });
            order
        };
        self.says(&format!("{name} = {shown} {order}"));
    }

    fn fence(&mut self) {
        let kind = if self.kernel() {
            let tag = self.order(MARKED_FENCES);
            self.line(&format!("call i64 @__hmc_fence(ptr {})", constant(tag)));
            tag
        } else {
            let order = self.order(FENCES);
            self.line(&format!("fence {order}"));
            order
        };
        self.says(&format!("fence {kind}"));
    }

    /// An exchange or another operation.
    fn update(&mut self) {
        let at = self.address();
        self.update_at(at);
    }

    fn update_at(&mut self, (at, name): (String, String)) {
        let (value, shown) = self.operand();
        if self.kernel() {
            let tag = self.order(MARKED_UPDATES);
            let wide = self.value(&format!("zext i32 {value} to i64"));
            let old = self.value(&format!("call i64 @__hmc_xchg(ptr {}, i64 4, ptr {at}, i64 {wide})", constant(tag)));
            let old = self.value(&format!("trunc i64 {old} to i32"));
            let local = self.keep(&old);
            self.says(&format!("l{local} = xchg({name}, {shown}) {tag}"));
            return;
        }
        let operation = one(self.rng, UPDATING);
        let order = self.order(UPDATES);
        let old = self.value(&format!("atomicrmw {operation} ptr {at}, i32 {value} {order}, align 4"));
        let local = self.keep(&old);
        self.says(&format!("l{local} = {operation}({name}, {shown}) {order}"));
    }

    fn compare_and_swap(&mut self) {
        let at = self.address();
        self.compare_and_swap_at(at);
    }

    fn compare_and_swap_at(&mut self, (at, name): (String, String)) {
        let (value, shown) = self.operand();
        let (expected, against) = match self.words {
            Words::Comparing => self.operand(),
            _ => {
                let number = self.rng.below(2).to_string();
                (number.clone(), number)
            }
        };
        if self.kernel() {
            let tag = self.order(MARKED_UPDATES);
            let wide = self.value(&format!("zext i32 {value} to i64"));
            let call =
                format!("call i64 @__hmc_cmpxchg(ptr {}, i64 4, ptr {at}, i64 {expected}, i64 {wide})", constant(tag));
            let old = self.value(&call);
            let old = self.value(&format!("trunc i64 {old} to i32"));
            let local = self.keep(&old);
            self.says(&format!("l{local} = cas({name}, {against}, {shown}) {tag}"));
            return;
        }
        let success = self.order(UPDATES);
        let failure = one(self.rng, &["monotonic", "acquire", "seq_cst"]);
        let pair = self.value(&format!("cmpxchg ptr {at}, i32 {expected}, i32 {value} {success} {failure}, align 4"));
        let old = self.value(&format!("extractvalue {{ i32, i1 }} {pair}, 0"));
        let local = self.keep(&old);
        self.says(&format!("l{local} = cas({name}, {against}, {shown}) {success} {failure}"));
    }

    /// Statements inside something, with part of what is left.
    fn inside(&mut self) {
        let part = (1 + self.rng.below(2)).min(self.budget);
        let rest = self.budget - part;
        self.budget = part;
        self.depth += 1;
        self.statements();
        self.depth -= 1;
        self.budget += rest;
    }

    fn conditional(&mut self) {
        let Some(local) = self.known() else { return self.store() };
        let cond = self.is_set(local);
        let (then, otherwise, end) = (self.label(), self.label(), self.label());
        let seen = self.known.len();
        self.branch(&cond, &then, &otherwise);
        self.place(&then);
        self.says(&format!("if (l{local}) {{"));
        self.inside();
        self.goes(&end);
        self.known.truncate(seen);
        self.place(&otherwise);
        if self.budget > 0 && self.rng.below(2) == 0 {
            self.says("} else {");
            self.inside();
            self.known.truncate(seen);
        }
        self.says("}");
        self.goes(&end);
        self.place(&end);
    }

    /// A number that is set in a branch, on which no dependency leads to what is read, and then decides or is written.
    fn flag(&mut self) {
        let Some(local) = self.known() else { return self.store() };
        let flag = self.local();
        let cond = self.is_set(local);
        let (then, end) = (self.label(), self.label());
        self.branch(&cond, &then, &end);
        self.place(&then);
        self.set(flag, "2");
        self.goes(&end);
        self.place(&end);
        self.known.push(flag);
        self.says(&format!("if (l{local}) l{flag} = 2;"));
    }

    /// Two rounds with one or two statements each.
    fn rounds(&mut self) {
        let counter = self.local();
        let (head, body, end) = (self.label(), self.label(), self.label());
        self.set(counter, "0");
        self.goes(&head);
        self.place(&head);
        let n = self.get(counter);
        let more = self.value(&format!("icmp slt i32 {n}, 2"));
        self.branch(&more, &body, &end);
        self.place(&body);
        self.says(&format!("for (l{counter} = 0; l{counter} < 2; l{counter}++) {{"));
        let before = self.budget;
        self.inside();
        self.says("}");
        // What is inside happens twice.
        self.budget = self.budget.saturating_sub(before - self.budget);
        let n = self.get(counter);
        let next = self.value(&format!("add i32 {n}, 1"));
        self.set(counter, &next);
        self.goes(&head);
        self.place(&end);
    }

    /// Spins while the value is something.
    fn spin(&mut self) {
        let (head, end) = (self.label(), self.label());
        let (relation, bound) = (one(self.rng, &["eq", "ne", "ult"]), self.rng.below(3));
        self.goes(&head);
        self.place(&head);
        let (at, name) = self.address();
        let (value, order) = self.load(&at);
        let again = self.value(&format!("icmp {relation} i32 {value}, {bound}"));
        let local = self.keep(&value);
        self.branch(&again, &head, &end);
        self.place(&end);
        self.says(&format!("do l{local} = {name} {order} while (l{local} {relation} {bound})"));
    }

    fn critical(&mut self) {
        let lock = !self.locked && self.rng.below(2) == 0;
        let (begins, ends) = match lock {
            true => (
                format!("call i64 @__hmc_lock(ptr {}, ptr @lock)", constant("none")),
                format!("call i64 @__hmc_unlock(ptr {}, ptr @lock)", constant("none")),
            ),
            false => (
                format!("call i64 @__hmc_fence(ptr {})", constant("rcu-lock")),
                format!("call i64 @__hmc_fence(ptr {})", constant("rcu-unlock")),
            ),
        };
        self.says(if lock { "lock {" } else { "rcu {" });
        let before = self.locked;
        self.locked |= lock;
        self.line(&begins);
        self.inside();
        self.line(&ends);
        self.locked = before;
        self.says("}");
    }

    /// A read of one variable, perhaps a fence or two, and a write of another; twice. The other thread has it the other way round, so both can read from
    /// what comes later. `alone`: which of the two rings have one variable only.
    fn half_rings(&mut self, t: usize, alone: [bool; 2]) {
        for ring in 0..2 {
            let mut cell = |n: u64| {
                let strange = self.rng.below(8) == 0;
                let n = if alone[ring as usize] { 0 } else { n };
                let cell = if strange { self.rng.below(self.cells) } else { (2 * ring + n) % self.cells };
                (format!("getelementptr (i32, ptr @v, i64 {cell})"), CELLS[cell as usize].to_owned())
            };
            let (from, to) = (cell(t as u64), cell(1 - t as u64));
            match self.rng.below(8) {
                0 => self.update_at(from),
                1 => self.compare_and_swap_at(from),
                _ => self.read_from(from),
            }
            match self.rng.below(9) {
                0..=2 => self.fence(),
                3 => {
                    self.fence();
                    self.fence();
                }
                4 => self.conditional(),
                5 => self.guarded_fence(),
                _ => {}
            }
            if self.rng.below(8) == 0 { self.update_at(to) } else { self.store_to(to) }
        }
    }

    fn read_from(&mut self, (at, name): (String, String)) {
        let (value, order) = self.load(&at);
        let local = self.keep(&value);
        self.says(&format!("l{local} = {name} {order}"));
    }

    /// A fence that is there or not, as something decides that nothing else depends on.
    fn guarded_fence(&mut self) {
        let cell = self.rng.below(self.cells);
        self.read_from((format!("getelementptr (i32, ptr @v, i64 {cell})"), CELLS[cell as usize].to_owned()));
        let Some(local) = self.known.pop() else { return };
        let cond = self.is_set(local);
        let (then, end) = (self.label(), self.label());
        let (one, other) = if self.rng.below(2) == 0 { (&then, &end) } else { (&end, &then) };
        self.branch(&cond, one, other);
        self.place(&then);
        self.says(&format!("if ({}l{local})", if one == &then { "" } else { "!" }));
        self.depth += 1;
        self.fence();
        self.depth -= 1;
        self.goes(&end);
        self.place(&end);
    }

    fn statements(&mut self) {
        while self.budget > 0 {
            self.budget -= 1;
            match self.rng.below(18) {
                0..=4 => {
                    let from = self.address();
                    self.read_from(from);
                }
                5..=8 => self.store(),
                9 => self.update(),
                10 => self.compare_and_swap(),
                11 => self.fence(),
                12 | 13 if self.depth < 3 && self.budget > 0 => self.conditional(),
                14 => self.flag(),
                15 if self.depth < 2 && self.budget > 1 => self.rounds(),
                16 if self.depth < 2 => self.spin(),
                17 if self.depth < 3 && self.words == Words::Kernel && self.budget > 0 => self.critical(),
                _ => self.store(),
            }
        }
    }
}

/// A random program of two to four threads with up to about `events` accesses in all.
pub fn random_source(rng: &mut Rng, events: u64, words: Words) -> Source {
    let threads = 2 + [0, 0, 0, 1, 1, 2][rng.below(6) as usize];
    let cells = 2 + rng.below(4) / 3;
    let mut budgets = vec![1; threads as usize];
    for _ in threads..=events / 2 + 1 + rng.below(events / 2) {
        budgets[rng.below(threads) as usize] += 1;
    }
    source(rng, cells, words, &budgets, |thread, _| thread.statements())
}

/// A random program of two threads, each of which reads twice before it writes what the other one reads.
pub fn random_rings(rng: &mut Rng, words: Words) -> Source {
    let cells = 4 - 2 * (rng.below(4) / 3);
    let alone = [rng.below(8) == 0, rng.below(8) == 0];
    let uniform = (rng.below(3) == 0).then(|| rng.below(12));
    source(rng, cells, words, &[1, 1], |thread, t| {
        thread.uniform = uniform;
        thread.half_rings(t, alone);
    })
}

/// A random program of two threads whose `main` has accesses of its own: before it creates them, before it waits for them, and behind that. The second
/// one may be created only when the first one has ended; or by the first one, which may wait for it.
pub fn random_creators(rng: &mut Rng, words: Words) -> Source {
    const ORDERS: [[&[&str]; 2]; 6] = [
        [&["c0", "c1", "j0", "j1"], &[]],
        [&["c0", "c1", "j1", "j0"], &[]],
        [&["c0", "j0", "c1", "j1"], &[]],
        [&["c0", "j0", "c1", "j1"], &[]],
        [&["c0", "j0"], &["c1", "j1"]],
        [&["c0", "j0"], &["c1"]],
    ];
    let cells = 2;
    let [of_main, of_first] = ORDERS[rng.below(ORDERS.len() as u64) as usize];
    let mut text = String::new();
    let mut ir = header(cells);
    for t in 0..2 {
        let mut thread = Thread::new(rng, words, cells, 0);
        thread.calls(if t == 0 { of_first } else { &[] });
        thread.budget = 1 + thread.rng.below(2);
        thread.statements();
        thread.end(&format!("P{t}"), "ptr", &mut text, &mut ir);
    }
    let mut main = Thread::new(rng, words, cells, 0);
    main.calls(of_main);
    // Nothing that may wait for ever: alone, `main` has no events, and the enumerator does not look at what it does.
    (main.budget, main.depth) = (main.rng.below(2), 2);
    main.statements();
    main.end("main", "i32", &mut text, &mut ir);
    Source { text, ir, threads: 2, works: true }
}

/// A program of threads that are written one after the other, each with so many statements.
fn source(rng: &mut Rng, cells: u64, words: Words, budgets: &[u64], write: impl Fn(&mut Thread<'_>, usize)) -> Source {
    let threads = budgets.len();
    let mut text = String::new();
    let mut ir = header(cells);
    for (t, &budget) in budgets.iter().enumerate() {
        let mut thread = Thread::new(rng, words, cells, budget);
        write(&mut thread, t);
        thread.end(&format!("P{t}"), "ptr", &mut text, &mut ir);
    }
    let mut main = Thread::new(rng, words, cells, 0);
    (0..threads).for_each(|t| main.line(&create(&t.to_string())));
    (0..threads).for_each(|t| main.line(&join(&t.to_string())));
    main.end("main", "i32", &mut String::new(), &mut ir);
    Source { text, ir, threads, works: false }
}

/// Has `main` create a thread.
fn create(t: &str) -> String {
    format!(
        "%id{t} = alloca i64, align 8\n  %c{t} = call i32 @pthread_create(ptr %id{t}, ptr null, ptr @P{t}, ptr null)"
    )
}

/// Has it wait for one.
fn join(t: &str) -> String {
    format!("%n{t} = load i64, ptr %id{t}\n  %j{t} = call i32 @pthread_join(i64 %n{t}, ptr null)")
}

/// Declarations of what programs use.
fn header(cells: u64) -> String {
    let mut ir = format!("@v = global [{cells} x i32] zeroinitializer, align 4\n@lock = global i32 0, align 4\n");
    let tags =
        [MARKED_LOADS, MARKED_STORES, MARKED_UPDATES, MARKED_FENCES, &["none", "rcu-lock", "rcu-unlock"]].concat();
    for tag in std::collections::BTreeSet::from_iter(tags) {
        let content = if tag == "none" { "" } else { tag };
        let _ = writeln!(ir, "{} = constant [{} x i8] c\"{content}\\00\"", constant(tag), content.len() + 1);
    }
    ir += "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n";
    for (name, args) in [
        ("load", "ptr, i64, ptr"),
        ("store", "ptr, i64, ptr, i64"),
        ("fence", "ptr"),
        ("xchg", "ptr, i64, ptr, i64"),
        ("cmpxchg", "ptr, i64, ptr, i64, i64"),
        ("lock", "ptr, ptr"),
        ("unlock", "ptr, ptr"),
    ] {
        let _ = writeln!(ir, "declare i64 @__hmc_{name}({args})");
    }
    ir
}
