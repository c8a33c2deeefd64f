//! Problems with programs.

/// What kind of problem an [`Error`] is; the caller's exit code follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// No usable clang was found.
    ClangMissing,
    /// clang rejected the file; the message is clang's.
    ClangFailed,
    /// No rustc was found.
    RustcMissing,
    /// rustc rejected the file; the message is rustc's.
    RustcFailed,
    /// A file could not be read, or is not what its name says.
    BadInput,
    /// Well-formed, but not something that can be run.
    Unsupported,
}

/// A problem with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What kind of problem.
    pub kind: ErrorKind,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The file, empty when there is none.
    pub file: String,
    /// From 1; 0 is unknown.
    pub line: u32,
    /// From 1; 0 is unknown.
    pub column: u32,
}

impl Error {
    /// An error without a place.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), help: None, file: String::new(), line: 0, column: 0 }
    }

    /// The same error with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
            if self.line > 0 {
                write!(f, "{}:", self.line)?;
            }
            write!(f, " ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
