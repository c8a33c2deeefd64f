//! The files that the arguments mean: directories and lists are replaced by what is in them.

use crate::driver::FileKind;
use crate::driver::inputs::messages::{bare, text_of};
use crate::verdict::Message;
use std::path::{Path, PathBuf};

/// Directories nest no deeper than this, and lists name no lists.
const DEEPEST: usize = 64;

/// All files, in the order of the arguments; directories in the order of names.
pub fn expand(arguments: &[String]) -> Result<Vec<PathBuf>, Vec<Message>> {
    let mut files = Vec::new();
    let mut errors = Vec::new();
    for argument in arguments {
        let expanded = match argument.strip_prefix('@') {
            Some(list) if !Path::new(argument).exists() => listed(Path::new(list)),
            _ => named(Path::new(argument)),
        };
        match expanded {
            Ok(more) => files.extend(more),
            Err(error) => errors.push(*error),
        }
    }
    if errors.is_empty() { Ok(files) } else { Err(errors) }
}

fn named(path: &Path) -> Result<Vec<PathBuf>, Box<Message>> {
    if !path.is_dir() {
        // Whether it is there is found out when it is its turn.
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    below(path, &|kind| kind == FileKind::Litmus, 0, &mut files)?;
    if files.is_empty() {
        let message = format!("there are no litmus tests below the directory `{}`", path.display());
        return Err(Box::new(bare("hmc::no-tests", message, Some("name C files one by one"))));
    }
    Ok(files)
}

/// All files of the kinds that are wanted below a directory, by name.
pub fn below(
    directory: &Path,
    wanted: &dyn Fn(FileKind) -> bool,
    depth: usize,
    files: &mut Vec<PathBuf>,
) -> Result<(), Box<Message>> {
    let unreadable = |e: std::io::Error| {
        let message = format!("`{}` cannot be read: {e}", directory.display());
        Box::new(bare("hmc::file-unreadable", message, None))
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for path in entries {
        // Links to directories may lead back here.
        if path.is_dir() && !path.is_symlink() && depth < DEEPEST {
            below(&path, wanted, depth + 1, files)?;
        } else if path.is_file() && FileKind::of(&path).is_some_and(wanted) {
            files.push(path.strip_prefix("./").unwrap_or(&path).to_owned());
        }
    }
    Ok(())
}

/// The files that a list names, one a line, relative to the list's own place; `#` starts a comment.
fn listed(list: &Path) -> Result<Vec<PathBuf>, Box<Message>> {
    let text = text_of(list)?;
    let base = list.parent().unwrap_or(Path::new(""));
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    Ok(lines.filter(|line| !line.is_empty()).map(|line| base.join(line)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_and_lists() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("sub")).expect("a directory");
        for name in ["b.litmus", "a.litmus", "sub/c.litmus", "ignored.txt"] {
            std::fs::write(at(name), "x").expect("a file");
        }
        std::fs::write(at("list"), "# all\nb.litmus\n\nsub/c.litmus # last\n").expect("a file");
        let all = expand(&[dir.path().display().to_string()]).expect("files");
        assert_eq!(all, [at("a.litmus"), at("b.litmus"), at("sub/c.litmus")]);
        let listed = expand(&[format!("@{}", at("list").display())]).expect("files");
        assert_eq!(listed, [at("b.litmus"), at("sub/c.litmus")]);
        std::fs::create_dir(at("empty")).expect("a directory");
        let errors = expand(&[at("empty").display().to_string(), "@nowhere".into()]).expect_err("errors");
        let codes: Vec<&str> = errors.iter().map(|e| e.code.as_str()).collect();
        assert_eq!(codes, ["hmc::no-tests", "hmc::file-missing"]);
    }
}
