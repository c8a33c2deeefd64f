//! What can be wrong with a job and its results.

use std::path::PathBuf;

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("`{}`: {why}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
    /// A file is not what it should be.
    #[error("`{}` is no {what}: {why}", file.display())]
    NotSuch {
        /// The file.
        file: PathBuf,
        /// What it should be.
        what: &'static str,
        /// Why it is not.
        why: String,
    },
    /// There is a job already.
    #[error("there is a job in `{}` already", .0.display())]
    Exists(PathBuf),
    /// A job of another program.
    #[error("the job was made by {made}, and this is {own}")]
    OtherProgram {
        /// What made it.
        made: String,
        /// This program.
        own: String,
    },
    /// A result or part of another job.
    #[error("`{}` holds a part of another job ({found}, not {job})", file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The job that it names.
        found: String,
        /// The job at hand.
        job: String,
    },
    /// A part was named twice.
    #[error("the part `{0}` is left by two others, so that it would count twice")]
    Doubled(String),
    /// A result does not fit.
    #[error("the result of part `{part}` does not fit: {why}")]
    Unfit {
        /// The part.
        part: String,
        /// Why.
        why: String,
    },
    /// A part that the check does not come to.
    #[error("the check does not come to the search of part `{0}`")]
    Unreached(String),
    /// No part of this name.
    #[error("no open part is called `{0}`")]
    NoSuchPart(String),
    /// Another program failed.
    #[error("`{program}` failed: {why}")]
    Engine {
        /// Which.
        program: String,
        /// Why.
        why: String,
    },
}

impl Error {
    /// For `hmc explain`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::File { .. } => "hmc::job-file",
            Error::NotSuch { .. } => "hmc::job-format",
            Error::Exists(_) => "hmc::job-exists",
            Error::OtherProgram { .. } => "hmc::job-version",
            Error::Foreign { .. } => "hmc::job-foreign",
            Error::Doubled(_) | Error::Unfit { .. } | Error::Unreached(_) => "hmc::job-result",
            Error::NoSuchPart(_) => "hmc::job-part",
            Error::Engine { .. } => "hmc::job-engine",
        }
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Error::File { .. } => "is there such a directory, and may you read and write there?",
            Error::NotSuch { .. } => {
                "`hmc split FILE -o DIR` makes a job; `hmc merge DIR --pending LIST` lists its open parts"
            }
            Error::Exists(_) => "`hmc run --job DIR` goes on with it; another directory takes another job",
            Error::OtherProgram { .. } => "parts are exact for one build of hmc only: take that one, or split again",
            Error::Foreign { .. } => "each job has a directory of its own: take the file away",
            Error::Doubled(_) | Error::Unfit { .. } | Error::Unreached(_) => {
                "please report this with the job; without its results directory everything is searched again"
            }
            Error::NoSuchPart(_) => "`hmc merge DIR --pending LIST` lists the open parts",
            Error::Engine { .. } => "docs/cluster.md says what each engine needs",
        }
    }

    /// A file cannot be read or written.
    pub fn file(file: impl Into<PathBuf>, why: &std::io::Error) -> Error {
        Error::File { file: file.into(), why: why.to_string() }
    }
}
