//! `--html`: the results of a run as one page, which shows executions as the page in a browser does. The built page has the viewer, a whole file
//! in which the place of the report is marked.

use super::outputs::unwritable;
use super::page;
use crate::cli::BAD_INPUT;
use crate::driver::inputs::messages::bare;
use crate::report::formats::json;
use crate::verdict::{FileResult, Picture, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::{Path, PathBuf};

/// The file with the viewer.
const VIEWER: &str = "report.html";
/// Where the report goes.
const MARK: &str = "<!--the report-->";

/// A page that is written while results come.
pub struct Page {
    file: PathBuf,
    out: Report<BufWriter<File>>,
    is_written: bool,
}

impl Page {
    /// Begins the page; the exit code when there is no viewer, or no such file.
    pub fn begin(file: &Path) -> std::result::Result<Page, u8> {
        let folder = page::folder(None).map_err(|message| page::refused(&message))?;
        let viewer = std::fs::read_to_string(folder.join(VIEWER)).unwrap_or_default();
        let Some((head, tail)) = viewer.split_once(MARK) else {
            let message = format!("`{}` has no viewer for reports", folder.display());
            return Err(page::refused(&bare("hmc::page-missing", message, Some("`web/build` builds the page anew"))));
        };
        let begun = File::create(file).and_then(|open| Report::begin(BufWriter::new(open), head, tail));
        match begun {
            Ok(out) => Ok(Page { file: file.to_owned(), out, is_written: true }),
            Err(e) => {
                unwritable(file, &e);
                Err(BAD_INPUT)
            }
        }
    }

    /// One more result.
    pub fn add(&mut self, result: &FileResult, sources: &Sources) {
        let added = self.out.add(result, sources);
        self.note(added);
    }

    /// Ends the page. Whether all was written.
    pub fn end(mut self) -> bool {
        let ended = self.out.end();
        self.note(ended);
        self.is_written
    }

    fn note(&mut self, written: Result<()>) {
        if let (Err(e), true) = (written, self.is_written) {
            self.is_written = false;
            unwritable(&self.file, &e);
        }
    }
}

/// A page on its way to somewhere: a report in JSON, and the sources that its executions show.
struct Report<W: Write> {
    out: W,
    tail: String,
    is_first: bool,
    files: BTreeMap<String, String>,
}

impl<W: Write> Report<W> {
    fn begin(mut out: W, head: &str, tail: &str) -> Result<Report<W>> {
        out.write_all(head.as_bytes())?;
        out.write_all(b"<script type=\"application/json\" id=\"results\">")?;
        json::begin(&mut Inside(&mut out))?;
        Ok(Report { out, tail: tail.to_owned(), is_first: true, files: BTreeMap::new() })
    }

    fn add(&mut self, result: &FileResult, sources: &Sources) -> Result<()> {
        let mut names = BTreeSet::from([result.file.as_str()]);
        for picture in pictures(result) {
            names.extend(
                picture.events.iter().flat_map(|row| row.place.iter().chain(&row.frames)).map(|p| p.file.as_str()),
            );
        }
        for name in names {
            if let (false, Some(text)) = (self.files.contains_key(name), sources.text(name)) {
                self.files.insert(name.to_owned(), text.to_string());
            }
        }
        json::element(result, std::mem::take(&mut self.is_first), &mut Inside(&mut self.out))
    }

    fn end(&mut self) -> Result<()> {
        json::end(self.is_first, &mut Inside(&mut self.out))?;
        self.out.write_all(b"</script>\n<script type=\"application/json\" id=\"sources\">")?;
        // Texts by names: nothing in this cannot be written as JSON.
        serde_json::to_writer(Inside(&mut self.out), &self.files).map_err(std::io::Error::from)?;
        self.out.write_all(b"</script>")?;
        self.out.write_all(self.tail.as_bytes())?;
        self.out.flush()
    }
}

fn pictures(result: &FileResult) -> impl Iterator<Item = &Picture> {
    let findings = result.violation.iter().chain(&result.more_violations).chain(&result.warnings);
    let rejected = result.explanation.iter().flat_map(|explanation| &explanation.rejections);
    findings.map(|f| &f.execution).chain(&result.witness).chain(rejected.map(|r| &r.execution))
}

/// JSON in a page: what would end its element, or begin another one, is written in another way.
struct Inside<W>(W);

impl<W: Write> Write for Inside<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'<') {
            match piece.strip_suffix(b"<") {
                Some(before) => {
                    self.0.write_all(before)?;
                    self.0.write_all(b"\\u003c")?;
                }
                None => self.0.write_all(piece)?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::output::html::*;

    #[test]
    fn results_and_sources_stand_in_the_page_and_end_nothing_of_it() {
        let sources = Sources::default();
        sources.insert("a.litmus", "</script><b>");
        let mut report = Report::begin(Vec::new(), "<head>", "<tail>").expect("memory");
        report.add(&FileResult::new("a.litmus", "<!--sc"), &sources).expect("memory");
        report.end().expect("memory");
        let page = String::from_utf8(report.out).expect("text");
        assert!(page.starts_with("<head><script") && page.ends_with("</script><tail>"), "{page}");
        let parts: Vec<&str> = page.split("</script>").collect();
        assert_eq!(parts.len(), 3, "{page}");
        let read = |part: &str| -> serde_json::Value {
            serde_json::from_str(part.rsplit_once("\">").expect("an element").1).expect("JSON")
        };
        assert_eq!(read(parts[0])["results"][0]["model"], "<!--sc");
        assert_eq!(read(parts[1])["a.litmus"], "</script><b>");
    }
}
