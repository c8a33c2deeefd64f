//! Runs that nobody looks after: time, memory, signals.

use crate::cli::support::{ENDLESS, Files, clang, command, hmc};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test with `4^registers` states, more or less: two writers, and threads that read both locations again and again.
fn many_states(readers: usize, reads: usize) -> String {
    let registers = ["EAX", "EBX", "ECX", "EDX"];
    let mut columns = vec![vec!["MOV [x],$1".to_owned()], vec!["MOV [y],$1".to_owned()], vec!["MOV [z],$1".to_owned()]];
    let mut shown = String::new();
    for reader in 0..readers {
        let read = |i: usize| format!("MOV {},[{}]", registers[i], ["x", "y", "z"][(i + reader) % 3]);
        columns.push((0..reads).map(read).collect());
        (0..reads).for_each(|i| shown += &format!("{}:{}; ", reader + 3, registers[i]));
    }
    let row = |cell: &dyn Fn(usize) -> String| (0..columns.len()).map(cell).collect::<Vec<_>>().join(" | ") + " ;\n";
    let head = row(&|t| format!("P{t}"));
    let rows: String = (0..reads).map(|i| row(&|t| columns[t].get(i).cloned().unwrap_or_default())).collect();
    format!("X86 many\n{{ }}\n{head}{rows}locations [{shown}]\nexists (3:EAX=1)\n")
}

/// The most memory that a run had, in kilobytes, by the system's own count; what it printed is thrown away.
#[cfg(target_os = "linux")]
fn peak(mut command: Command) -> u64 {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("hmc can be started");
    let mut most = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        most = most.max(kilobytes.unwrap_or(0));
        if child.try_wait().expect("a process").is_some() {
            return most;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What was printed is forgotten, whatever the form.
#[cfg(target_os = "linux")]
#[test]
fn a_batch_needs_no_more_memory_than_its_largest_test() {
    let files = Files::new();
    let test = files.file("many.litmus", many_states(3, 4));
    for form in ["herd", "json", "junit"] {
        let peak_of = |copies: usize| {
            let mut command = command();
            command.args(["--cat", "x86tso", "--threads", "1", "--format", form]).args(vec![&test; copies]);
            peak(command)
        };
        // A short run may end between two looks.
        let one = (0..8).map(|_| peak_of(1)).max().unwrap_or_default();
        let many = peak_of(12);
        assert!(many < one + one / 2, "{form}: {one} kB for one test, {many} kB for twelve");
    }
}

/// A report that is cut is none: what was written before the run was ended is whole.
#[cfg(unix)]
#[test]
fn a_batch_that_is_terminated_ends_at_once_with_a_whole_report() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let [one, two] = ["one.c", "two.c"].map(|name| files.file(name, ENDLESS));
    let report = files.path("report.json");
    let mut command = command();
    command.args(["--cat", "sc", "--format", &format!("json={}", report.display()), &one, &two]);
    let mut child = command.stderr(Stdio::null()).spawn().expect("hmc can be started");
    std::thread::sleep(Duration::from_secs(2));
    let start = Instant::now();
    let signalled = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(signalled.is_ok_and(|s| s.success()));
    let code = child.wait().expect("it ends").code();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(code, Some(3));
    let text = std::fs::read_to_string(report).expect("a report");
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|v| v["schema"].is_string()), "{text}");
}

/// What explains a finding in a large execution takes far longer than to find it: the limit is for both.
#[test]
fn a_time_limit_is_kept_while_a_finding_is_explained() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let text = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x; int a[64], b[64], d;\n\
        static void *one(void *p) { for (int i = 0; i < 400; i++) a[i % 64]++; d = 1; atomic_store_explicit(&x, 1, memory_order_relaxed); return 0; }\n\
        static void *two(void *p) { for (int i = 0; i < 400; i++) b[i % 64]++; if (atomic_load_explicit(&x, memory_order_relaxed)) d++; return 0; }\n\
        int main(void) { pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }\n";
    let program = files.file("race.c", text);
    let start = Instant::now();
    let ran = hmc(&["--cat", "rc11", "--unroll", "1000", "--timeout", "4", &program]);
    assert!(start.elapsed() < Duration::from_secs(12), "{:?}", start.elapsed());
    assert!([1, 3].contains(&ran.code), "{}", ran.out);
}

/// However often a program is explored, there is one limit.
#[test]
fn a_time_limit_is_one_for_all_that_is_done_with_a_file() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file("p.c", ENDLESS.replace("i < 40", "i < 400"));
    for more in [&[][..], &["--engine", "enumerate"], &["--unroll", "5000"], &["--explain"]] {
        let start = Instant::now();
        let ran = hmc(&[&["--cat", "c11", "--symmetry", "off", "--timeout", "2", &program], more].concat());
        assert!(start.elapsed() < Duration::from_secs(10), "{more:?}: {:?}", start.elapsed());
        assert_eq!(ran.code, 3, "{}", ran.out);
    }
}
