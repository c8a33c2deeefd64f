//! Public suites of programs that crash: their numbers, verdicts and states.

use super::hmc;
use crate::support::clang_is_there;
use std::path::Path;

/// What one program of GenMC's suite takes for its headers: it declares structures of its own that libraries of C have, too.
const HEADERS: [(&str, &str); 9] = [
    ("sys/types.h", "#pragma once\n#include <stddef.h>\ntypedef long ssize_t, off_t;\ntypedef unsigned mode_t;\n"),
    ("stdlib.h", ""),
    ("stdio.h", "typedef struct file FILE;\nint rename(const char *, const char *);\n"),
    ("pthread.h", ""),
    ("genmc.h", "void __VERIFIER_pbarrier(void);\n"),
    (
        "errno.h",
        "#pragma once\nint *__errno_location(void);\n#define errno (*__errno_location())\n#define ENOENT 2\n#define EINTR 4\n",
    ),
    (
        "assert.h",
        "#pragma once\nvoid __assert_fail(const char *, const char *, unsigned, const char *);\n\
         #define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, \"\"))\n",
    ),
    (
        "fcntl.h",
        "#pragma once\n#include <sys/types.h>\n#define O_RDONLY 0\n#define O_WRONLY 1\n#define O_RDWR 2\n#define O_CREAT 0100\n\
         #define O_EXCL 0200\n#define O_TRUNC 01000\n#define O_APPEND 02000\n#define S_IRWXU 0700\n#define S_IRUSR 0400\n\
         #define S_IWUSR 0200\nint open(const char *, int, ...);\nint creat(const char *, mode_t);\n",
    ),
    (
        "unistd.h",
        "#pragma once\n#include <errno.h>\n#include <sys/types.h>\n#define SEEK_SET 0\n#define SEEK_CUR 1\n#define SEEK_END 2\n\
         off_t lseek(int, off_t, int);\nint close(int);\nssize_t read(int, void *, size_t);\n\
         ssize_t write(int, const void *, size_t);\nint link(const char *, const char *);\nint unlink(const char *);\nint fsync(int);\n",
    ),
];

/// Of GenMC's own suite, where a copy of version 0.9 is named, the numbers of executions.
#[test]
fn the_files_of_genmc_have_its_numbers() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/persistency/tests.tsv");
    let (Ok(table), Ok(copy)) = (std::fs::read_to_string(table), std::env::var("HMC_GENMC_0_9")) else { return };
    for row in table.lines().map(|line| line.split('\t').collect::<Vec<_>>()) {
        let [suite, test, source, options, expected, complete, violating, ..] = row[..] else { continue };
        let Some((_, file)) = source.split_once(':').filter(|_| suite.starts_with("genmc-fs")) else { continue };
        let file = Path::new(&copy).join(file);
        let said = |word: &str| options.split_whitespace().any(|other| other == word);
        let known = [("data=journal", "data-journal"), ("data=writeback", "writeback"), ("nodelalloc", "nodelalloc")];
        let mut with: Vec<&str> = known.iter().filter(|(word, _)| said(word)).map(|&(_, with)| with).collect();
        with.extend(options.split_whitespace().find(|word| word.starts_with("block=")));
        with.extend((!said("errno")).then_some("errors"));
        let with = with.join(",");
        let path = file.display().to_string();
        let folder = file.parent().and_then(Path::parent).expect("a folder").display().to_string();
        let headers = tempfile::tempdir().expect("a directory");
        let (headers_of, nano) =
            (headers.path().display().to_string(), format!("{copy}/tests/wrong/fs/nano-backup-proc"));
        std::fs::create_dir(headers.path().join("sys")).expect("made");
        for (name, text) in HEADERS {
            std::fs::write(headers.path().join(name), text).expect("written");
        }
        let mut args = vec!["--cat", "rc11", "--persist", "persevere", "--keep-going", "--no-race", "--format", "json"];
        args.extend(["--persist-with", &with, &path]);
        if test.starts_with("nano") {
            args.extend(["-I", &headers_of]);
        }
        args.extend(["--", "-I", &folder, "-I", &nano]);
        args.extend(options.split_whitespace().filter(|word| word.starts_with("-D")));
        let output = hmc(&args);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let result = &report["results"][0];
        let verdict = expected.split_whitespace().next().expect("a word");
        assert_eq!(result["verdict"], verdict, "{test}: {result}");
        let number = |text: &str| text.parse::<u64>().ok();
        if let Some(complete) = number(complete) {
            assert_eq!(result["executions"]["complete"], complete, "{test}");
        }
        if let Some(violating) = number(violating).filter(|&n| n > 0) {
            assert_eq!(result["crash"]["violating"], violating, "{test}");
        }
    }
}

/// Of a public suite of persistent programs, where a copy is named, the verdicts. Of two programs the suite says
/// that they are safe, and they are not, each for its reason.
#[test]
fn the_public_programs_on_persistent_memory_have_their_verdicts() {
    const OTHERWISE: [(&str, &str); 2] = [
        ("liz-pw+w+w", "`CAS_nextB` flushes the new node, and not the pointer to it"),
        ("sltr-pw+w+w", "two threads may take the same node: `nodes[node_idx++]` is no atomic operation"),
    ];
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/persistency/tests.tsv");
    let (Ok(table), Ok(copy)) = (std::fs::read_to_string(table), std::env::var("HMC_PM_BENCHMARKS")) else { return };
    for row in table.lines().map(|line| line.split('\t').collect::<Vec<_>>()) {
        let [suite, test, source, _, expected, ..] = row[..] else { continue };
        let Some((_, file)) = source.split_once(':').filter(|_| suite.starts_with("px86-suite")) else { continue };
        let file = Path::new(&copy).join(file).display().to_string();
        let expected = if OTHERWISE.iter().any(|(name, _)| *name == test) { "violated" } else { expected };
        let options = ["--cat", "px86", "--lines", "place", "--no-race", "--timeout", "600", "--format", "json"];
        let output = hmc(&[&options[..], &[&file, "--", "-DPWB_IS_CLFLUSH"]].concat());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let verdict = &report["results"][0]["verdict"];
        // A search that the time limit ended has found nothing wrong.
        assert!(*verdict == expected || (*verdict == "bounded" && expected == "holds"), "{test}: {report}");
    }
}

/// A line of the table's programs as C: `x=1; clflush x; a:=y; if a==1:; z=1`.
fn as_c(line: &str) -> String {
    let mut opened = 0;
    let statement = |text: &str| -> String {
        let words: Vec<&str> = text.split_whitespace().collect();
        match (words[..].first().copied().unwrap_or_default(), words.get(1)) {
            ("sfence" | "mfence", _) => format!("_mm_{text}();"),
            (flush @ ("clflush" | "clflushopt"), Some(place)) => format!("_mm_{flush}((void *)&{place});"),
            ("movnti", Some(store)) => {
                let (place, value) = store.split_once('=').expect("a store");
                format!("_mm_stream_si32((int *)&{place}, {value});")
            }
            ("if", Some(condition)) => {
                opened += 1;
                format!("if ({}) {{", condition.trim_end_matches(':'))
            }
            _ => match text.split_once(":=") {
                Some((register, exchange)) if exchange.starts_with("xchg") => {
                    format!("int {register} = atomic_exchange(&{};", exchange.trim_start_matches("xchg("))
                }
                Some((register, place)) => {
                    format!("int {register} = atomic_load_explicit(&{place}, memory_order_relaxed);")
                }
                None => {
                    let (place, value) = text.split_once('=').expect("a store");
                    format!("atomic_store_explicit(&{place}, {value}, memory_order_relaxed);")
                }
            },
        }
    };
    let statements: Vec<String> =
        line.split(';').map(str::trim).filter(|text| !text.is_empty()).map(statement).collect();
    format!("{} {}", statements.join(" "), "}".repeat(opened))
}

/// What a program with these options may leave, as the verdict and the number of states.
fn left_by(program: &str, name: &str, flags: &[&str]) -> (String, u64) {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join(name);
    std::fs::write(&file, program).expect("written");
    let file = file.display().to_string();
    let options = ["--cat", "px86", "--lines", "variable", "--no-race", "--keep-going", "--format", "json"];
    let output = hmc(&[&options[..], &[&file, "--"], flags].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let result = &report["results"][0];
    (result["verdict"].to_string(), result["crash"]["states"].as_u64().unwrap_or_else(|| panic!("{name}: {result}")))
}

/// Of public litmus tests for persistent memory, the states of all variables. Those of a suite are looked at where a copy is named: its programs, with a
/// recovery that reads everything.
#[test]
fn public_litmus_tests_leave_their_states() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/persistency/tests.tsv");
    let Ok(table) = std::fs::read_to_string(table) else { return };
    if !clang_is_there() {
        return;
    }
    let copy = std::env::var("HMC_PM_BENCHMARKS").ok();
    for row in table.lines().map(|line| line.split('\t').collect::<Vec<_>>()) {
        let [suite, test, source, options, expected, _, _, _, states, program, ..] = row[..] else { continue };
        let states: Option<u64> = states.parse().ok();
        let (found, verdict) = match (suite, &copy) {
            ("px86-litmus", _) => {
                let (threads, crash) = program.split_once("after the crash:").expect("a question");
                let variables: Vec<&str> = options.split(['{', '}', ' ']).filter(|name| name.len() == 1).collect();
                let mut text =
                    "#include <hmc.h>\n#include <immintrin.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
                        .to_owned();
                variables.iter().for_each(|name| text += &format!("hmc_persistent atomic_int {name};\n"));
                let mut main = String::new();
                for (n, thread) in threads.split("||").enumerate() {
                    text += &format!("static void *t{n}(void *_) {{ {} return 0; }}\n", as_c(thread));
                    main += &format!("pthread_t p{n}; pthread_create(&p{n}, 0, t{n}, 0); ");
                }
                let reads: String = variables.iter().map(|name| format!("int of_{name} = {name}; ")).collect();
                let question: Vec<String> =
                    crash.split_whitespace().map(|on| format!("of_{}", on.replace('=', " == "))).collect();
                text += &format!("void hmc_recovery(void) {{ {reads}hmc_assert(!({})); }}\n", question.join(" && "));
                text += &format!("int main(void) {{ {main}return 0; }}\n");
                (
                    left_by(&text, "test.c", &["-mclflushopt"]),
                    if expected == "allowed" { "\"violated\"" } else { "\"holds\"" },
                )
            }
            ("px86-suite", Some(copy)) => {
                let (_, file) = source.split_once(':').expect("a file");
                let mut text = std::fs::read_to_string(Path::new(copy).join(file)).expect("read");
                let named = |line: &str| {
                    let inside = line.strip_prefix("__VERIFIER_persistent_storage(")?.strip_suffix(");")?;
                    inside.split_whitespace().last().map(str::to_owned)
                };
                let reads: String =
                    text.lines().filter_map(named).map(|name| format!("(void){name}.load(relaxed); ")).collect();
                text += &format!("\nextern \"C\" void hmc_recovery(void) {{ {reads}}}\n");
                let flags = ["-DPWB_IS_CLFLUSH", "-D__VERIFIER_recovery_routine=unused_recovery"];
                (left_by(&text, "test.cpp", &flags), "\"holds\"")
            }
            _ => continue,
        };
        assert_eq!((found.0.as_str(), Some(found.1)), (verdict, states), "{test}");
    }
}
