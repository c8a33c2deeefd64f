//! `docs/reports.md`: an example of each kind of report, made by running hmc, so that it cannot go stale.
//! `BLESS=1 cargo test --test it cli::book` writes it again.

use crate::cli::support::{Ran, clang, command, hmc, ran, without_times};
use std::path::Path;

/// A section: heading, what it is about, arguments, exit code.
struct Section {
    heading: &'static str,
    about: &'static str,
    arguments: &'static [&'static str],
    code: i32,
    /// The language of the listing.
    language: &'static str,
}

/// As in a pipe of somebody who says nothing of columns.
fn printed(arguments: &[&str]) -> Ran {
    ran(command().env_remove("COLUMNS").args(arguments).output().expect("hmc can be started"))
}

const fn section(
    heading: &'static str,
    about: &'static str,
    arguments: &'static [&'static str],
    code: i32,
    language: &'static str,
) -> Section {
    Section { heading, about, arguments, code, language }
}

const SECTIONS: &[Section] = &[
    section(
        "A program on several processors",
        "The C11 accesses are compiled by the mapping of each model's architecture (`cat/*.map`). The table says where the program fails.",
        &[
            "--cat",
            "rc11,x86tso,aarch64,power",
            "tests/c/portability/message_passing.c",
            "--format",
            "junit=/dev/null",
            "--format",
            "human",
            "--no-race",
            "--",
            "-DWRONG",
        ],
        1,
        "text",
    ),
    section(
        "A data race",
        "The pair of accesses, and what would have ordered them.",
        &["--cat", "rc11", "examples/message_passing_broken.c"],
        1,
        "text",
    ),
    section(
        "An execution that no interleaving explains",
        "The lines that the model does not keep in order are named and shown in the source.",
        &["--cat", "tso", "tests/c/wrong/shapes/sb.c"],
        1,
        "text",
    ),
    section(
        "Memory that is freed too early",
        "Nothing orders the `free` with the read.",
        &["--cat", "rc11", "tests/c/pairs/memory/free_races_with_read.c", "--", "-DWRONG"],
        1,
        "text",
    ),
    section(
        "A misused lock",
        "",
        &["--cat", "rc11", "tests/c/pairs/locks/unlock_by_other_thread.c", "--", "-DWRONG"],
        1,
        "text",
    ),
    section(
        "A lock that another thread holds",
        "A reader-writer lock knows every reader that holds it.",
        &["--cat", "rc11", "tests/c/pairs/locks/rwlock_unlock_by_other_thread.c", "--", "-DWRONG"],
        1,
        "text",
    ),
    section(
        "Accesses that nothing orders",
        "The chain that leads from one access to the other, and the step of it that does not synchronise; here there is none.",
        &["--cat", "lkmm", "tests/c/pairs/race/lkmm_plain_flag.c", "--", "-DWRONG"],
        1,
        "text",
    ),
    section(
        "Memory that was never written",
        "",
        &[
            "--cat",
            "rc11",
            "--properties",
            "uninitialised",
            "tests/c/pairs/uninitialised/published_early.c",
            "--",
            "-DWRONG",
        ],
        1,
        "text",
    ),
    section(
        "What cannot be run, and what was cut",
        "Neither is ever called `holds`.",
        &["--cat", "rc11", "tests/c/pairs/memory/huge.c", "--format", "human=/dev/stdout", "--", "-DWRONG=67108865UL"],
        4,
        "text",
    ),
    section("A bound", "", &["--cat", "rc11", "--unroll", "2", "tests/c/pairs/liveness/not_the_bound.c"], 3, "text"),
    section(
        "A deadlock",
        "Each thread, and for whom it waits.",
        &["--cat", "sc", "tests/c/pairs/liveness/deadlock.c", "--", "-DWRONG"],
        1,
        "text",
    ),
    section(
        "A list of steps",
        "`--trace` shows an interleaving as one list.",
        &["--cat", "sc", "--trace", "tests/c/pairs/liveness/missed_flag.c", "--", "-DWRONG"],
        1,
        "text",
    ),
    section(
        "Warnings",
        "Memory that is never freed and threads that are never joined change no verdict.",
        &["--cat", "sc", "tests/c/pairs/leak/failed_exchange.c", "--", "-DWRONG"],
        0,
        "text",
    ),
    section(
        "Why a program has no error",
        "`--explain` goes through the candidate executions that would end in an error; the model rejects each.",
        &["--cat", "rc11", "--explain", "tests/c/portability/message_passing.c"],
        0,
        "text",
    ),
    section(
        "Why an outcome of a litmus test is forbidden",
        "",
        &["--cat", "sc", "--explain", "examples/sb.litmus"],
        0,
        "text",
    ),
    section(
        "Robustness",
        "Is there an execution that the stronger model forbids, and which fences remove it?",
        &["robust", "--cat", "tso", "tests/c/portability/dekker.c", "--", "-DWRONG"],
        1,
        "text",
    ),
    section(
        "Why a program has no deadlock",
        "",
        &["--cat", "sc", "--explain", "tests/c/pairs/race/no_lock.c"],
        0,
        "text",
    ),
    section("JUnit", "", &["--cat", "tso", "--format", "junit", "tests/c/wrong/shapes/sb.c"], 1, "xml"),
    section("SARIF", "", &["--cat", "sc", "--strict", "--format", "sarif", "examples/sb.litmus"], 1, "json"),
    section(
        "Graphviz",
        "",
        &["--cat", "tso", "--dot", "/dev/stdout", "--format", "junit=/dev/null", "examples/sb.litmus"],
        0,
        "dot",
    ),
];

const PICTURES: &[(&str, &[&str])] = &[
    ("store_buffer.svg", &["--cat", "tso", "tests/c/wrong/shapes/sb.c"]),
    ("race.svg", &["--cat", "rc11", "examples/message_passing_broken.c"]),
];

const TRIED: &str = "## Which two lines are in the wrong order?

Asked of the text report alone by those who made it (no user was asked), for five programs of `tests/c/portability` with `-DWRONG`: `message_passing` (aarch64), `seqlock` (power), \
`double_checked_locking` (rc11), `chase_lev` (power), `publication` (aarch64). The report showed the failed assertion and a table of the execution: the lines had to be found by looking for a read \
that does not give the latest write above it, and then for what should have been ordered before it. Three things were changed:

- the lines that the model does not keep in order are named (\"the model does not keep these lines in order\"), only as many as matter, each checked by evaluating the model with fences there;
- the same lines are labelled in the source above, not only the assertion; all labels of a file are in one drawing;
- the picture draws these steps and the from-reads in red, and reads-from only between threads.

Now each of the five names exactly the two lines whose order was weakened (both pairs, for `message_passing`).

A second time, again by those who made it, with programs whose comments and macro names were taken out, so that the source does not tell: a ring of one producer (rc11), an MCS lock (imm), Peterson's algorithm (tso), \
a sequence lock's reader (rc11), message passing in the kernel (lkmm), Chase and Lev's deque and Michael and Scott's queue (rc11). All seven name the two lines. What was not clear, and was changed:

- \"not kept behind e2\" is now \"may come before e2\";
- a thread that had failed an assertion went on in the table without a word, and one that was still waiting was said to wait for ever: both are told now;
- a race said which two accesses, but not why nothing orders them: the chain between them and the step that does not synchronise are named, or that there is none;
- an assertion that fails in an interleaving left open whether an order was to blame: it says that fences do not remove it;
- `&nodes[1].next` for a pointer to `nodes[1]`, and `heap#1+8` for `heap#1[2]`;
- in a deadlock the reader had to find who holds which lock: it is said, with the lines;
- files of several include files stand in the order in which something happens in them, and their places are aligned.

A third time by readers who had not seen the tool or the programs (four fresh sessions of a language model, which got nothing but the report; no person was asked): the ring, the lock, Peterson's \
algorithm, the sequence lock's reader and the kernel's message passing. All five named exactly the two lines, why it matters, and a right correction. What they did not know was what `po`, `rf`, `co` and `fr` mean: \
a line under the cycle says it now. Not changed: they would mark stale reads in the table, put the two lines above it, and be told whether something weaker than a full fence does.
";

/// An argument that is only there to keep this page short is not shown.
fn shown(arguments: &[&str]) -> String {
    let mut words = vec!["hmc"];
    let mut rest = arguments.iter();
    while let Some(&word) = rest.next() {
        if word == "--format" && rest.as_slice().first().is_some_and(|next| next.contains("/dev/")) {
            rest.next();
        } else {
            words.push(word);
        }
    }
    words.join(" ")
}

fn page() -> String {
    let mut page = String::from(
        "# Reports\n\nAn example of each kind of report. This page is made by a test (`BLESS=1 cargo test --test it cli::book` writes it again), so it shows what \
         hmc prints today; only times are replaced. `docs/cli.md` describes the forms.\n",
    );
    for section in SECTIONS {
        let ran = printed(section.arguments).expect(section.code);
        page += &format!("\n## {}\n\n", section.heading);
        if !section.about.is_empty() {
            page += &format!("{}\n\n", section.about);
        }
        page += &format!("```console\n$ {}\n```\n\n", shown(section.arguments));
        page += &format!("```{}\n{}\n```\n", section.language, without_times(&ran.out).trim_end());
    }
    page +=
        "\n## Pictures\n\n`--svg FILE` draws the execution; it follows the reader's preference for light or dark.\n\n";
    for (name, arguments) in PICTURES {
        page += &format!("`{}`\n\n![{name}](pictures/{name})\n\n", shown(arguments));
    }
    page + TRIED
}

#[track_caller]
fn same(path: &Path, text: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap_or_default(), "differs from {}", path.display());
}

#[test]
fn the_book_shows_what_is_printed() {
    if !clang() {
        return;
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    same(&docs.join("reports.md"), &page());
    for (name, arguments) in PICTURES {
        let mut with_picture = vec!["--svg", "/dev/stdout", "--format", "junit=/dev/null"];
        with_picture.extend(*arguments);
        same(&docs.join("pictures").join(name), &hmc(&with_picture).out);
    }
}
