//! The reports that `--format` asks for, written while results come.

use super::out::{self, tell};
use crate::cli::args::Output;
use crate::driver::inputs::messages::bare;
use crate::report::human;
use crate::report::stream::Stream;
use crate::report::style::Style;
use crate::verdict::{FileResult, Sources};
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::{Path, PathBuf};

/// All of them but those that standard output shows already.
pub struct Outputs {
    all: Vec<(Stream, To)>,
    failed: bool,
}

/// The file that a report is to be, and where it is written until it is whole: beside a file that is there, so that a run that is killed leaves that as it
/// was.
#[derive(Clone)]
struct Target {
    file: PathBuf,
    part: PathBuf,
}

impl Target {
    fn new(file: &Path) -> Target {
        let is_regular = std::fs::symlink_metadata(file).is_ok_and(|there| there.is_file());
        let name = file.file_name().filter(|_| is_regular);
        let beside = name.map(|name| file.with_file_name(format!("{}.part", name.to_string_lossy())));
        Target { part: beside.unwrap_or_else(|| file.to_owned()), file: file.to_owned() }
    }

    /// Puts what was written in its place.
    fn finish(&self) -> Result<()> {
        if self.part == self.file { Ok(()) } else { std::fs::rename(&self.part, &self.file) }
    }
}

/// Where a report goes.
enum To {
    Standard(BufWriter<Standard>),
    /// Standard output, when what goes there first has come to its end.
    Later(Vec<u8>),
    File(Target, BufWriter<File>),
    /// A file that did not take what was written.
    Nowhere,
}

impl Outputs {
    /// Begins the reports; `shown`: what was asked for on standard output is shown in another way. Files that a run goes on with (`--resume`) are
    /// replaced when the run ends.
    pub fn begin(formats: &[Output], shown: bool, style: Style) -> Outputs {
        let mut outputs = Outputs { all: Vec::new(), failed: false };
        let mut is_taken = false;
        for Output { format, file } in formats {
            let to = match file {
                None if shown => continue,
                None if std::mem::replace(&mut is_taken, true) => To::Later(Vec::new()),
                None => To::Standard(BufWriter::new(Standard)),
                Some(file) => {
                    let target = Target::new(file);
                    match File::create(&target.part) {
                        Ok(open) => To::File(target, BufWriter::new(open)),
                        Err(e) => {
                            outputs.fail(file, &e);
                            continue;
                        }
                    }
                }
            };
            let is_plain = matches!(to, To::File(..));
            let style = if is_plain { Style { color: false, ..style } } else { style };
            // On standard output messages about the input are told elsewhere.
            outputs.all.push((Stream::new(*format, style, is_plain), to));
        }
        outputs.each(|stream, out| stream.begin(out));
        outputs
    }

    /// One more result.
    pub fn add(&mut self, result: &FileResult, sources: &Sources) {
        self.each(|stream, out| stream.add(result, sources, out));
    }

    /// Ends the reports. Whether all were written.
    pub fn end(mut self, results: &[FileResult]) -> bool {
        self.each(|stream, out| stream.end(results, out));
        self.each(|_, out| out.flush());
        for (_, to) in std::mem::take(&mut self.all) {
            match to {
                To::Later(text) => out::say(&String::from_utf8_lossy(&text)),
                To::File(target, open) => {
                    drop(open);
                    target.finish().unwrap_or_else(|e| self.fail(&target.file, &e));
                }
                To::Standard(_) | To::Nowhere => {}
            }
        }
        !self.failed
    }

    fn each(&mut self, mut write: impl FnMut(&mut Stream, &mut dyn Write) -> Result<()>) {
        for i in 0..self.all.len() {
            let Some((stream, to)) = self.all.get_mut(i) else { continue };
            let written = match to {
                To::Standard(open) => write(stream, open),
                To::Later(text) => write(stream, text),
                To::File(_, open) => write(stream, open),
                To::Nowhere => Ok(()),
            };
            if let (Err(e), To::File(target, _)) = (written, to) {
                let file = target.file.clone();
                self.all[i].1 = To::Nowhere;
                self.fail(&file, &e);
            }
        }
    }

    fn fail(&mut self, file: &Path, e: &std::io::Error) {
        self.failed = true;
        unwritable(file, e);
    }
}

/// Says that a file cannot be written.
pub fn unwritable(file: &Path, e: &std::io::Error) {
    let message = format!("`{}` cannot be written: {e}", file.display());
    tell(&human::messages(&[bare("hmc::file-unwritable", message, None)], Style::default()));
}

/// Standard output, of which `out` knows what is to be done when it takes no more.
struct Standard;

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        out::write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        out::flush();
        Ok(())
    }
}
