//! What a server is started with.

use std::path::PathBuf;
use std::time::Duration;

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The models that tests are run under; when none is named, the usual one of each test.
    pub models: Vec<String>,
    /// Where included files are looked for, besides the folder of a model.
    pub include_dirs: Vec<PathBuf>,
    /// How long a test may run.
    pub timeout: Duration,
    /// Where bundled files are written, for editors to open them.
    pub library: PathBuf,
}
