//! The table of base names tells the truth: a name that executions are said to give members has one in some test of each architecture that
//! knows it, and a name that is said to be empty is empty in all of them. The page `docs/models.md` is the one that the table makes.
//!
//! What has members is asked of a model with a flag for each name, on the tests of `tests/litmus`, on those below, and on C programs that create
//! threads.

use hmc::algebra::Sort;
use hmc::cat::vocabulary::page;
use hmc::cat::vocabulary::table::{BASE, Entry, Given};
use hmc::cat::{Dialect, LoadRequest};
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::verdict::Sources;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Architectures that tests are read of, the folders of `tests/litmus` with tests of them, and tests with what those do not have.
const ARCHITECTURES: [(&str, &[&str], &[&str]); 8] = [
    (
        "AArch64",
        &["aarch64"],
        &[
            "AArch64 barriers\n{ 0:X1=x; }\n P0 ;\n DMB SY ;\n DMB LD ;\n DMB ST ;\n DMB ISH ;\n DMB ISHLD ;\n DMB ISHST ;\n DMB OSH ;\n DMB OSHLD ;\n \
             DMB OSHST ;\n DMB NSH ;\n DMB NSHLD ;\n DMB NSHST ;\n DSB SY ;\n DSB LD ;\n DSB ST ;\n DSB ISH ;\n DSB ISHLD ;\n DSB ISHST ;\n DSB OSH ;\n \
             DSB OSHLD ;\n DSB OSHST ;\n DSB NSH ;\n DSB NSHLD ;\n DSB NSHST ;\n ISB ;\nexists (true)",
            "AArch64 accesses\n{ 0:X1=x; 0:X3=y; }\n P0 ;\n LDNP W4,W5,[X1] ;\n LDAPR W6,[X3] ;\n STADD W6,[X3] ;\n LDR W7,[X1] ;\n CAS W7,W6,[X3] ;\nexists (true)",
        ],
    ),
    (
        "ARM",
        &["arm"],
        &[
            "ARM deps\n{ %x0=x; %y0=y; }\n P0 ;\n LDR R0,[%x0] ;\n EOR R2,R0,R0 ;\n LDR R3,[R2,%y0] ;\n CMP R0,#1 ;\n BNE L0 ;\n L0: ;\n STR R3,[%x0] ;\nexists (true)",
            "ARM barriers\n{ %x0=x; }\n P0 ;\n DMB ;\n DMB ISH ;\n DMB ST ;\n DSB ;\n DSB ST ;\n ISB ;\n LDA R1,[%x0] ;\n STL R1,[%x0] ;\nexists (true)",
        ],
    ),
    (
        "MIPS",
        &["mips"],
        &[
            "MIPS deps\n{ 0:r5=x; 0:r6=y; }\n P0 ;\n lw r2,0(r5) ;\n xor r3,r2,r2 ;\n addu r4,r3,r6 ;\n lw r7,0(r4) ;\n beq r2,r0,L0 ;\n L0: ;\n sw r7,0(r5) ;\nexists (true)",
        ],
    ),
    (
        "PPC",
        &["ppc"],
        &[
            "PPC deps\n{ 0:r5=x; 0:r6=y; }\n P0 ;\n lwz r2,0(r5) ;\n xor r3,r2,r2 ;\n lwzx r7,r3,r6 ;\n cmpwi r2,1 ;\n beq L0 ;\n L0: ;\n stw r7,0(r5) ;\nexists (true)",
            "PPC barriers\n{ 0:r2=x; }\n P0 ;\n sync ;\n lwsync ;\n eieio ;\n isync ;\nexists (true)",
        ],
    ),
    (
        "X86",
        &["x86"],
        &[
            "X86 deps\n{ x=0; y=0; }\n P0 ;\n MOV EAX,[x] ;\n XOR EAX,EAX ;\n MOV EBX,[y+EAX] ;\n MOV [x],EBX ;\nexists (true)",
            "X86 barriers\n{ x=0; }\n P0 ;\n MFENCE ;\n SFENCE ;\n LFENCE ;\nexists (true)",
        ],
    ),
    (
        "X86_64",
        &["x86_64"],
        &[
            "X86_64 deps\n{ 0:rbx=y; x=0; y=0; }\n P0 ;\n movl (x),%eax ;\n xorl %eax,%eax ;\n movl (%rbx,%rax),%ecx ;\n movl %ecx,(x) ;\nexists (true)",
            "X86_64 barriers\n{ x=0; }\n P0 ;\n mfence ;\n sfence ;\n lfence ;\n movnti %eax,(x) ;\nexists (true)",
        ],
    ),
    (
        "RISCV",
        &["riscv"],
        &[
            "RISCV deps\n{ 0:x5=x; 0:x6=y; }\n P0 ;\n lw x7,0(x5) ;\n xor x8,x7,x7 ;\n add x9,x8,x6 ;\n lw x10,0(x9) ;\n bne x7,x0,L0 ;\n L0: ;\n sw x10,0(x5) ;\nexists (true)",
            "RISCV barriers\n{ 0:x6=x; }\n P0 ;\n fence r,r ;\n fence r,w ;\n fence r,rw ;\n fence w,r ;\n fence w,w ;\n fence w,rw ;\n fence rw,r ;\n \
             fence rw,w ;\n fence rw,rw ;\n fence.tso ;\n fence.i ;\nexists (true)",
            "RISCV accesses\n{ 0:x6=x; }\n P0 ;\n amoadd.w x5,x7,(x6) ;\n amoswap.w.aq x5,x7,(x6) ;\n amoswap.w.rl x5,x7,(x6) ;\n amoswap.w.aq.rl x5,x7,(x6) ;\n \
             lw.sc x5,0(x6) ;\nexists (true)",
        ],
    ),
    (
        "C",
        &["c11", "lkmm"],
        &[
            "C fences\n{ }\nP0(atomic_int* x, int* y) {\n atomic_thread_fence(memory_order_acq_rel);\n atomic_thread_fence(memory_order_consume);\n \
             int r = atomic_load_explicit(x, memory_order_consume);\n atomic_fetch_add_explicit(x, 1, memory_order_seq_cst);\n \
             atomic_store_explicit(x, r, memory_order_release);\n *y = 1;\n}\nexists (true)",
            "C locks\n{ }\nP0(spinlock_t* l) {\n int r0 = spin_trylock(l);\n int r1 = spin_is_locked(l);\n}\nP1(spinlock_t* l) {\n spin_lock(l);\n \
             int r2 = spin_is_locked(l);\n spin_unlock(l);\n}\nexists (true)",
        ],
    ),
];

/// Where the part of the page begins that compares models.
const COMPARED: &str = "\n## Which model is weaker than which\n";

/// A program that creates threads one after the other, one of which compares what it has read.
const THREADS: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n\
    static void *first(void *arg) { int e = atomic_load(&x); atomic_compare_exchange_strong(&y, &e, 1); return arg; }\n\
    static void *second(void *arg) { atomic_store(&x, 2); return arg; }\n\
    int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, first, 0);\n  atomic_store(&x, 1);\n  \
    pthread_create(&b, 0, second, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n";

/// What the table says of a name in tests of an architecture: whether it has members there.
fn is_given(entry: &Entry, arch: &str) -> bool {
    match entry.given {
        Given::Known | Given::Everything => true,
        Given::In(archs) | Given::Only(archs) => archs.contains(&arch),
        // As long as what it is another name for has them.
        Given::Alias(other) => BASE.iter().any(|e| e.each().any(|name| name == other) && is_given(e, arch)),
        _ => false,
    }
}

/// A model that has a flag for each name. It orders as much as a model can, so that no test is long.
fn model(entries: &[&Entry]) -> String {
    let mut text = "\"Names\"\ninclude \"cos.cat\"\nacyclic po | rf | co | fr as sc\n".to_owned();
    for entry in entries {
        for name in entry.each() {
            let operand = if entry.sort == Sort::Set { format!("[{name}]") } else { name.to_owned() };
            let _ = writeln!(text, "flag ~empty {operand} as has-{name}");
        }
    }
    text
}

fn litmus_tests(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "litmus")).collect();
    files.sort();
    files
}

/// The names that have members in some execution of these files.
fn found(entries: &[&Entry], files: &[PathBuf], settings: &Settings) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let request = LoadRequest { dialect: Some(Dialect::Herd), ..LoadRequest::text("names.cat", model(entries)) };
    let models = Models::new(request, vec![root.join("cat/lkmm.def")], false);
    let sources = Sources::default();
    let mut names = BTreeSet::new();
    for file in files {
        let result = check(file, "names", &models, settings, &sources);
        names.extend(result.flags.iter().filter_map(|flag| flag.name.strip_prefix("has-").map(str::to_owned)));
    }
    names
}

#[test]
fn names_have_members_where_the_table_says_so() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = tempfile::tempdir().expect("a folder");
    let settings = Settings { keep_going: true, ..Settings::default() };
    let mut wrong = Vec::new();
    for (arch, folders, texts) in ARCHITECTURES {
        let entries: Vec<&Entry> = BASE.iter().filter(|e| e.of.is_empty() || e.of.contains(&arch)).collect();
        let mut files: Vec<PathBuf> =
            folders.iter().flat_map(|folder| litmus_tests(&root.join("tests/litmus").join(folder))).collect();
        assert!(!files.is_empty(), "{arch}");
        for (i, text) in texts.iter().enumerate() {
            let file = own.path().join(format!("{arch}-{i}.litmus"));
            std::fs::write(&file, text).expect("a test");
            files.push(file);
        }
        if arch == "C" {
            let file = own.path().join("threads.c");
            std::fs::write(&file, THREADS).expect("a program");
            files.push(file);
        }
        let found = found(&entries, &files, &settings);
        for entry in entries {
            for name in entry.each().filter(|name| found.contains(*name) != is_given(entry, arch)) {
                wrong.push(format!("{name} of {arch} has members: {}", found.contains(name)));
            }
        }
    }
    assert!(wrong.is_empty(), "the table says otherwise:\n{}", wrong.join("\n"));
}

/// `HMC_WRITE_PAGES=1` writes the page anew.
#[test]
fn the_page_is_the_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/models.md");
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    // What follows is made by `tests/questions`.
    let (names, rest) = written.split_at(written.find(COMPARED).unwrap_or(written.len()));
    if std::env::var_os("HMC_WRITE_PAGES").is_some() {
        std::fs::write(&file, page::markdown() + rest).expect("the page");
        return;
    }
    assert!(
        names == page::markdown(),
        "docs/models.md is not what the table makes: run this test with HMC_WRITE_PAGES=1"
    );
}
