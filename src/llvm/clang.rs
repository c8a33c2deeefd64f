//! Finding and running clang, for as long as the user lets it.

use super::{CompileRequest, OWN, linux, warnings};
use crate::clock::Instant;
use crate::llvm::error::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;
/// What clang says of a program that throws or catches when it may not.
const NEEDS_EXCEPTIONS: &str = "with exceptions disabled";

/// The oldest version whose output is read (opaque pointers are on by default from here on).
const OLDEST: u32 = 15;
/// The newest `clang-N` that is searched for.
const NEWEST: u32 = 40;

/// How often it is asked whether clang has to be ended.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long clang usually takes to be gone when it has printed all.
const MOMENT: Duration = Duration::from_micros(200);

/// What ends a compilation before its time.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// A time limit.
    pub deadline: Option<Instant>,
    /// Set by the user.
    pub interrupt: Arc<AtomicBool>,
}

/// Why a compilation was ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The time limit was reached.
    Late,
    /// The user ended it.
    Interrupted,
}

impl Limits {
    fn ended(&self) -> Option<Ended> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Ended::Interrupted);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Ended::Late)
    }
}

thread_local! {
    /// The limits of what this thread compiles, and whether they ended a compilation.
    static LIMITS: RefCell<(Limits, Option<Ended>)> = RefCell::default();
}

/// Does something within limits, and says whether they ended a compilation of this thread.
pub fn within<R>(limits: Limits, work: impl FnOnce() -> R) -> (R, Option<Ended>) {
    LIMITS.set((limits, None));
    let result = work();
    (result, LIMITS.take().1)
}

/// What clang makes of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Compiled {
    /// Textual LLVM IR.
    pub ir: String,
    /// What clang has printed besides.
    pub printed: String,
}

/// Compiles a C or C++ file to textual LLVM IR.
pub fn to_ir(request: &CompileRequest, path: &Path) -> Result<Compiled, Vec<Error>> {
    let file = path.display().to_string();
    if let Err(e) = std::fs::File::open(path)
        .and_then(|f| f.metadata())
        .and_then(|m| if m.is_dir() { Err(std::io::Error::other("it is a directory")) } else { Ok(()) })
    {
        return Err(vec![Error { file, ..Error::new(ErrorKind::BadInput, format!("cannot be read: {e}")) }]);
    }
    let is_cpp = path.extension().is_some_and(|e| matches!(e.to_str(), Some("cc" | "cpp" | "cxx" | "C")));
    let clang = match &request.clang {
        Some(clang) => clang.clone(),
        None => find().map_err(|e| vec![e])?,
    };
    let prelude = match &request.prelude_header {
        Some(text) => Some(TempFile::new("hmc-model.h", text).map_err(|e| {
            vec![Error::new(ErrorKind::BadInput, format!("cannot write the header of the model's primitives: {e}"))]
        })?),
        None => None,
    };
    let own = headers(path)
        .map_err(|e| vec![Error::new(ErrorKind::BadInput, format!("cannot write the header `hmc.h`: {e}"))])?;
    let mut command = Command::new(&clang);
    command.args(["-x", if is_cpp { "c++" } else { "c" }]);
    command.args(["-S", "-emit-llvm", "-O0", "-g", "-o", "-"]);
    command.args([
        "-Xclang",
        "-disable-O0-optnone",
        "-fno-discard-value-names",
        "-fno-stack-protector",
        "-U_FORTIFY_SOURCE",
    ]);
    command.args(["-fno-color-diagnostics", "-fno-caret-diagnostics"]);
    command.args(warnings::FLAGS);
    if is_cpp {
        command.arg("-fno-exceptions");
        // Has libstdc++ read the two counts of a shared pointer apart, not as one word of twice the size.
        command.arg("-D_GLIBCXX_TSAN=1");
        // Has libstdc++ build its semaphores from those of POSIX, not from system calls.
        command.arg("-D_GLIBCXX_USE_POSIX_SEMAPHORE=1");
        command.arg("-include").arg(own.directory().join("strings.h"));
    }
    let elsewhere = |arg: &String| arg.contains("-target") || arg == "-m32";
    if cfg!(target_arch = "x86_64") && !request.clang_args.iter().any(elsewhere) {
        // Atomic accesses of sixteen bytes are instructions, not calls.
        command.arg("-mcx16");
    }
    for dir in &request.include_dirs {
        command.arg("-I").arg(dir);
    }
    command.arg("-I").arg(own.directory());
    // Places in a header of hmc do not name the folder where it is while the program is compiled.
    command.arg(format!("-ffile-prefix-map={}/={OWN}", own.directory().display()));
    let mut wrapper = None;
    if let Some(tree) = &request.linux {
        let refused = |message| vec![Error::new(ErrorKind::BadInput, message).with_help(linux::HELP)];
        command.args(tree.arguments(own.directory(), request.has_primitives).map_err(refused)?);
        if path != request.path {
            let unlinked = |e| format!("cannot be linked: {e}");
            let made = wrapped(path).map_err(|e| Error::new(ErrorKind::BadInput, unlinked(e)));
            wrapper = Some(made.map_err(|error| vec![Error { file: file.clone(), ..error }])?);
        }
    }
    command.args(["-D__HMC__=1"]);
    if let Some(prelude) = &prelude {
        command.arg("-include").arg(&prelude.path);
    }
    let path = wrapper.as_ref().map_or(path, |wrapper| &wrapper.path);
    command.args(&request.clang_args).arg(path).stdin(Stdio::null());
    let compiled = |command: &mut Command| {
        run(command)
            .map_err(|e| vec![missing(&format!("`{}` cannot be run: {e}", clang.display()))])?
            .map_err(|_| vec![Error { file: file.clone(), ..Error::new(ErrorKind::ClangFailed, "clang was ended") }])
    };
    let mut output = compiled(&mut command)?;
    if is_cpp && String::from_utf8_lossy(&output.stderr).contains(NEEDS_EXCEPTIONS) {
        command.arg("-fexceptions");
        output = compiled(&mut command)?;
    }
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let message = match (output.status.code(), text.trim_end()) {
            (_, "") => format!("clang rejects this program and does not say why ({})", output.status),
            (Some(_), text) => format!("clang rejects this program:\n{text}"),
            (None, text) => format!("clang did not come to an end ({}):\n{text}", output.status),
        };
        return Err(vec![Error { file, ..Error::new(ErrorKind::ClangFailed, message) }]);
    }
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    String::from_utf8(output.stdout)
        .map(|ir| Compiled { ir, printed })
        .map_err(|_| vec![Error { file, ..Error::new(ErrorKind::BadInput, "clang's output is not UTF-8 text") }])
}

/// Runs a compiler, and ends it when it is time to.
pub(super) fn run(command: &mut Command) -> std::io::Result<Result<Output, Ended>> {
    let limits = LIMITS.with_borrow(|(limits, _)| limits.clone());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (send, receive) = mpsc::channel();
    let pipes: [Option<Box<dyn Read + Send>>; 2] =
        [child.stdout.take().map(|p| Box::new(p) as _), child.stderr.take().map(|p| Box::new(p) as _)];
    // What clang has started may keep its pipes open when it is gone: nobody waits for these threads then.
    for (which, mut pipe) in pipes.into_iter().flatten().enumerate() {
        let send = send.clone();
        std::thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let read = pipe.read_to_end(&mut bytes).map(|_| bytes);
            // Nobody wants to know any more.
            let _ = send.send((which, read));
        })?;
    }
    let mut texts = [None, None];
    let status = loop {
        let is_read = texts.iter().all(Option::is_some);
        if is_read && let Some(status) = child.try_wait()? {
            break status;
        }
        if let Ok((which, read)) = receive.recv_timeout(if is_read { MOMENT } else { PATIENCE }) {
            texts[which] = Some(read?);
        }
        if let Some(ended) = limits.ended() {
            child.kill()?;
            child.wait()?;
            LIMITS.with_borrow_mut(|(_, why)| *why = Some(ended));
            return Ok(Err(ended));
        }
    };
    let [stdout, stderr] = texts.map(Option::unwrap_or_default);
    Ok(Ok(Output { status, stdout, stderr }))
}

fn missing(message: &str) -> Error {
    Error::new(ErrorKind::ClangMissing, message).with_help(format!(
        "install clang {OLDEST} or newer (Debian, Ubuntu: `apt-get install clang`), or name one with HMC_CLANG"
    ))
}

/// The newest suitable clang that the system finds, looked for once.
pub fn find() -> Result<PathBuf, Error> {
    static FOUND: OnceLock<Result<PathBuf, Error>> = OnceLock::new();
    FOUND.get_or_init(search).clone()
}

fn search() -> Result<PathBuf, Error> {
    // A name with a number says which version it is: asking takes as long as compiling a small program.
    if let Some(name) = (OLDEST..=NEWEST).rev().map(|n| format!("clang-{n}")).find(|name| is_on_path(name)) {
        return Ok(PathBuf::from(name));
    }
    Err(missing(&match version(Path::new("clang")) {
        Some(v) if v >= OLDEST => return Ok(PathBuf::from("clang")),
        Some(v) => format!("`clang` is clang {v}, which is too old"),
        None => "no clang was found; C programs are compiled with it".to_owned(),
    }))
}

/// Whether there is a program of this name, which starting it would find.
fn is_on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| is_program(&dir.join(name)))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.with_extension(std::env::consts::EXE_EXTENSION).is_file()
}

/// The major version that a compiler reports.
fn version(clang: &Path) -> Option<u32> {
    let output = Command::new(clang).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let after = &text[text.find("version ")? + "version ".len()..];
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A text that includes a file of the kernel, and behind it what the layer defines: for files that are linked.
fn wrapped(path: &Path) -> std::io::Result<TempFile> {
    let path = path.canonicalize()?;
    TempFile::new("linked.c", &format!("#include \"{}\"\n#include <hmc/linux.h>\n", path.display()))
}

/// The headers that programs find without being told where.
fn headers(program: &Path) -> std::io::Result<TempFile> {
    const OTHERS: [(&str, &str); 6] = [
        ("strings.h", include_str!("../../include/library/strings.h")),
        ("lkmm.h", include_str!("../../include/lkmm.h")),
        ("genmc.h", include_str!("../../include/genmc.h")),
        ("dat3m.h", include_str!("../../include/dat3m.h")),
        ("disk.h", include_str!("../../include/fs/disk.h")),
        ("streams.h", include_str!("../../include/fs/streams.h")),
    ];
    let own = TempFile::new("hmc.h", include_str!("../../include/hmc.h"))?;
    for (name, text) in OTHERS {
        std::fs::write(own.directory().join(name), text)?;
    }
    if std::fs::read(program).is_ok_and(|text| String::from_utf8_lossy(&text).contains("pthread_cleanup_push")) {
        std::fs::write(own.directory().join("pthread.h"), include_str!("../../include/library/cleanup.h"))?;
    }
    Ok(own)
}

/// A file in a directory of its own, removed with it.
pub struct TempFile {
    path: PathBuf,
}

impl TempFile {
    /// Writes it.
    pub fn new(name: &str, text: &str) -> std::io::Result<TempFile> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let dir = loop {
            let n = COUNT.fetch_add(1, Ordering::Relaxed);
            let dir = std::env::temp_dir().join(format!("hmc-{}-{n}", std::process::id()));
            match std::fs::create_dir(&dir) {
                // An earlier process of this number was killed and left it.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                made => break made.map(|()| dir)?,
            }
        };
        let path = dir.join(name);
        std::fs::write(&path, text)?;
        Ok(TempFile { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // A left-over file in the temporary directory is no reason to fail.
        let _ = std::fs::remove_dir_all(self.directory());
    }
}
