//! Memory that one thread frees and others access, in random programs: debug builds, and so these tests, put every pair of a `free` and an access that a few events settle
//! (`src/verdict/memory/settled.rs`) to the plain evaluator as well, and stop at a difference.
//!
//! `HMC_RANDOM=FROM,CASES,EVENTS cargo test --test it random::freed` runs others.

use crate::support::random::{Rng, all_agree};
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::{Models, Usable, adapt};
use hmc::explore::{Options, explore};
use hmc::llvm::{self, Mapping};
use hmc::verdict::{Observer, Property, Sources};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is done to memory that others may free, and what messages are made of.
const ACCESSES: [&str; 5] = [
    "%{n} = load i32, ptr {b}, align 4",
    "store i32 {n}, ptr {b}, align 4",
    "%{n} = load atomic i32, ptr {b} monotonic, align 4",
    "store atomic i32 {n}, ptr {b} monotonic, align 4",
    "%{n} = atomicrmw add ptr {b}, i32 1 {update}, align 4",
];
const SENT: [&str; 3] = [
    "store atomic i32 1, ptr {g} {store}, align 4",
    "store atomic i32 1, ptr {g} {store}, align 4",
    "%{n} = atomicrmw add ptr {g}, i32 1 {update}, align 4",
];
const RECEIVED: [&str; 3] = [
    "%{n} = load atomic i32, ptr {g} {load}, align 4",
    "%{n} = load atomic i32, ptr {g} {load}, align 4",
    "%{n} = atomicrmw add ptr {g}, i32 1 {update}, align 4",
];
const LOADS: [&str; 3] = ["monotonic", "acquire", "seq_cst"];
const STORES: [&str; 3] = ["monotonic", "release", "seq_cst"];
const UPDATES: [&str; 5] = ["monotonic", "acquire", "release", "acq_rel", "seq_cst"];
const FENCES: [&str; 4] = ["acquire", "release", "acq_rel", "seq_cst"];

/// One thread's code.
struct Thread<'r> {
    rng: &'r mut Rng,
    code: String,
    next: usize,
}

impl Thread<'_> {
    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.rng.below(of.len() as u64) as usize]
    }

    /// Adds an instruction with its blanks filled in; the number of its result.
    fn line(&mut self, of: &[&str]) -> usize {
        let block = if self.rng.below(3) == 0 { "%c" } else { "%b" };
        let global = if self.rng.below(3) == 0 { "@y" } else { "@x" };
        let (load, store, update) = (self.one(&LOADS), self.one(&STORES), self.one(&UPDATES));
        let pattern = self.one(of);
        self.next += 1;
        let (number, filled) = (self.next, [("{b}", block), ("{g}", global), ("{load}", load), ("{store}", store)]);
        let line = filled.iter().fold(pattern.to_owned(), |line, (blank, with)| line.replace(blank, with));
        let line = line.replace("{update}", update).replace("%{n}", &format!("%r{number}"));
        let _ = writeln!(self.code, "  {}", line.replace("{n}", &number.to_string()));
        number
    }

    fn maybe_fence(&mut self) {
        if self.rng.below(4) == 0 {
            let order = self.one(&FENCES);
            let _ = writeln!(self.code, "  fence {order}");
        }
    }

    /// Receives a message, and goes on only if there is one, mostly.
    fn receive(&mut self) {
        let read = self.line(&RECEIVED);
        if self.rng.below(6) > 0 {
            let _ = writeln!(self.code, "  %t{read} = icmp ne i32 %r{read}, 0");
            let _ = writeln!(self.code, "  br i1 %t{read}, label %go{read}, label %end\ngo{read}:");
        }
        self.maybe_fence();
    }
}

/// Two or three threads: the last one, and now and then another, frees what `main` has made.
fn random_source(rng: &mut Rng) -> String {
    let threads = 2 + rng.below(2);
    let mut ir = "@p = global ptr null, align 8\n@x = global i32 0, align 4\n@y = global i32 0, align 4\n\
        declare ptr @malloc(i64)\ndeclare void @free(ptr)\n\
        declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n"
        .to_owned();
    for t in 0..threads {
        let frees = t + 1 == threads;
        let mut thread = Thread { rng, code: String::new(), next: 0 };
        if frees || t > 0 && thread.rng.below(2) == 0 {
            thread.receive();
        }
        if !frees || thread.rng.below(4) == 0 {
            for _ in 0..1 + thread.rng.below(2) {
                thread.line(&ACCESSES);
            }
        }
        thread.maybe_fence();
        match frees {
            true => thread.code += "  call void @free(ptr %b)\n",
            false => {
                thread.line(&SENT);
            }
        }
        let code = &thread.code;
        let _ = write!(
            ir,
            "define ptr @P{t}(ptr %arg) {{\n  %b = load ptr, ptr @p, align 8\n  \
             %c = getelementptr i8, ptr %b, i64 4\n{code}  br label %end\nend:\n  ret ptr null\n}}\n"
        );
    }
    ir += "define i32 @main() {\n  %m = call ptr @malloc(i64 8)\n  %n = getelementptr i8, ptr %m, i64 4\n  \
        store i32 0, ptr %m, align 4\n  store i32 0, ptr %n, align 4\n  store ptr %m, ptr @p, align 8\n";
    for t in 0..threads {
        let _ = write!(
            ir,
            "  %i{t} = alloca i64, align 8\n  \
             %k{t} = call i32 @pthread_create(ptr %i{t}, ptr null, ptr @P{t}, ptr null)\n"
        );
    }
    for t in 0..threads {
        let _ = write!(ir, "  %h{t} = load i64, ptr %i{t}\n  %j{t} = call i32 @pthread_join(i64 %h{t}, ptr null)\n");
    }
    ir + "  ret i32 0\n}\n"
}

struct Loaded {
    usable: Arc<Usable>,
    mapping: Mapping,
    /// Programs in which a race with a `free` was found, and others.
    wrong: AtomicU64,
    right: AtomicU64,
}

impl Loaded {
    fn new(name: &str) -> Loaded {
        let models = Models::new(LoadRequest::named(name), Vec::new(), false);
        let Ok(usable) = models.get(None) else { panic!("{name} does not load") };
        let bell = usable.loaded.bell.as_ref();
        let title = usable.model.arch.as_deref().unwrap_or(&usable.model.title);
        let mapping = Mapping::for_model(Some(title), |name| bell.is_some_and(|b| b.annotations().contains(name)));
        Loaded { usable, mapping, wrong: AtomicU64::default(), right: AtomicU64::default() }
    }

    fn run(&self, ir: &str) {
        let mut program = llvm::compile_ir(ir, "freed.ll", &self.mapping).unwrap_or_else(|e| panic!("{}\n{ir}", e[0]));
        adapt(&mut program, &self.usable.model);
        let (loaded, model, sources) = (&self.usable.loaded, &self.usable.model, Sources::default());
        let mut observer = Observer::new(loaded, model, &sources, &[Property::Memory], true);
        let options = Options::default();
        explore(&program, &self.usable.plans.get(model, &program, &options.equivalence), &options, &mut observer);
        let is_race = observer.findings.iter().any(|finding| finding.message.contains("nothing orders the two"));
        let counter = if is_race { &self.wrong } else { &self.right };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn what_a_few_events_settle_is_ordered() {
    let models = ["sc", "tso", "rc11", "c11", "imm", "lkmm", "aarch64", "power", "riscv"].map(Loaded::new);
    all_agree(300, 0, |seed, _| {
        let ir = random_source(&mut Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
        models.iter().for_each(|model| model.run(&ir));
        true
    });
    for model in &models {
        let [wrong, right] = [&model.wrong, &model.right].map(|n| n.load(Ordering::Relaxed));
        println!("{}: {wrong} with a race, {right} without", model.usable.model.title);
        assert!(wrong * 10 > right && right * 10 > wrong, "both are frequent");
    }
}
