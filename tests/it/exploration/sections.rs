//! Executions up to the order of critical sections: programs of `../shared/lapor/tests.tsv`, whose counts an enumerator of lock orders gave; random programs, with keys worked out in another way.
//! `HMC_GENMC_LAPOR` names the folder `tests/correct/lapor` of GenMC 0.6.1, whose programs are counted, too.

use crate::parts::exact::same;
use crate::support::clang_is_there;
use crate::support::left_out::left_out;
use crate::support::sections::{self, Row, rows};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The results of files, in their order.
fn results(args: &[&str], files: &[PathBuf]) -> Vec<Value> {
    let mut hmc = Command::new(env!("CARGO_BIN_EXE_hmc"));
    let output = hmc.args(["--format", "json"]).args(args).args(files).output().expect("hmc can be started");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"));
    report["results"].as_array().expect("results").clone()
}

fn complete(result: &Value) -> u64 {
    result["executions"]["complete"].as_u64().expect("a number")
}

/// The executions in which the flag of races is raised.
fn racy(result: &Value) -> u64 {
    let flags = result["flags"].as_array().expect("flags");
    flags.iter().map(|flag| flag["executions"].as_u64().expect("a number")).max().unwrap_or(0)
}

fn written(kind: &str, folder: &str, plain: bool) -> Option<(Vec<Row>, Vec<PathBuf>)> {
    let rows = rows(kind)?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let file = |row: &Row| {
        let file = sections::write(&folder, &row.name, &row.text);
        std::fs::write(&file, sections::c(&row.text, plain)).expect("a file");
        file
    };
    let files = rows.iter().map(file).collect();
    Some((rows, files))
}

const PLAINLY: [&str; 6] = ["--cat", "rc11", "--symmetry", "off", "--equivalence", "rf+co"];
const FOLDED: [&str; 4] = ["--cat", "rc11", "--locks", "content"];
/// The same counts, by another way.
const ONE: [&str; 4] = ["--cat", "rc11", "--locks", "one"];

#[test]
fn programs_have_the_executions_of_the_table() {
    if !clang_is_there() {
        return;
    }
    for kind in ["program", "nested"] {
        let Some((rows, files)) = written(kind, "sections-atomic", false) else { return };
        let [plain, folded, one] = [&PLAINLY[..], &FOLDED, &ONE].map(|args| results(args, &files));
        for (row, ((plain, folded), one)) in rows.iter().zip(plain.into_iter().zip(folded).zip(one)) {
            let found = (complete(&plain), Some(complete(&folded)));
            let waits = plain["violation"]["kind"] == "liveness";
            if waits {
                // The search ended there.
                assert_eq!(row.verdict, "deadlock", "{}", row.text);
                assert_eq!(folded["violation"]["kind"], "liveness", "{}", row.text);
                assert_eq!(one["violation"]["kind"], "liveness", "{}", row.text);
                continue;
            }
            assert_ne!(row.verdict, "deadlock", "{}", row.text);
            assert_eq!(found, (row.plain, row.content), "{kind} {} {}", row.name, row.text);
            assert_eq!(Some(complete(&one)), row.content, "{kind} {} {}", row.name, row.text);
        }
    }
}

#[test]
fn races_are_found_whatever_order_shows_them() {
    if !clang_is_there() {
        return;
    }
    let Some((rows, files)) = written("program", "sections-plain", true) else { return };
    for way in [FOLDED, ONE] {
        let args: Vec<&str> = way.into_iter().chain(["--keep-going"]).collect();
        for (row, result) in rows.iter().zip(results(&args, &files)) {
            assert_eq!(Some(racy(&result)), row.racy, "{} {}", row.name, row.text);
            assert_eq!(result["violation"]["kind"] == "race", row.racy > Some(0), "{}", row.text);
        }
    }
}

#[test]
fn locks_that_show_their_order_are_named() {
    if !clang_is_there() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sections-tried");
    std::fs::create_dir_all(&folder).expect("a folder");
    let reader = |lock: &str| {
        format!("static void *t(void *a) {{ if (!{lock}(&m)) {{ x; pthread_mutex_unlock(&m); }} return 0; }}\n")
    };
    for (name, lock, count, told) in
        [("locked", "pthread_mutex_lock", 1, false), ("tried", "pthread_mutex_trylock", 4, true)]
    {
        let begin = "#include <pthread.h>\n#include <stdatomic.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\natomic_int x;\n";
        let end = "int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
        let file = folder.join(format!("{name}.c"));
        std::fs::write(&file, format!("{begin}{}{end}", reader(lock))).expect("a file");
        let result = &results(&ONE, &[file])[0];
        assert_eq!(complete(result), count, "{name}: {result}");
        let notes = result["notes"].to_string();
        assert_eq!(notes.contains("`m`"), told, "{notes}");
        assert_eq!(notes.contains("one is explored"), !told, "{notes}");
    }
}

/// Nobody waits for a lock of which the order is witnessed; so where somebody may have it for ever each order is explored.
#[test]
fn threads_that_wait_for_ever_inside_sections_are_found() {
    if !clang_is_there() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sections-waiting");
    std::fs::create_dir_all(&folder).expect("a folder");
    let begin = "#include <pthread.h>\n#include <stdatomic.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;\npthread_barrier_t b;\natomic_int f;\n";
    let [take, give, take_other, give_other] =
        ["lock(&m)", "unlock(&m)", "lock(&k)", "unlock(&k)"].map(|call| format!("pthread_mutex_{call};"));
    let meet = "pthread_barrier_wait(&b);";
    let cases: [(&str, String, String, &str, bool); 7] = [
        (
            "in_turn",
            format!("{take}{take_other}{give_other}{give}"),
            format!("{take}{give}{take_other}{give_other}"),
            "",
            false,
        ),
        (
            "crosswise",
            format!("{take}{take_other}{give_other}{give}"),
            format!("{take_other}{take}{give}{give_other}"),
            "",
            true,
        ),
        ("before", format!("{take}while (!f);{give}"), format!("f = 1;{take}{give}"), "", false),
        ("inside", format!("{take}while (!f);{give}"), format!("{take}f = 1;{give}"), "", true),
        ("kept", format!("{take}f = 1;"), format!("{take}f = 2;{give}"), "", true),
        ("met", format!("{take}{give}{meet}"), format!("{take}{meet}{give}"), "", true),
        (
            "joined",
            format!("{take}{give}"),
            String::new(),
            "pthread_mutex_lock(&m); pthread_join(one, 0); pthread_mutex_unlock(&m); pthread_join(other, 0); return 0;",
            true,
        ),
    ];
    for (name, one, other, end, waits) in cases {
        let main = format!(
            "int main(void) {{ pthread_t one, other; pthread_barrier_init(&b, 0, 2); pthread_create(&one, 0, t0, 0); pthread_create(&other, 0, t1, 0); {end} pthread_join(one, 0); pthread_join(other, 0); return 0; }}\n"
        );
        let file = folder.join(format!("{name}.c"));
        let threads = format!(
            "static void *t0(void *a) {{ {one} return 0; }}\nstatic void *t1(void *a) {{ {other} return 0; }}\n"
        );
        std::fs::write(&file, format!("{begin}{threads}{main}")).expect("a file");
        for way in [FOLDED, ONE] {
            let result = &results(&way, std::slice::from_ref(&file))[0];
            assert_eq!(result["violation"]["kind"] == "liveness", waits, "{name}: {result}");
        }
    }
}

/// `N` threads that only read under a lock, and two that race in some orders of their sections, whichever value is read: two executions, each with a race.
const READERS: &str = "#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static void *reader(void *a) { pthread_mutex_lock(&m); x; pthread_mutex_unlock(&m); return 0; }
static void *writer(void *a) { y = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
static void *racing(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); y; return 0; }
int main(void) {
    pthread_t t[N + 2];
    for (int i = 0; i < N; i++) pthread_create(&t[i], 0, reader, 0);
    pthread_create(&t[N], 0, writer, 0);
    pthread_create(&t[N + 1], 0, racing, 0);
    for (int i = 0; i < N + 2; i++) pthread_join(t[i], 0);
}
";

fn readers(folder: &str, count: u64) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("readers.c");
    std::fs::write(&file, format!("#define N {count}\n{READERS}")).expect("a file");
    file
}

/// Where few orders are explored there is no need to begin anew.
#[test]
fn one_order_is_explored_for_all_once_most_repeat() {
    if !clang_is_there() {
        return;
    }
    for (count, begins_anew) in [(2, false), (5, true)] {
        let file = readers(&format!("sections-repeated-{count}"), count);
        for threads in ["1", "2"] {
            let args: Vec<&str> =
                FOLDED.into_iter().chain(["--keep-going", "--verbose", "--threads", threads]).collect();
            let result = &results(&args, std::slice::from_ref(&file))[0];
            let notes = result["notes"].to_string();
            assert_eq!(notes.contains("and one is explored"), begins_anew, "{notes}");
            assert_eq!(notes.contains("began anew, one order"), begins_anew, "{notes}");
            assert_eq!((complete(result), racy(result)), (2, 2), "{result}");
        }
    }
}

/// Parts tell each other which executions they have counted.
#[test]
fn executions_of_several_parts_count_once() {
    if !clang_is_there() {
        return;
    }
    let file = readers("sections-parts", 3).display().to_string();
    let parts = same(&["--cat", "rc11", "--locks", "content", "--keep-going", &file], &[7, 100]);
    assert!(parts.expect("can be divided") > 10);
}

/// Rows of the suite with at most so many executions.
const FEW: u64 = 1000;

/// A program that joins all threads, whatever the file does, and defines no function of `stdio.h`.
fn joining(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("a program");
    let include = format!("#define remove take_out\n#include \"{}\"\n", file.display());
    let begin = "#include <pthread.h>\n#include <stdio.h>\n";
    let joins =
        text.lines().any(|line| line.trim_start().starts_with("pthread_join(") || line.contains("if (pthread_join("));
    if joins {
        return format!("{begin}{include}");
    }
    let create = "static int create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x) { int r = pthread_create(t, a, f, x); created[count++] = *t; return r; }\n";
    let end = "#undef main\nint main(void) { body(); for (int i = 0; i < count; i++) pthread_join(created[i], 0); return 0; }\n";
    format!(
        "{begin}static pthread_t created[64];\nstatic int count;\n{create}#define pthread_create create\n#define main body\n{include}{end}"
    )
}

#[test]
fn the_suite_has_the_executions_of_the_table() {
    let (Some(rows), true) = (rows("suite"), clang_is_there()) else { return };
    let Some(folder) = std::env::var_os("HMC_GENMC_LAPOR").map(PathBuf::from) else {
        left_out("HMC_GENMC_LAPOR is not set: the programs of GenMC's suite of locks are not counted");
        return;
    };
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sections-suite");
    std::fs::create_dir_all(&own).expect("a folder");
    for row in rows.iter().filter(|row| (1..=FEW).contains(&row.plain)) {
        let variants = folder.join(&row.name).join("variants");
        let files = std::fs::read_dir(&variants).unwrap_or_else(|e| panic!("{}: {e}", variants.display()));
        let program = files.map(|entry| entry.expect("an entry").path()).min().expect("a variant");
        let file = own.join(format!("{}.c", row.name));
        std::fs::write(&file, joining(&program)).expect("a file");
        let mut hmc = Command::new(env!("CARGO_BIN_EXE_hmc"));
        hmc.args(FOLDED).args(["--no-race", "--properties", "assertion", "--format", "json"]).arg(&file).arg("--");
        let output = hmc.args(row.text.split_whitespace()).output().expect("hmc can be started");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"));
        let result = &report["results"][0];
        assert_eq!(Some(complete(result)), row.content, "{} {}: {result}", row.name, row.text);
    }
}
