//! `hmc.toml`: what holds for the programs of a project, so that it need not be said each time.
//!
//! It is looked for in the current directory and those above it. What the command line (or a header) says goes before.
//!
//! ```toml
//! models = ["rc11", "aarch64"]
//! include = ["include"]
//! properties = ["assertion", "race"]
//! clang = ["-DNDEBUG"]
//! unroll = 4
//! timeout = 60
//! tests = ["tests"]                   # what `hmc test` runs besides the harnesses
//!
//! [[harness]]
//! name = "two producers"
//! files = ["tests/two.c", "src/queue.c"]
//! entry = "two_producers"
//! options = ["--keep-going"]
//! expect = "holds"
//! ```

use super::args::{CheckArgs, InputArgs};
use crate::driver::inputs::messages::bare;
use crate::verdict::{Message, Property};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The name of the file.
const NAME: &str = "hmc.toml";

/// What the file says; paths are relative to its directory.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Project {
    #[serde(default)]
    models: Vec<String>,
    #[serde(default)]
    include: Vec<PathBuf>,
    #[serde(default)]
    properties: Vec<String>,
    #[serde(default)]
    clang: Vec<String>,
    unroll: Option<u32>,
    timeout: Option<f64>,
    /// Directories and files with expectations of their own.
    #[serde(default)]
    pub tests: Vec<PathBuf>,
    /// Programs that are named here.
    #[serde(default, rename = "harness")]
    pub harnesses: Vec<Harness>,
    /// Where the file is.
    #[serde(skip)]
    pub directory: PathBuf,
}

/// A program made of several files, or that begins elsewhere than in `main`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Harness {
    /// As it is shown.
    pub name: Option<String>,
    /// Its files; the first one gives the program its name.
    pub files: Vec<PathBuf>,
    /// The function that it begins in.
    pub entry: Option<String>,
    /// Options of hmc.
    #[serde(default)]
    pub options: Vec<String>,
    /// Flags of clang.
    #[serde(default)]
    pub clang: Vec<String>,
    /// What is expected, as behind `=>` in a header.
    pub expect: String,
}

impl Project {
    /// The project that the current directory is in. An error is what is wrong with its file.
    pub fn find() -> Result<Option<Project>, Box<Message>> {
        let Ok(here) = std::env::current_dir() else { return Ok(None) };
        let Some(directory) = here.ancestors().find(|directory| directory.join(NAME).is_file()) else {
            return Ok(None);
        };
        // Paths are shown as short as they can be.
        let directory = if directory == here { PathBuf::new() } else { directory.to_owned() };
        Project::read(&directory).map(Some)
    }

    fn read(directory: &Path) -> Result<Project, Box<Message>> {
        let path = directory.join(NAME);
        let wrong = |what: String| {
            let help = "known are models, include, properties, clang, unroll, timeout, tests and [[harness]] with name, files, entry, options, clang, expect";
            Box::new(bare("hmc::project", format!("`{}` cannot be used: {what}", path.display()), Some(help)))
        };
        let text = std::fs::read_to_string(&path).map_err(|e| wrong(e.to_string()))?;
        let mut project: Project = toml::from_str(&text).map_err(|e| wrong(e.to_string().trim().to_owned()))?;
        let known = |name: &String| Property::ALL.into_iter().any(|p| p.name() == name);
        if let Some(odd) = project.properties.iter().find(|name| !known(name)) {
            return Err(wrong(format!("`{odd}` is no property")));
        }
        if project.harnesses.iter().any(|harness| harness.files.is_empty()) {
            return Err(wrong("a harness has no files".to_owned()));
        }
        let placed = |path: &mut PathBuf| *path = directory.join(&path);
        project.include.iter_mut().chain(&mut project.tests).for_each(placed);
        project.harnesses.iter_mut().flat_map(|harness| &mut harness.files).for_each(placed);
        // A model is a path where there is such a file.
        for model in &mut project.models {
            let path = directory.join(&model);
            if path.is_file() {
                *model = path.display().to_string();
            }
        }
        project.directory = directory.to_owned();
        Ok(project)
    }

    /// Where the file is that says it.
    pub fn file(&self) -> PathBuf {
        self.directory.join(NAME)
    }

    /// Fills in what the arguments leave open. What was filled in, by its names in the file.
    pub fn complete(&self, args: &mut CheckArgs) -> Vec<&'static str> {
        let mut taken = Vec::new();
        let mut take = |is_taken: bool, name| taken.extend(is_taken.then_some(name));
        take(args.cat.is_empty() && !self.models.is_empty(), "models");
        take(args.properties.is_empty() && !self.properties.is_empty(), "properties");
        take(!self.include.is_empty(), "include");
        take(!self.clang.is_empty(), "clang");
        take(args.input.unroll.is_none() && self.unroll.is_some(), "unroll");
        take(args.input.timeout.is_none() && self.timeout.is_some(), "timeout");
        if args.cat.is_empty() {
            args.cat.clone_from(&self.models);
        }
        if args.properties.is_empty() {
            let known = |name: &String| Property::ALL.into_iter().find(|p| p.name() == name);
            args.properties = self.properties.iter().filter_map(known).collect();
        }
        self.complete_input(&mut args.input);
        taken
    }

    fn complete_input(&self, input: &mut InputArgs) {
        input.include.extend(self.include.iter().cloned());
        input.clang.splice(..0, self.clang.iter().cloned());
        input.unroll = input.unroll.or(self.unroll);
        input.timeout = input.timeout.or(self.timeout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::CommandLine;
    use clap::Parser;

    #[test]
    fn the_command_line_goes_before() {
        let directory = tempfile::tempdir().expect("a directory");
        let text = "models = [\"rc11\"]\ninclude = [\"inc\"]\nunroll = 4\nproperties = [\"race\"]\n[[harness]]\nfiles = [\"a.c\"]\nexpect = \"holds\"\n";
        std::fs::write(directory.path().join(NAME), text).expect("a file");
        let project = Project::read(directory.path()).expect("a project");
        let args = |words: &[&str]| CommandLine::try_parse_from(words).expect("valid").check;
        let mut open = args(&["hmc", "a.c"]);
        assert_eq!(project.complete(&mut open), ["models", "properties", "include", "unroll"]);
        assert_eq!((open.cat, open.input.unroll), (vec!["rc11".to_owned()], Some(4)));
        assert_eq!((open.input.include, open.properties.len()), (vec![directory.path().join("inc")], 1));
        let mut said = args(&["hmc", "--cat", "sc", "--unroll", "9", "--properties", "memory", "a.c"]);
        assert_eq!(project.complete(&mut said), ["include"]);
        assert_eq!((said.cat, said.input.unroll), (vec!["sc".to_owned()], Some(9)));
        assert_eq!(project.harnesses[0].files, [directory.path().join("a.c")]);
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        let directory = tempfile::tempdir().expect("a directory");
        for text in ["model = 1", "properties = [\"beauty\"]", "[[harness]]\nfiles = []\nexpect = \"holds\""] {
            std::fs::write(directory.path().join(NAME), text).expect("a file");
            assert_eq!(Project::read(directory.path()).expect_err("an error").code, "hmc::project");
        }
    }
}
