//! `docs/day.md`: a transcript of each thing that a day's work takes, made by running hmc. `BLESS=1 cargo test --test it cli::day` writes it again.

use super::lsp::transcript;
use crate::cli::support::{Files, clang, command, ran, without_times};
use std::path::Path;

/// A section: heading, a sentence, what is typed.
struct Section {
    heading: &'static str,
    about: &'static str,
    /// Commands; of what they print so many lines are shown.
    typed: &'static [(&'static str, usize)],
}

/// What is in the folder.
const FILES: [(&str, &str); 4] = [("mp.c", MP), ("sb.litmus", SB), ("counter.cpp", COUNTER), ("long.c", LONG)];

/// What is in its `hmc.toml`, for the section that shows it.
const PROJECT: &str = "models = [\"rc11\"]\ntests = [\"mp.c\", \"sb.litmus\"]\n\n[[harness]]\nname = \"stronger\"\nfiles = [\"mp.c\"]\nclang = [\"-DORDER=memory_order_release\"]\nexpect = \"holds\"\n";

/// More executions than can be seen in some seconds.
const LONG: &str = "#include <stdatomic.h>
#include <pthread.h>
atomic_int x, y;
void *f(void *p) { for (int i = 0; i < 6; i++) { x += (long)p; y += (long)p; } return 0; }
int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, f, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
";

const MP: &str = "// hmc: --cat rc11 => violated race @9
// hmc: --cat sc => holds
#include <pthread.h>
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
int data; atomic_int ready;
void *producer(void *p) { data = 1; atomic_store_explicit(&ready, 1, ORDER); return p; }
void *consumer(void *p) { if (atomic_load_explicit(&ready, memory_order_acquire)) data++; return p; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0); pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0); pthread_join(b, 0);
}
";

const SB: &str = "X86 SB
(* hmc: --cat x86tso => holds *)
{ }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
";

/// Eight lines of C++.
const COUNTER: &str = "#include <atomic>
#include <thread>
std::atomic<int> ready;
int data;
int main() {
    std::thread t([] { data = 1; ready.store(1, std::memory_order_relaxed); });
    if (ready.load(std::memory_order_acquire)) data++; t.join();
}
";

const SECTIONS: &[Section] = &[
    Section {
        heading: "No option is needed",
        about: "The model follows from the file.",
        typed: &[("hmc mp.c", 14), ("hmc sb.litmus", 8), ("hmc list-models", 12)],
    },
    Section {
        heading: "A report of C++ fits a screen",
        about: "What the library of C++ does by itself is folded; `--frames` shows it.",
        typed: &[("hmc counter.cpp", 60)],
    },
    Section {
        heading: "Expectations in the source",
        about: "`hmc test` runs what `hmc.toml` names.",
        typed: &[("cat hmc.toml", 20), ("hmc test", 12)],
    },
    Section {
        heading: "In CI",
        about: "Only what is wrong is printed; a code host shows annotations.",
        typed: &[("hmc --quiet mp.c sb.litmus", 12), ("hmc --quiet --format github mp.c", 6)],
    },
    Section {
        heading: "How much is left",
        about: "A run that a time limit ends keeps its estimate.",
        typed: &[("hmc --timeout 4 long.c", 8)],
    },
    Section {
        heading: "Help",
        about: "",
        typed: &[("hmc help loops", 8), ("hmc explain race", 8), ("hmc explain C301", 8), ("hmc schema", 6)],
    },
    Section {
        heading: "In an archive",
        about: "`./release DIR` makes an archive with these; `hmc man` and `hmc completions` write them.",
        typed: &[("hmc man --output .", 3), ("ls *.1", 12), ("hmc completions bash", 4)],
    },
];

/// Numbers of a run that was ended differ each time.
fn masked(line: &str) -> String {
    let mut out = String::new();
    for part in line.split_inclusive(|c: char| !c.is_ascii_digit() && c != '.') {
        let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        out += &if digits.is_empty() { part.to_owned() } else { part.replacen(digits, "N", 1) };
    }
    out.replace("a very rough estimate", "a rough estimate").replace("NeN", "N")
}

fn typed(line: &str, most: usize, files: &Files) -> String {
    let mut words = line.split(' ');
    let text = match words.next() {
        Some("hmc") => {
            let mut command = command();
            // Where numbers differ from run to run, lines would break elsewhere.
            let columns = if line.contains("--timeout") { "1000" } else { "100" };
            let output = command.env("COLUMNS", columns).current_dir(files.path("")).args(words).output();
            let ran = ran(output.expect("hmc can be started"));
            let text = without_times(&(ran.err + &ran.out));
            let ended =
                |line: &str| line.split_once("finished in").map(|(before, _)| format!("{before}finished in TIME"));
            text.lines().map(|line| ended(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
        }
        Some("cat") => std::fs::read_to_string(files.path(words.next().expect("a file"))).expect("a file"),
        _ => {
            let entries = std::fs::read_dir(files.path("")).expect("a folder").flatten();
            let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
            names.retain(|name| name.ends_with(".1"));
            names.sort();
            names.join("\n")
        }
    };
    assert!(!text.contains(&files.path("").display().to_string()), "{text}");
    let lines: Vec<&str> = text.trim_end().lines().collect();
    // Completions and annotations are no text for people.
    let is_text = !["completions", "github", "--timeout"].iter().any(|word| line.contains(word));
    assert!(!is_text || lines.iter().all(|line| line.chars().count() <= 100), "{text}");
    let shown =
        lines.iter().take(most).map(|text| if line.contains("--timeout") { masked(text) } else { (*text).to_owned() });
    let more = if lines.len() > most { format!("… {} more lines\n", lines.len() - most) } else { String::new() };
    let more = if line.contains("--timeout") { String::new() } else { more };
    format!("$ {line}\n{}\n{more}", shown.collect::<Vec<_>>().join("\n")).replace("\n\n…", "\n…")
}

#[test]
fn the_page_shows_what_is_printed() {
    if !clang() {
        return;
    }
    let files = Files::new();
    FILES.iter().for_each(|(name, text)| drop(files.file(name, text)));
    let mut page = String::from(
        "# A day's work\n\nA test makes this page (`BLESS=1 cargo test --test it cli::day`). It shows what hmc prints in a folder with four files; times are replaced.\n",
    );
    for Section { heading, about, typed: lines } in SECTIONS {
        let about = if about.is_empty() { String::new() } else { format!("{about}\n\n") };
        let is_project = lines.iter().any(|(line, _)| line.contains("hmc.toml"));
        if is_project {
            files.file("hmc.toml", PROJECT);
        }
        let shown: Vec<String> = lines.iter().map(|(line, most)| typed(line, *most, &files)).collect();
        if is_project {
            std::fs::remove_file(files.path("hmc.toml")).expect("the file");
        }
        page += &format!("\n## {heading}\n\n{about}```console\n{}```\n", shown.join(""));
    }
    page += &format!(
        "\n## In an editor\n\n[editors.md](editors.md) says how. What the editor asks (→), and what `hmc lsp` answers (←):\n\n```text\n{}```\n",
        transcript()
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/day.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("a page");
    }
    assert_eq!(page, std::fs::read_to_string(&path).unwrap_or_default());
}

/// A screen has fifty lines.
#[test]
fn a_report_of_eight_lines_of_cpp_fits_a_screen() {
    if !clang() {
        return;
    }
    let files = Files::new();
    files.file("counter.cpp", COUNTER);
    let mut command = command();
    let output = command.env_remove("COLUMNS").current_dir(files.path("")).arg("counter.cpp").output();
    let ran = ran(output.expect("hmc can be started")).expect(1);
    assert!(ran.out.lines().count() < 50, "{}", ran.out);
    assert!(ran.out.contains("lambda in main"), "{}", ran.out);
    assert!(!ran.out.contains("_Z") && !ran.out.contains("_State"), "{}", ran.out);
}
