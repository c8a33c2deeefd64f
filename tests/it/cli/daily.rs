//! What a day's work needs: help, the version, explanations, short reports, annotations, the width of the terminal, frames, races under another model.

use crate::cli::schema;
use crate::cli::support::{Files, Ran, clang, command, hmc, ran};

fn wide(columns: &str, arguments: &[&str]) -> Ran {
    ran(command().env("COLUMNS", columns).args(arguments).output().expect("hmc can be started"))
}

#[track_caller]
fn fits(text: &str, columns: usize) {
    let odd = text.lines().find(|line| line.chars().count() > columns);
    assert!(odd.is_none(), "{odd:?} in\n{text}");
}

const COMMANDS: [&str; 17] = [
    "completions",
    "man",
    "check",
    "test",
    "diff",
    "compiled",
    "repair",
    "relax",
    "robust",
    "run-table",
    "playground",
    "synth",
    "explain",
    "schema",
    "list-models",
    "help",
    "model",
];

#[test]
fn help_is_grouped_and_fits() {
    let help = wide("80", &["--help"]).expect(0).out;
    fits(&help, 80);
    for part in
        ["\nModel:\n", "\nPrograms:\n", "\nWhat is looked for:\n", "\nBounds:\n", "\nReports:\n", "\nExamples:\n"]
    {
        assert!(help.contains(part), "{part} in\n{help}");
    }
    for name in COMMANDS {
        let own = wide("80", &["help", name]).expect(0).out;
        fits(&own, 80);
        assert!(own.contains("Usage:"), "{own}");
    }
    for (topic, part) in [("models", "the usual choice"), ("properties", "exit-code"), ("loops", "--unroll N")] {
        let text = wide("80", &["help", topic]).expect(0).out;
        fits(&text, 80);
        assert!(text.contains(part), "{text}");
    }
    assert!(hmc(&["help", "nonsense"]).expect(2).err.contains("models, properties, loops"));
    assert!(hmc(&["help"]).expect(0).out.contains("Examples:"));
}

#[test]
fn completions_and_man_pages_are_made() {
    for (shell, part) in [("bash", "complete -F"), ("zsh", "#compdef hmc"), ("fish", "complete -c hmc")] {
        let text = hmc(&["completions", shell]).expect(0).out;
        assert!(text.contains(part) && text.contains("race-model"), "{shell}");
    }
    let files = Files::new();
    hmc(&["man", "--output", &files.path("").display().to_string()]).expect(0);
    for (page, part) in [("hmc.1", "list\\-models"), ("hmc-check.1", "race\\-model"), ("hmc-repair.1", "changes")] {
        let text = std::fs::read_to_string(files.path(page)).expect("a page");
        assert!(text.starts_with(".ie") && text.contains(part), "{page}: {text}");
    }
    hmc(&["man", "--output", "nowhere/at/all"]).expect(2);
}

/// The script that makes an archive for people who build nothing.
#[test]
fn a_release_has_pages_and_completions() {
    let files = Files::new();
    let out = files.path("");
    let script = std::process::Command::new("./release").arg(&out).env("HMC", env!("CARGO_BIN_EXE_hmc")).output();
    let script = script.expect("a shell");
    assert!(script.status.success(), "{}", String::from_utf8_lossy(&script.stderr));
    let archive = std::fs::read_dir(&out).expect("a folder").filter_map(|entry| Some(entry.ok()?.path()));
    let archive = archive.into_iter().find(|path| path.extension().is_some_and(|e| e == "gz")).expect("an archive");
    let list = std::process::Command::new("tar").arg("-tzf").arg(archive).output().expect("tar");
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    for part in ["/hmc\n", "/README.md\n", "/man/hmc-check.1\n", "/completions/hmc.fish\n", "/LICENSE-MIT\n"] {
        assert!(list.contains(part), "{part} in\n{list}");
    }
}

#[test]
fn what_is_not_known_is_not_offered_to_clang() {
    let ran = hmc(&["--kat", "sc", "a.c"]).expect(2);
    assert!(ran.err.contains("--kat") && !ran.err.contains("as a value"), "{}", ran.err);
}

#[test]
fn the_version_says_what_made_a_result() {
    let text = hmc(&["--version"]).expect(0).out;
    let mut lines = text.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("hmc ")), "{text}");
    for (line, part) in lines.zip(["commit: ", "clang:  ", "models: "]) {
        assert!(line.starts_with(part), "{text}");
    }
}

#[test]
fn kinds_and_verdicts_are_explained() {
    for (kind, part) in
        [("race", "happens-before"), ("holds", "Exit code 0"), ("bounded", "Exit code 3"), ("liveness", "for ever")]
    {
        let text = hmc(&["explain", kind]).expect(0).out;
        assert!(text.starts_with(kind) && text.contains(part), "{text}");
        fits(&wide("60", &["explain", kind]).out, 60);
    }
    assert!(hmc(&["explain", "beauty"]).expect(2).err.contains("liveness"));
}

#[test]
fn reports_are_as_the_schema_says() {
    let schema: serde_json::Value = hmc(&["schema"]).expect(0).json();
    let mut reports = vec![
        hmc(&["--cat", "sc,tso", "--format", "json", "--explain", "examples/sb.litmus"]),
        hmc(&[
            "--cat",
            "tso",
            "--format",
            "json",
            "--strict",
            "--svg",
            "/dev/null",
            "examples/sb.litmus",
            "nowhere.litmus",
        ]),
    ];
    if clang() {
        let json = ["--format", "json", "--coverage", "--keep-going"];
        for arguments in [
            &["--cat", "rc11,tso", "examples/message_passing_broken.c"][..],
            &["--cat", "tso", "tests/c/wrong/shapes/sb.c"],
            &["--cat", "sc", "--race-model", "rc11", "examples/message_passing_broken.c"],
        ] {
            reports.push(hmc(&[&json[..], arguments].concat()));
        }
    }
    for report in reports {
        let errors = schema::errors(&schema, &report.json());
        assert!(errors.is_empty(), "{errors:?}");
    }
    // A report without its verdicts is none.
    let errors = schema::errors(&schema, &serde_json::json!({ "schema": "hmc-report/1", "results": [{}] }));
    assert!(errors.len() > 5, "{errors:?}");
}

#[test]
fn a_quiet_run_tells_what_is_wrong() {
    if !clang() {
        return;
    }
    let ran = hmc(&["--quiet", "examples/message_passing.c", "examples/message_passing_broken.c"]).expect(1);
    assert_eq!(
        ran.out,
        "examples/message_passing_broken.c under rc11: violated: examples/message_passing_broken.c:12: race: the model finds a race on message (data-race)\n"
    );
    assert!(
        !ran.err.contains("hmc: model") && ran.err.contains("hmc: 2 runs of programs: 1 hold, 1 violated;"),
        "{}",
        ran.err
    );
    assert_eq!(hmc(&["--quiet", "examples/message_passing.c"]).expect(0).out, "");
}

#[test]
fn annotations_for_a_code_host() {
    if !clang() {
        return;
    }
    let ran = hmc(&["--cat", "rc11", "--format", "github", "examples/message_passing_broken.c"]).expect(1);
    let start = "::error file=examples/message_passing_broken.c,line=12,col=13,title=hmc%3A race::the model finds a race on message";
    assert!(ran.out.starts_with(start) && ran.out.lines().count() == 1, "{}", ran.out);
}

#[test]
fn colours_are_for_who_can_see_them() {
    let colored = |name: &str, value: &str| {
        let mut command = command();
        command.env_remove("NO_COLOR").env(name, value).args([
            "--cat",
            "sc",
            "--format",
            "human",
            "examples/sb.litmus",
        ]);
        ran(command.output().expect("hmc can be started")).out.contains('\u{1b}')
    };
    assert!(colored("FORCE_COLOR", "1"));
    assert!(
        hmc(&["--color", "always", "--cat", "sc", "--format", "human", "examples/sb.litmus"]).out.contains('\u{1b}')
    );
    assert!(!hmc(&["list-models", "--color", "never"]).out.contains('\u{1b}'));
    assert!(hmc(&["list-models", "--color", "always"]).out.contains('\u{1b}'));
    assert!(!colored("FORCE_COLOR", "0") && !colored("TERM", "dumb"));
    let mut both = command();
    both.env("FORCE_COLOR", "1").args(["--cat", "sc", "--format", "human", "examples/sb.litmus"]);
    assert!(!ran(both.output().expect("hmc can be started")).out.contains('\u{1b}'), "NO_COLOR goes before");
}

/// Race reports at several widths: nothing is wider, and the two lines are there.
#[test]
fn reports_fit_the_terminal() {
    if !clang() {
        return;
    }
    for columns in [60, 80, 100] {
        for arguments in [
            &["--cat", "rc11", "examples/message_passing_broken.c"][..],
            &["--cat", "tso", "tests/c/wrong/shapes/sb.c"],
        ] {
            let text = wide(&columns.to_string(), arguments).expect(1).out;
            fits(&text, columns);
            assert!(text.contains("e2") && text.contains("e3"), "{text}");
        }
    }
}

const WRAPPED: &str = "#include <assert.h>\n#include <pthread.h>\n#include \"flag.h\"\nstatic atomic_int flag;\nstatic int data;\n\
static void *sender(void *a)\n{\n    data = 1;\n    raise(&flag);\n    return a;\n}\n\
int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, sender, 0);\n    if (is_raised(&flag))\n        assert(data == 1);\n    pthread_join(t, 0);\n}\n";

const HEADER: &str = "#include <stdatomic.h>\nstatic inline void set(atomic_int *f, int v) { atomic_store_explicit(f, v, memory_order_relaxed); }\n\
static inline void raise(atomic_int *f)\n{\n    set(f, 1);\n}\n\
static inline __attribute__((always_inline)) int is_raised(atomic_int *f)\n{\n    return atomic_load_explicit(f, memory_order_acquire);\n}\n";

/// Code that wraps its atomics: the user's line is shown, and how it comes to the header's.
#[test]
fn the_line_of_the_user_is_shown() {
    if !clang() {
        return;
    }
    let files = Files::new();
    files.file("flag.h", HEADER);
    let file = files.file("wrapped.c", WRAPPED);
    let text = hmc(&["--cat", "rc11", &file]).expect(1).out;
    assert!(text.contains("raise(&flag); › flag.h:5 › flag.h:2"), "{text}");
    assert!(text.contains("if (is_raised(&flag)) › flag.h:9"), "{text}");
    assert!(text.contains(" 9 │     raise(&flag);"), "{text}");
    let report = hmc(&["--cat", "rc11", "--format", "json", &file]).expect(1).json();
    let events = report["results"][0]["violation"]["execution"]["events"].as_array().cloned().unwrap_or_default();
    let frames = |e: &serde_json::Value| -> Vec<u64> {
        e["frames"].as_array().into_iter().flatten().filter_map(|f| f["line"].as_u64()).collect()
    };
    let store = events.iter().find(|e| e["tags"].to_string().contains("RLX")).expect("a store");
    assert_eq!((store["place"]["line"].as_u64(), frames(store)), (Some(9), vec![2, 5, 9]), "{store}");
    let sarif = hmc(&["--cat", "rc11", "--format", "sarif", &file]).expect(1).out;
    assert!(sarif.contains("wrapped.c") && !sarif.contains("flag.h"), "{sarif}");
}

/// The compiler names a file from the folder that it has in common with the working directory.
#[test]
fn lines_are_shown_of_a_file_beside_the_working_directory() {
    if !clang() {
        return;
    }
    let files = Files::new();
    files.file("flag.h", HEADER);
    let file = files.file("wrapped.c", WRAPPED);
    let beside = files.path("work");
    std::fs::create_dir(&beside).expect("a folder");
    let run = ran(command().current_dir(&beside).args(["--cat", "rc11", &file]).output().expect("hmc can be started"));
    let text = run.expect(1).out;
    assert!(text.contains("raise(&flag); › flag.h:5 › flag.h:2"), "{text}");
}

/// What comes later, or from threads that have nothing to do with it, is one line.
#[test]
fn rows_that_do_not_matter_are_folded() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let noise = "static void *noise(void *a)\n{\n    for (int i = 0; i < 3; i++)\n        atomic_fetch_add(&other, 1);\n    return a;\n}\n";
    let text = WRAPPED.replace("static int data;\n", &format!("static int data;\nstatic atomic_int other;\n{noise}"));
    let text = text.replace("    pthread_t t;\n", "    pthread_t t, n;\n    pthread_create(&n, 0, noise, 0);\n");
    let text = text.replace("    pthread_join(t, 0);\n", "    pthread_join(t, 0);\n    pthread_join(n, 0);\n");
    files.file("flag.h", HEADER);
    let file = files.file("noisy.c", text);
    let report = hmc(&["--cat", "rc11", &file]).expect(1).out;
    assert!(report.contains("events that this does not depend on (e"), "{report}");
    assert!(!report.contains("fetch_add"), "{report}");
}

#[test]
fn races_where_the_model_has_none() {
    if !clang() {
        return;
    }
    let broken = "examples/message_passing_broken.c";
    let ran = hmc(&["--cat", "sc", broken]).expect(0);
    assert!(
        ran.out.contains("races were not looked for: sc says nothing of them (`--race-model rc11` looks for C11's)"),
        "{}",
        ran.out
    );
    for quiet in [&["--cat", "rc11", broken][..], &["--cat", "sc,rc11", broken], &["--cat", "sc", "--no-race", broken]]
    {
        assert!(!hmc(quiet).out.contains("races were not looked for"), "{quiet:?}");
    }
    let ran = hmc(&["--cat", "sc", "--race-model", "rc11", broken]).expect(1);
    assert!(ran.out.contains("the model finds a race on message (data-race) (under rc11)"), "{}", ran.out);
    let right = hmc(&["--cat", "sc", "--race-model", "rc11", "--format", "json", "examples/message_passing.c"])
        .expect(0)
        .json();
    assert_eq!(right["results"][0]["races_of"], "rc11");
}
