//! Files of the Linux kernel as they stand: a tree of its sources, with hmc's own bottom layer in place of an architecture.
//!
//! The layer is data: the folder `include/linux-layer`, which clang gets as files. Its file `arguments` says with what clang is called, `generic`
//! which headers are those of the tree for any architecture; its folder `include` is searched before those of the tree. A test is a function that the layer's macro `HMC_TEST` makes; [`tests`] lists those of a text.

use include_dir::{Dir, include_dir};
use std::path::{Path, PathBuf};

static LAYER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/include/linux-layer");

/// The macro that makes a test.
const TEST: &str = "HMC_TEST";
/// What the name of a test's function begins with.
const PREFIX: &str = "hmc_test_";
/// Files that every tree of the kernel has.
const MARKS: [&str; 3] = ["include/linux/compiler_types.h", "include/linux/sched.h", "kernel"];

/// A tree, and the layer below it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tree {
    /// The folder of the sources.
    pub root: PathBuf,
    /// A folder that stands in for the layer that comes with hmc.
    pub layer: Option<PathBuf>,
}

impl Tree {
    /// Whether it is one; what it lacks.
    pub fn check(&self) -> Result<(), String> {
        match MARKS.iter().find(|mark| !self.root.join(mark).exists()) {
            Some(missing) => {
                Err(format!("`{}` is no tree of the Linux kernel: it has no `{missing}`", self.root.display()))
            }
            None => Ok(()),
        }
    }

    /// A file of the program: as it is named, or else in the tree.
    pub fn file(&self, named: &Path) -> PathBuf {
        let in_tree = self.root.join(named);
        if !named.exists() && in_tree.exists() { in_tree } else { named.to_owned() }
    }

    /// The folder of the layer, made in `folder` if it is hmc's own.
    fn layer(&self, folder: &Path) -> std::io::Result<PathBuf> {
        match &self.layer {
            Some(layer) => Ok(layer.clone()),
            None => {
                let layer = folder.join("linux-layer");
                std::fs::create_dir(&layer)?;
                LAYER.extract(&layer)?;
                Ok(layer)
            }
        }
    }

    /// The arguments for clang. `folder`: where the layer may be put. `has_primitives`: the model has the annotations of the kernel's primitives.
    pub(super) fn arguments(&self, folder: &Path, has_primitives: bool) -> Result<Vec<String>, String> {
        self.check()?;
        let unreadable = |e: std::io::Error| format!("the layer below the kernel cannot be used: {e}");
        let layer = self.layer(folder).map_err(unreadable)?;
        let text = std::fs::read_to_string(layer.join("arguments")).map_err(unreadable)?;
        let generic = folder.join("generic");
        let names = std::fs::read_to_string(layer.join("generic")).map_err(unreadable)?;
        lines(&names).try_for_each(|name| wrap(&generic.join(name), name)).map_err(unreadable)?;
        let [root, layer, generic] = [&self.root, &layer, &generic].map(|folder| folder.display().to_string());
        let own = lines(&text)
            .map(|line| line.replace("$TREE", &root).replace("$LAYER", &layer).replace("$GENERIC", &generic));
        Ok(own.chain(has_primitives.then(|| "-DHMC_MODEL_PRIMITIVES=1".to_owned())).collect())
    }
}

/// The lines of a file of the layer that are no comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Writes a header that is the one of its name in the tree's `asm-generic`.
fn wrap(file: &Path, name: &str) -> std::io::Result<()> {
    let (folder, name) = (file.parent().unwrap_or(file), name.rsplit('/').next().unwrap_or(name));
    std::fs::create_dir_all(folder)?;
    std::fs::write(file, format!("#include <asm-generic/{name}>\n"))
}

/// What to do about a tree that is none.
pub(super) const HELP: &str = "`--linux` takes the folder of the kernel's sources; it need not be configured or built";

/// The function of a test.
pub fn function_of(test: &str) -> String {
    format!("{PREFIX}{test}")
}

/// The names of the tests in a text of C, in order.
pub fn tests(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let text = without_comments(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices(TEST) {
        let name = text[at + TEST.len()..].trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let is_call = !text[..at].ends_with(is_word) && !text[..at].trim_end().ends_with("define");
        match name.map(|(name, _)| name.trim()) {
            Some(name) if is_call && !name.is_empty() && name.chars().all(is_word) => found.push(name.to_owned()),
            _ => {}
        }
    }
    found
}

/// The text with blanks for comments.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        out += &rest[..at];
        out.push(' ');
        let (end, kept) = if rest[at..].starts_with("/*") { ("*/", 2) } else { ("\n", 0) };
        rest = rest[at + 2..].find(end).map_or("", |len| &rest[at + 2 + len + kept..]);
    }
    out + rest
}

/// The file of the tree that defines a function, with the line, if one does.
pub fn definition(tree: &Tree, function: &str) -> Option<(PathBuf, usize)> {
    const FOLDERS: [&str; 6] = ["kernel", "lib", "mm", "fs", "block", "io_uring"];
    FOLDERS.iter().find_map(|folder| below(&tree.root.join(folder), function, 0))
}

fn below(folder: &Path, function: &str, depth: u32) -> Option<(PathBuf, usize)> {
    const DEEPEST: u32 = 3;
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.into_iter().partition(|path| path.is_dir());
    let in_file = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        // A definition begins in the first column, and no line ends with a semicolon before its body.
        let call = format!("{function}(");
        let is_it = |line: &&str| {
            line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && !line.trim_end().ends_with(';')
                && line.find(&call).is_some_and(|at| line[..at].ends_with([' ', '*']) && !line[..at].contains('('))
        };
        let at = text.lines().position(|line| is_it(&line))?;
        Some((path.clone(), at + 1))
    };
    files.iter().filter(|path| path.extension().is_some_and(|e| e == "c")).find_map(in_file).or_else(|| {
        (depth < DEEPEST).then(|| folders.iter().find_map(|inner| below(inner, function, depth + 1))).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_where_they_are_made() {
        let text = "// HMC_TEST(not)\n#define HMC_TEST(name) x\nHMC_TEST(one)\n{ }\n/* HMC_TEST(no) */ HMC_TEST( two ) { }\nMY_HMC_TEST(three)\n";
        assert_eq!(tests(text), ["one", "two"]);
        assert_eq!(tests("int main(void) { }"), [""; 0]);
    }

    #[test]
    fn what_is_no_tree_is_said_to_be_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = Tree { root: folder.path().to_owned(), layer: None };
        assert!(tree.check().expect_err("an error").contains("is no tree of the Linux kernel"));
    }

    #[test]
    fn a_definition_is_found_and_a_call_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("kernel")).expect("a folder");
        let text = "void other(void)\n{\n\tthe_one(1);\n}\nint the_one(int);\nint the_one(int x)\n{\n}\n";
        std::fs::write(folder.path().join("kernel/a.c"), text).expect("a file");
        let tree = Tree { root: folder.path().to_owned(), layer: None };
        assert_eq!(definition(&tree, "the_one"), Some((folder.path().join("kernel/a.c"), 6)));
        assert_eq!(definition(&tree, "nobody"), None);
    }
}
