//! Random programs with threads that do not end, that wait, and that are interchangeable, as textual LLVM IR, so that no compiler is needed.
//!
//! A violation may be planted where some thread certainly comes: at the start of a thread, or in a loop without end.

use super::random::Rng;
use std::fmt::Write;

/// What is planted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    /// An assertion that fails.
    Assertion,
    /// Two plain writes that nothing orders.
    Race,
    /// An unlock of what is not locked.
    Locks,
    /// A lock that is taken with an exchange and never given back, by two threads.
    Liveness,
    /// An access to memory that another thread frees.
    Memory,
}

pub const PLANTED: [Planted; 5] =
    [Planted::Assertion, Planted::Race, Planted::Locks, Planted::Liveness, Planted::Memory];

impl Planted {
    /// The property that finds it.
    pub fn property(self) -> &'static str {
        match self {
            Planted::Assertion => "assertion",
            Planted::Race => "race",
            Planted::Locks => "locks",
            Planted::Liveness => "liveness",
            Planted::Memory => "memory",
        }
    }
}

const HEAD: &str = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"
target triple = \"x86_64-unknown-linux-gnu\"
%union.pthread_mutex_t = type { [40 x i8] }
@x = dso_local global i32 0, align 4
@y = dso_local global i32 0, align 4
@never = dso_local global i32 0, align 4
@taken = dso_local global i32 0, align 4
@d = dso_local global i32 0, align 4
@p = dso_local global ptr null, align 8
@m = dso_local global %union.pthread_mutex_t zeroinitializer, align 8
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare void @hmc_assert(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
";

/// Code that is being written.
struct Code<'r> {
    rng: &'r mut Rng,
    text: String,
    values: usize,
    labels: usize,
}

impl Code<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn value(&mut self) -> String {
        self.values += 1;
        format!("%v{}", self.values)
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    fn begin(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.below(of.len() as u64) as usize]
    }

    fn load(&mut self, cell: &str) -> String {
        let order = self.one(&["monotonic", "acquire", "seq_cst"]);
        let value = self.value();
        self.line(&format!("{value} = load atomic i32, ptr @{cell} {order}, align 4"));
        value
    }

    /// Goes on at the first label if a value is this one.
    fn branch(&mut self, value: &str, is: u64, then: &str, otherwise: &str) {
        let holds = self.value();
        self.line(&format!("{holds} = icmp eq i32 {value}, {is}"));
        self.line(&format!("br i1 {holds}, label %{then}, label %{otherwise}"));
    }

    fn update(&mut self, op: &str, cell: &str, by: u64) -> String {
        let order = self.one(&["monotonic", "acq_rel", "seq_cst"]);
        let value = self.value();
        self.line(&format!("{value} = atomicrmw {op} ptr @{cell}, i32 {by} {order}, align 4"));
        value
    }

    /// An access or two that come to an end.
    fn step(&mut self) {
        let cell = self.one(&["x", "y"]);
        match self.rng.below(6) {
            0 | 1 => {
                let (order, value) = (self.one(&["monotonic", "release", "seq_cst"]), self.rng.below(3));
                self.line(&format!("store atomic i32 {value}, ptr @{cell} {order}, align 4"));
            }
            2 => drop(self.load(cell)),
            3 => drop(self.update("add", cell, 1)),
            4 => drop(self.update("xchg", cell, 1)),
            _ => {
                let (value, then, end) = (self.load(cell), self.label(), self.label());
                let is = self.rng.below(2);
                self.branch(&value, is, &then, &end);
                self.begin(&then);
                self.line("store atomic i32 2, ptr @y monotonic, align 4");
                self.line(&format!("br label %{end}"));
                self.begin(&end);
            }
        }
    }

    /// A loop that goes round until an exchange, `or` or read finds a value.
    fn wait(&mut self, cell: &str, op: &str, is: u64) {
        let (head, end) = (self.label(), self.label());
        self.line(&format!("br label %{head}"));
        self.begin(&head);
        let value = if op == "load" { self.load(cell) } else { self.update(op, cell, 1) };
        self.branch(&value, is, &end, &head);
        self.begin(&end);
    }

    /// A loop that nothing ends; what it does each round may be nothing. The code behind it is dead.
    fn endless(&mut self, planted: Option<Planted>) {
        let (head, dead) = (self.label(), self.label());
        self.line(&format!("br label %{head}"));
        self.begin(&head);
        for _ in 0..self.rng.below(3) {
            self.step();
        }
        if let Some(planted) = planted {
            self.plant(planted);
        }
        self.line(&format!("br label %{head}"));
        self.begin(&dead);
    }

    fn plant(&mut self, planted: Planted) {
        match planted {
            Planted::Assertion => self.line("call void @hmc_assert(i32 0)"),
            Planted::Race => self.line("store i32 1, ptr @d, align 4"),
            Planted::Locks => self.line("call i32 @pthread_mutex_unlock(ptr @m)"),
            Planted::Liveness => self.wait("taken", "xchg", 0),
            Planted::Memory => {
                let at = self.value();
                self.line(&format!("{at} = load ptr, ptr @p, align 8"));
                self.line(&format!("store i32 1, ptr {at}, align 4"));
            }
        }
    }
}

/// A random program of threads that run one or two functions, each by one thread or more; with something planted, if that is wanted.
pub fn random_endless(rng: &mut Rng, planted: Option<Planted>) -> String {
    let sizes: &[u64] = [&[2][..], &[1, 1], &[2, 1], &[1], &[3]][rng.below(5) as usize];
    // Whether a thread waits for ever is not known where another one goes on for ever and could still write.
    let all_end = planted == Some(Planted::Liveness);
    let at_start = rng.below(2) == 0 || all_end;
    let mut text = HEAD.to_owned();
    let mut starts_endless = false;
    for (f, _) in sizes.iter().enumerate() {
        let mut code = Code { rng, text: format!("define dso_local ptr @f{f}(ptr %a) {{\n"), values: 0, labels: 0 };
        // What is planted is in the first function: nothing that may wait stands before it.
        let own = planted.filter(|_| f == 0);
        if let Some(planted) = own.filter(|_| at_start) {
            code.plant(planted);
        }
        for _ in 0..code.rng.below(2) {
            code.step();
        }
        if own.is_some() && !at_start {
            starts_endless = true;
            code.endless(planted);
        } else {
            match code.rng.below(6) {
                0 if !all_end => code.endless(None),
                1 => {
                    let (op, is) = (code.one(&["xchg", "or", "load"]), code.rng.below(2));
                    code.wait("x", op, is);
                }
                2 => code.wait("never", "load", 1),
                3 => {
                    code.line("%locked = call i32 @pthread_mutex_lock(ptr @m)");
                    code.step();
                    if code.rng.below(3) > 0 && planted != Some(Planted::Locks) {
                        code.line("%unlocked = call i32 @pthread_mutex_unlock(ptr @m)");
                    }
                }
                _ => code.step(),
            }
        }
        code.line("ret ptr null");
        text += &code.text;
        text += "}\n";
    }
    let threads: Vec<usize> = sizes.iter().enumerate().flat_map(|(f, &n)| vec![f; n as usize]).collect();
    let mut code = Code { rng, text: "define dso_local i32 @main() {\n".to_owned(), values: 0, labels: 0 };
    for t in 0..threads.len() + 1 {
        code.line(&format!("%t{t} = alloca i64, align 8"));
    }
    if planted == Some(Planted::Memory) {
        code.line("%memory = call ptr @malloc(i64 4)");
        code.line("store ptr %memory, ptr @p, align 8");
    }
    for (t, f) in threads.iter().enumerate() {
        code.line(&format!("%c{t} = call i32 @pthread_create(ptr %t{t}, ptr null, ptr @f{f}, ptr null)"));
    }
    match planted {
        Some(Planted::Race) => code.line("store i32 2, ptr @d, align 4"),
        Some(Planted::Memory) => code.line("call void @free(ptr %memory)"),
        // Somebody takes the lock first.
        Some(Planted::Liveness) => code.plant(Planted::Liveness),
        _ => {}
    }
    let joins_all = !starts_endless || code.rng.below(2) == 0;
    for t in 0..if joins_all || planted == Some(Planted::Liveness) { threads.len() } else { 0 } {
        code.line(&format!("%n{t} = load i64, ptr %t{t}, align 8"));
        code.line(&format!("%j{t} = call i32 @pthread_join(i64 %n{t}, ptr null)"));
    }
    code.line("ret i32 0");
    text + &code.text + "}\n"
}
