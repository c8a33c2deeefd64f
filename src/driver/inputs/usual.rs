//! The model of a file for which the user names none, by what the file is written in.
//!
//! - C, C++ and LLVM IR, and litmus tests in C: RC11, or the Linux kernel's model where the text calls a primitive of the kernel that it does not
//!   make itself. A file that includes C11's own atomics is C11 whatever it calls besides.
//! - litmus tests in assembly, and assembly files: the model of their processor.
//!
//! The text of the file is looked at, and that of the files that it includes in quotes and that stand beside it.

use super::messages;
use crate::assembly::Target;
use crate::cat::{def, library};
use crate::driver::inputs::kind::FileKind;
use crate::litmus::{Arch, split};
use crate::llvm::prelude;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A model, and why it is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Usual {
    /// The name of a bundled model.
    pub model: &'static str,
    /// Why, as the end of a sentence.
    pub why: String,
}

/// The model of C11.
pub const C11: &str = "rc11";
/// More files than these are not looked at.
const MOST_INCLUDED: usize = 64;
/// The model of the Linux kernel.
pub const KERNEL: &str = "lkmm";
/// Headers of a program that has its atomics from the language.
const HEADERS: [&str; 3] = ["stdatomic.h", "atomic", "threads.h"];

/// The model of a file. Of a file that cannot be read the model does not matter: it is an error under any.
pub fn model(file: &Path) -> Usual {
    let text = messages::text_of(file).unwrap_or_default();
    match FileKind::of(file) {
        Some(FileKind::Litmus) => of_test(&text),
        Some(FileKind::Assembly) => match Target::of(&text) {
            Some(target) => usual(of_arch(target.arch()), format!("it is assembly for {}", target.name())),
            None => usual(C11, "no instruction tells which processor it is for"),
        },
        _ if file.extension().is_some_and(|e| e == "ll") => usual(C11, "it is LLVM IR"),
        _ if file.extension().is_some_and(|e| e == "rs") => usual(C11, "it is Rust"),
        _ => of_c(&(included(file, &text, &mut Vec::new()) + &text), "it is C or C++"),
    }
}

/// The texts of the files that a file includes in quotes, relative to its own place, and of those that they include.
fn included(file: &Path, text: &str, seen: &mut Vec<PathBuf>) -> String {
    let mut all = String::new();
    for line in text.lines() {
        let name = line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("include"));
        let name = name.and_then(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
        let Some(path) = name.map(|name| file.with_file_name(name)) else { continue };
        if seen.len() >= MOST_INCLUDED || seen.contains(&path) {
            continue;
        }
        seen.push(path.clone());
        let inner = messages::text_of(&path).unwrap_or_default();
        all += &included(&path, &inner, seen);
        all += &inner;
        all.push('\n');
    }
    all
}

fn usual(model: &'static str, why: impl Into<String>) -> Usual {
    Usual { model, why: why.into() }
}

/// The model of a litmus test with this text.
pub fn of_test(text: &str) -> Usual {
    let Some(arch) = Arch::from_header(&text[split::first_word(text)]) else {
        return usual(C11, "its header names no architecture");
    };
    match arch {
        Arch::C => of_c(text, "it is a litmus test in C"),
        _ => usual(of_arch(arch), format!("it is a litmus test for {}", arch.name())),
    }
}

/// The model of an architecture.
pub fn of_arch(arch: Arch) -> &'static str {
    match arch {
        Arch::C => C11,
        Arch::AArch64 => "aarch64",
        Arch::Arm => "armv7",
        Arch::Ppc => "power",
        Arch::RiscV => "riscv",
        Arch::X86 | Arch::X86_64 => "x86tso",
        Arch::Mips => "mips",
    }
}

fn of_c(text: &str, what: &str) -> Usual {
    let words = Words::of(text);
    if HEADERS.iter().any(|header| words.includes.contains(header)) {
        return usual(C11, format!("{what} with the language's own atomics"));
    }
    match words.calls.iter().find(|call| primitives().contains(**call) && !words.own.contains(*call)) {
        Some(call) => usual(KERNEL, format!("it calls `{call}`, a primitive of the Linux kernel")),
        None => usual(C11, format!("{what} without primitives of the Linux kernel")),
    }
}

/// The names of the kernel's primitives.
fn primitives() -> &'static FxHashSet<String> {
    static NAMES: OnceLock<FxHashSet<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let (macros, _) = def::parse(library::embedded("lkmm.def").unwrap_or_default());
        macros.into_iter().map(|item| item.name).chain(prelude::compound().map(str::to_owned)).collect()
    })
}

/// What is called in a text of C, and what the text makes itself.
#[derive(Default)]
struct Words<'t> {
    includes: Vec<&'t str>,
    /// In the order of the text.
    calls: Vec<&'t str>,
    /// Macros, and functions that are declared or defined.
    own: FxHashSet<&'t str>,
}

/// Words in front of a name that do not declare it.
const BEFORE_A_CALL: [&str; 6] = ["return", "else", "do", "case", "goto", "sizeof"];

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Words<'t> {
        let mut words = Words::default();
        let tokens = tokens(text);
        for (i, token) in tokens.iter().enumerate() {
            let before = |n: usize| i.checked_sub(n).map_or("", |at| tokens[at]);
            if before(2) == "#" && before(1) == "define" {
                words.own.insert(token);
            } else if before(3) == "#" && before(2) == "include" && before(1) == "<" {
                let header = text[offset(text, token)..].split('>').next().unwrap_or_default();
                words.includes.push(header.trim());
            } else if is_name(token) && tokens.get(i + 1) == Some(&"(") {
                if is_name(before(1)) && !BEFORE_A_CALL.contains(&before(1)) && !ends_directive(text, before(1), token)
                {
                    words.own.insert(token);
                } else if !words.calls.contains(token) {
                    words.calls.push(token);
                }
            }
        }
        words
    }
}

/// Whether a token ends a line of the preprocessor, and the next one stands on a line of its own.
fn ends_directive(text: &str, token: &str, next: &str) -> bool {
    let (from, to) = (offset(text, token), offset(text, next));
    let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
    text[from..to].contains('\n') && text[line..].trim_start().starts_with('#')
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Where a part of a text stands in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Names, numbers and single characters, without blanks, comments and what is quoted.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if c == '"' || c == '\'' {
            quoted(rest, c)
        } else if c.is_ascii_alphanumeric() || c == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(&rest[..length]);
            length
        } else {
            if !c.is_whitespace() {
                tokens.push(&rest[..c.len_utf8()]);
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a text in quotes, which ends with its line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use crate::driver::inputs::usual::*;

    #[test]
    fn programs_in_c() {
        let model = |text: &str| of_c(text, "it is C").model;
        assert_eq!(model("int main(void) { return 0; }"), "rc11");
        assert_eq!(model("int x; void f(void) { WRITE_ONCE(x, 1); }"), "lkmm");
        assert_eq!(model("#include <stdatomic.h>\nvoid f(void) { smp_mb(); }"), "rc11");
        assert_eq!(model("#define smp_mb() atomic_thread_fence(5)\nvoid f(void) { smp_mb(); }"), "rc11");
        assert_eq!(model("static void spin_lock(int *l) { }\nvoid f(void) { spin_lock(&l); }"), "rc11");
        assert_eq!(model("// smp_mb();\n/* smp_mb(); */ char *s = \"smp_mb();\";"), "rc11");
        assert_eq!(model("int f(void) { return READ_ONCE(x); }"), "lkmm");
    }

    #[test]
    fn litmus_tests() {
        let model = |text: &str| of_test(text).model;
        assert_eq!(model("AArch64 MP\n{}"), "aarch64");
        assert_eq!(model("X86_64 SB\n{}"), "x86tso");
        assert_eq!(model("C t\n{}\nP0(int *x) { smp_mb(); }"), "lkmm");
        assert_eq!(model("C t\n{}\nP0(atomic_int *x) { atomic_store(x, 1); }"), "rc11");
        assert_eq!(model("nonsense"), "rc11");
    }

    /// The kernel's programs among the tests are known as such, and no others.
    #[test]
    fn the_tests_of_c_programs() {
        fn files(directory: &Path, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => files(&path, found),
                    false => found.push(path),
                }
            }
        }
        let mut all = Vec::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c"), &mut all);
        let mut counts = [0, 0];
        for file in all.iter().filter(|file| file.extension().is_some_and(|e| e == "c" || e == "cpp")) {
            let text = std::fs::read_to_string(file).expect("a program");
            let runs: Vec<&str> = text.lines().filter(|line| line.starts_with("// hmc: ")).collect();
            let of_kernel = runs.iter().filter(|run| run.contains("--cat lkmm")).count();
            if of_kernel == runs.len() || of_kernel == 0 {
                let is_kernel = of_kernel > 0;
                counts[usize::from(is_kernel)] += 1;
                assert_eq!(model(file).model == KERNEL, is_kernel, "{}: {}", file.display(), model(file).why);
            }
        }
        assert!(counts[0] > 50 && counts[1] > 10, "{counts:?}");
    }
}
