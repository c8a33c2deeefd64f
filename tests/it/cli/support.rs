//! Runs the program.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What came out.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Fails the test with everything that was printed unless `code` is the exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "\n--- stdout\n{}\n--- stderr\n{}", self.out, self.err);
        assert!(!self.err.contains("internal error") && !self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}:\n{}", self.out))
    }
}

/// Columns that no sentence needs: what is looked for in a report is not wrapped.
const WIDE: &str = "1000";

/// The program with the root of the repository as current directory.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1").env("COLUMNS", WIDE);
    command
}

/// Runs it.
pub fn hmc(arguments: &[&str]) -> Ran {
    ran(command().args(arguments).output().expect("hmc can be started"))
}

/// A program with more executions than anybody can wait for.
pub const ENDLESS: &str = "#include <stdatomic.h>\n#include <pthread.h>\natomic_int x;\nvoid *f(void *p) { for (int i = 0; i < 40; i++) x++; return 0; }\nint main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0); for (int i = 0; i < 4; i++) pthread_join(t[i], 0); }\n";

/// Runs it, and interrupts it after a time; it has to end within seconds then.
#[cfg(unix)]
pub fn interrupted(mut command: Command, after: Duration) -> Ran {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("hmc can be started");
    std::thread::sleep(after);
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signalled.is_ok_and(|s| s.success()));
    let start = Instant::now();
    let ran = ran(child.wait_with_output().expect("it ends"));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    ran
}

/// What came out of a run.
pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A directory of files that goes away with it.
pub struct Files {
    directory: tempfile::TempDir,
}

impl Files {
    /// No files yet.
    pub fn new() -> Files {
        Files { directory: tempfile::tempdir().expect("a directory") }
    }

    /// A new file; the result is its path.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    }

    /// A path in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The same text with the directory's path replaced, for comparison with golden text.
    pub fn normalised(&self, text: &str) -> String {
        text.replace(&self.directory.path().display().to_string(), "DIR")
    }
}

/// Whether there is a clang; tests that need one say so when there is none.
pub fn clang() -> bool {
    let found = hmc::llvm::clang::find().is_ok();
    if !found {
        eprintln!("skipped: there is no clang from 15 on");
    }
    found
}

/// Times differ from run to run.
pub fn without_times(text: &str) -> String {
    text.lines()
        .map(|line| {
            if let (Some(at), true) = (line.find(" time=\""), line.contains("<test")) {
                let end = line[at + 7..].find('"').map_or(line.len(), |n| at + 7 + n);
                return format!("{} time=\"TIME{}", &line[..at], &line[end..]);
            }
            // A line that was wrapped in front of its time.
            let alone = line.trim().strip_suffix(" s").is_some_and(|time| time.parse::<f64>().is_ok());
            match (line.rfind(", "), line.ends_with(" s")) {
                _ if alone => "  TIME".to_owned(),
                (Some(at), true) => format!("{}, TIME", &line[..at]),
                _ => line.trim_end().to_owned(),
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}
