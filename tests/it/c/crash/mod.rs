//! Programs that crash: those of `tests/c/crash`, which say what is expected of them; what a report says; what is refused.

mod suites;

use crate::parts::exact::same;
use crate::support::clang_is_there;
use std::path::Path;
use std::process::{Command, Output};

fn hmc(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(env!("CARGO_BIN_EXE_hmc")).current_dir(root).args(args).output().expect("hmc can be started")
}

/// What was printed, in one line.
fn text(output: &Output) -> String {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks a program that stands in a file of its own, in the folder of the others.
fn checked(program: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("program.c");
    std::fs::write(&file, program).expect("written");
    let file = file.display().to_string();
    hmc(&[options, &["-I", "tests/c/crash", file.as_str()]].concat())
}

const FILES: [&str; 4] = ["--cat", "rc11", "--persist", "ext4"];

fn programs(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(root).expect("a directory");
    let files = entries.map(|entry| entry.expect("an entry").path().display().to_string());
    let says = |file: &String| std::fs::read_to_string(file).is_ok_and(|text| text.starts_with("// hmc: "));
    let mut files: Vec<String> = files.filter(|file| file.ends_with(".c")).filter(says).collect();
    files.sort();
    files
}

#[test]
fn programs_are_as_they_say() {
    if !clang_is_there() {
        return;
    }
    let folders =
        ["", "toyfs", "streams", "options", "memory"].map(|folder| programs(&format!("tests/c/crash/{folder}")));
    let files = folders.concat();
    assert!(files.len() > 19, "{files:?}");
    let args: Vec<&str> = std::iter::once("test").chain(files.iter().map(String::as_str)).collect();
    let output = hmc(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn a_report_names_the_writes_and_what_is_missing() {
    if !clang_is_there() {
        return;
    }
    let output = hmc(&[&FILES[..], &["tests/c/crash/rename.c"]].concat());
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for words in [
        "[crash] Error: after a crash: assertion `is_old_or_new(\"f\")` failed",
        "what the recovery found: ",
        "had survived, and inodes[1].size = 2 (tests/c/crash/rename.c:15), which comes before it in the run, had not",
        "missing: fsync behind tests/c/crash/rename.c:15; with it, the model forbids this state",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let output = hmc(&["--cat", "px86", "tests/c/crash/persistent_log.c"]);
    let text = self::text(&output);
    for words in [
        "mark = 1 (tests/c/crash/persistent_log.c:44) had survived, and record = 7 (tests/c/crash/persistent_log.c:33), which comes before it in the run, had not",
        "missing: clflush behind tests/c/crash/persistent_log.c:33",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}

/// The report of a program's first run that finds something, else of its first run. `HMC_WRITE_PAGES=1` writes them anew.
#[test]
fn reports_are_as_they_were() {
    if !clang_is_there() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut differ = Vec::new();
    for file in programs("tests/c/crash") {
        let name = Path::new(&file).file_stem().expect("a name").to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&file).expect("read");
        let runs: Vec<&str> = source.lines().filter_map(|line| line.strip_prefix("// hmc: ")).collect();
        let run = runs.iter().find(|run| run.contains("=> violated")).unwrap_or(&runs[0]);
        let (command, _) = run.split_once(" => ").expect("an outcome");
        let (options, flags) = command.split_once(" -- ").unwrap_or((command, ""));
        let path = format!("tests/c/crash/{name}.c");
        let args: Vec<&str> =
            options.split_whitespace().chain([path.as_str(), "--"]).chain(flags.split_whitespace()).collect();
        let output = hmc(&args);
        let printed = String::from_utf8_lossy(&output.stdout);
        // How long it took is another matter.
        let is_time = |line: &str| line.ends_with(" s") && line.contains("blocked, ");
        let timeless = |line: &str| match line.rsplit_once(", ").filter(|_| is_time(line)) {
            Some((before, _)) => before.to_owned(),
            None => line.to_owned(),
        };
        let report: String = printed.lines().map(|line| timeless(line) + "\n").collect();
        let report = format!("hmc {}\n{report}", args.join(" "));
        let golden = root.join(format!("tests/c/crash/reports/{name}.txt"));
        if std::env::var_os("HMC_WRITE_PAGES").is_some() {
            std::fs::write(&golden, &report).expect("written");
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != report {
            differ.push(format!("{name}\n{report}"));
        }
    }
    assert!(differ.is_empty(), "other reports (HMC_WRITE_PAGES=1 writes them anew):\n{}", differ.join("\n"));
}

#[test]
fn forces_that_change_nothing_are_named() {
    if !clang_is_there() {
        return;
    }
    let output = hmc(&[&FILES[..], &["tests/c/crash/options/useless.c"]].concat());
    let text = text(&output);
    assert!(text.contains("`fsync` at tests/c/crash/options/useless.c:12 changes nothing"), "{text}");
    assert!(!text.contains("useless.c:14 changes nothing"), "{text}");
}

#[test]
fn repair_adds_the_force_that_is_missing() {
    if !clang_is_there() {
        return;
    }
    let cases: [(&[&str], &str, Option<&str>); 3] = [
        (&FILES, "rename.c", Some("fsync behind tests/c/crash/rename.c:15")),
        (&["--cat", "parmv8"], "memory/armv8.c", Some("dc cvap and dsb behind tests/c/crash/memory/armv8.c:25")),
        // No force helps: the order of the calls is wrong.
        (&FILES, "overwrite.c", None),
    ];
    for (options, file, force) in cases {
        let file = format!("tests/c/crash/{file}");
        let output = hmc(&[&["repair"][..], options, &[file.as_str()]].concat());
        let text = text(&output);
        assert!(text.contains(force.unwrap_or("no repair was found")), "{text}");
        assert_eq!(output.status.code(), Some(i32::from(force.is_none())), "{text}");
    }
}

#[test]
fn two_models_of_disks_are_told_apart() {
    if !clang_is_there() {
        return;
    }
    let files = ["tests/c/crash/create_acknowledged.c", "tests/c/crash/overwrite.c"];
    let output = hmc(&[&["diff", "ext4", "posix"][..], &files].concat());
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("1 of 2 files differs between ext4 and posix"), "{text}");
    assert!(text.contains("only under posix: "), "{text}");
}

#[test]
fn the_result_is_the_same_for_any_number_of_threads_and_with_audit() {
    if !clang_is_there() {
        return;
    }
    let program = r#"
#include "files.h"
#include <pthread.h>
static void *append(void *text) {
    int f = open("f", O_WRONLY | O_APPEND);
    write(f, text, 2);
    return 0;
}
void hmc_recovery(void) {
    char found[8];
    int n = get("f", found, 8);
    hmc_assert(n % 2 == 0 && (n < 4 || found[2] == found[3]));
}
int main(void) {
    make("f");
    __VERIFIER_pbarrier();
    pthread_t a, b;
    pthread_create(&a, 0, append, "22");
    pthread_create(&b, 0, append, "33");
    return 0;
}
"#;
    let results: Vec<String> = [&["--threads", "1"][..], &["--threads", "3"], &["--audit"]]
        .into_iter()
        .map(|more| {
            let output =
                checked(program, &[&FILES[..], &["--keep-going", "--no-race", "--format", "json"], more].concat());
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let result = &report["results"][0];
            assert_eq!(result["verdict"], "holds", "{result}");
            result["crash"].to_string()
        })
        .collect();
    assert!(results.iter().all(|result| *result == results[0]), "{results:?}");
    assert!(results[0].contains("\"executions\":2"), "{results:?}");
}

/// A report without what another way to search may say otherwise: times, and notes of that way.
fn found_by(more: &[&str], options: &[String], file: &str) -> serde_json::Value {
    let (options, flags) = match options.iter().position(|option| option == "--") {
        Some(at) => options.split_at(at),
        None => (options, &[][..]),
    };
    let mut args: Vec<&str> = more.to_vec();
    args.extend(options.iter().map(String::as_str).chain(["--format", "json", file]));
    args.extend(flags.iter().map(String::as_str));
    let output = hmc(&args);
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", text(&output)));
    let result = &report["results"][0];
    let names: Vec<&serde_json::Value> = result["findings"].as_array().into_iter().flatten().collect();
    serde_json::json!([
        result["verdict"],
        result["crash"],
        result["states"],
        [&result["executions"]["complete"], &result["executions"]["blocked"]],
        names.iter().map(|finding| [&finding["kind"], &finding["message"], &finding["notes"]]).collect::<Vec<_>>()
    ])
}

#[test]
fn every_program_has_one_result_with_any_number_of_threads_with_audit_and_in_parts() {
    if !clang_is_there() {
        return;
    }
    let folders =
        ["", "toyfs", "streams", "options", "memory"].map(|folder| programs(&format!("tests/c/crash/{folder}")));
    let mut parted = 0;
    for file in folders.concat() {
        let source = std::fs::read_to_string(&file).expect("read");
        // Of the others of a file, the graphs are the same or like these.
        let runs = source.lines().filter_map(|line| line.strip_prefix("// hmc: "));
        for (n, run) in runs.take(1).enumerate() {
            let (command, _) = run.split_once(" => ").expect("an outcome");
            let options: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            let alone = found_by(&["--threads", "1"], &options, &file);
            for more in [&["--threads", "3"][..], &["--audit"]] {
                assert_eq!(found_by(more, &options, &file), alone, "{file} {command} {more:?}");
            }
            if n == 0 {
                let (before, flags) = match options.iter().position(|option| option == "--") {
                    Some(at) => options.split_at(at),
                    None => (&options[..], &[][..]),
                };
                let check = before.iter().chain([&file]).chain(flags).map(String::as_str);
                parted += usize::from(same(&check.collect::<Vec<_>>(), &[20]).is_some());
            }
        }
    }
    assert!(parted > 15, "{parted} of the programs are checked in parts");
}

/// A write that survived in part: the force would come behind both parts, so none is missing.
#[test]
fn a_force_that_does_not_help_is_not_named() {
    if !clang_is_there() {
        return;
    }
    let program = "#include \"files.h\"\nvoid hmc_recovery(void) { char found[4]; int n = get(\"f\", found, 4); \
        hmc_assert(!(n == 3 && found[2] == '2' && found[1] == '1')); }\n\
        int main(void) { int f = creat(\"f\", 0640); write(f, \"111\", 3); __VERIFIER_pbarrier(); \
        pwrite(f, \"22\", 2, 1); return 0; }\n";
    let output = checked(program, &FILES);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("which comes before it in the run, had not"), "{text}");
    assert!(!text.contains("missing: "), "{text}");
}

#[test]
fn what_cannot_be_asked_is_said() {
    if !clang_is_there() {
        return;
    }
    let recovery = |body: &str| {
        format!(
            "#include \"files.h\"\nvoid hmc_recovery(void) {{ {body} }}\nint main(void) {{ make(\"f\"); return 0; }}\n"
        )
    };
    let cases: [(String, &[&str], i32, &str); 13] = [
        (recovery("for (volatile int i = 0;; i++) ;"), &FILES, 4, "a recovery that"),
        (recovery("int f = open(\"f\", O_WRONLY); if (f >= 0) write(f, \"2\", 1);"), &FILES, 4, "the recovery writes"),
        (recovery("creat(\"g\", 0640);"), &FILES, 1, "the recovery creates a file"),
        (
            "#include \"files.h\"\n#include <pthread.h>\nstatic pthread_mutex_t m;\nvoid hmc_recovery(void) \
             { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }\nint main(void) { make(\"f\"); return 0; }\n"
                .into(),
            &FILES,
            4,
            "a recovery that waits",
        ),
        (
            "#include \"files.h\"\nvoid hmc_recovery(void) {}\nint main(void) { make(\"f\"); int f = open(\"f\", O_RDWR); \
             char many[100]; write(f, many, 100); return 0; }\n"
                .into(),
            &FILES,
            4,
            "a file of more than 64 bytes; `--persist-with largest=N` makes room",
        ),
        (
            "#include \"files.h\"\nvoid hmc_recovery(void) {}\nint main(void) { make(\"f\"); truncate(\"f\", 9); return 0; }\n"
                .into(),
            &["--cat", "rc11", "--persist", "ext4", "--persist-with", "largest=8"],
            4,
            "a file of more than 8 bytes",
        ),
        (
            "#include \"files.h\"\nvoid hmc_recovery(void) {}\nint main(void) { open(\"f\", O_RDWR | 010000000); return 0; }\n"
                .into(),
            &FILES,
            4,
            "a flag of `open` that is not modelled",
        ),
        (recovery("char name[2] = \"f\"; open(name, O_RDONLY);"), &FILES, 4, "a file name that is no constant text"),
        (recovery(""), &["--cat", "rc11", "--persist", "ext5"], 2, "bundled are ext4, persevere, posix"),
        (
            recovery(""),
            &["--cat", "rc11", "--persist", "ext4", "--persist-with", "blok=4"],
            2,
            "neither the model nor the file system asks for it",
        ),
        (
            recovery(""),
            &["--cat", "rc11", "--persist", "ext4", "--fs", "/nowhere/fs.c"],
            2,
            "the file system cannot be read",
        ),
        (
            "void hmc_recovery(void) {}\nint main(void) { return 0; }\n".into(),
            &["--cat", "px86"],
            2,
            "no memory of the program survives",
        ),
        (
            "void hmc_recovery(void) {}\nint main(void) { return 0; }\n".into(),
            &["--cat", "rc11"],
            3,
            "the recovery was not run",
        ),
    ];
    for (program, options, code, said) in cases {
        let output = checked(&program, options);
        let text = text(&output);
        assert!(text.contains(said), "{said}: {text}");
        assert_eq!(output.status.code(), Some(code), "{said}: {text}");
    }
}

/// A program that waits for ever can crash, too.
#[test]
fn a_deadlock_can_crash() {
    if !clang_is_there() {
        return;
    }
    let program = "#include <pthread.h>\n#include <hmc.h>\nhmc_persistent int x;\nvoid hmc_recovery(void) { hmc_assert(x != 1); }\n\
        int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); x = 1; pthread_mutex_lock(&m); return 0; }\n";
    let output = checked(program, &["--cat", "px86", "--properties", "crash"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("after a crash"), "{}", text(&output));
}
