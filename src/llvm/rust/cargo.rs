//! Building the targets of a package with cargo, each to the module of the whole program.
//!
//! Profiles are set by the environment, so that nothing is written into the package; build scripts and macros are built for the machine that they run on, as ever.

use super::rustc;
use crate::llvm::clang;
use crate::llvm::error::{Error, ErrorKind};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is built, and how.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Arguments that all commands of cargo get: the manifest, features.
    pub manifest: Vec<String>,
    /// The package of the workspace, if it is not the one at hand.
    pub name: Option<String>,
    /// Features and the like.
    pub features: Vec<String>,
}

/// What a target is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The library, built as its own tests.
    Lib,
    /// A file of `tests/`.
    Test,
    /// A program.
    Bin,
    /// An example.
    Example,
}

/// A target of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
}

/// What cargo says of a package.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its targets that have tests, or are programs.
    pub targets: Vec<Target>,
    /// Where cargo builds.
    pub directory: PathBuf,
}

/// The profile's settings: as `rustc::FLAGS`, where a profile has them.
const PROFILE: [(&str, &str); 5] =
    [("LTO", "fat"), ("OPT_LEVEL", "1"), ("CODEGEN_UNITS", "1"), ("DEBUG", "1"), ("INCREMENTAL", "false")];

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.stdin(Stdio::null());
    command
}

/// Runs cargo; the result is what it writes.
fn output(command: &mut Command) -> Result<String, Error> {
    let missing = |e| {
        let error = Error::new(ErrorKind::RustcMissing, format!("cargo cannot be run: {e}"));
        error.with_help("install Rust (https://rustup.rs)")
    };
    let ended = |_| Error::new(ErrorKind::RustcFailed, "cargo was ended");
    let output = clang::run(command).map_err(missing)?.map_err(ended)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(Error::new(ErrorKind::RustcFailed, format!("the package does not build:\n{}", text.trim_end())))
}

/// Asks cargo for the targets of a package.
pub fn describe(package: &Package) -> Result<Described, Error> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]).args(&package.manifest);
    let odd = || Error::new(ErrorKind::BadInput, "cargo describes the package in a way that is not understood");
    let said: Value = serde_json::from_str(&output(&mut command)?).map_err(|_| odd())?;
    let packages = said["packages"].as_array().ok_or_else(odd)?;
    let root = said["resolve"]["root"].as_str().or_else(|| said["workspace_default_members"][0].as_str());
    let is_meant = |p: &&Value| match &package.name {
        Some(name) => p["name"].as_str() == Some(name),
        None => packages.len() == 1 || p["id"].as_str() == root,
    };
    let meant = packages.iter().find(is_meant).ok_or_else(|| {
        Error::new(ErrorKind::BadInput, "there is no such package here")
            .with_help("`-p NAME` names one of the workspace")
    })?;
    let directory = said["target_directory"].as_str().ok_or_else(odd)?;
    let targets = meant["targets"].as_array().ok_or_else(odd)?.iter().filter_map(target).collect();
    Ok(Described { targets, directory: Path::new(directory).join("hmc") })
}

fn target(said: &Value) -> Option<Target> {
    let kind = match said["kind"][0].as_str()? {
        "lib" | "rlib" => Kind::Lib,
        "test" => Kind::Test,
        "bin" => Kind::Bin,
        "example" => Kind::Example,
        _ => return None,
    };
    Some(Target { kind, name: said["name"].as_str()?.to_owned() })
}

/// The module of a target, as text.
pub fn module(package: &Package, target: &Target, described: &Described) -> Result<String, Error> {
    let failed = |what: &str, e| Error::new(ErrorKind::BadInput, format!("{what}: {e}"));
    let folder = described.directory.join("modules");
    std::fs::create_dir_all(&folder).map_err(|e| failed("the folder of cargo cannot be written to", e))?;
    let file = folder.join(format!("{}-{:?}.ll", target.name, target.kind));
    let mut command = cargo();
    command.args(["rustc", "--quiet", "--color", "never", "--target", &host()?]).args(&package.manifest);
    command.args(package.name.iter().flat_map(|name| ["-p", name])).args(&package.features);
    match target.kind {
        Kind::Lib => command.args(["--lib", "--profile", "test"]),
        Kind::Test => command.args(["--test", &target.name]),
        Kind::Bin => command.args(["--bin", &target.name]),
        Kind::Example => command.args(["--example", &target.name]),
    };
    command.env("CARGO_TARGET_DIR", &described.directory);
    for (setting, value) in PROFILE {
        command.env(format!("CARGO_PROFILE_DEV_{setting}"), value).env(format!("CARGO_PROFILE_TEST_{setting}"), value);
    }
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    command.env("RUSTFLAGS", format!("{flags} --cfg hmc --check-cfg cfg(hmc) -C symbol-mangling-version=v0"));
    command.args(["--", "-C", "linker=true", "--emit", &format!("link,llvm-ir={}", file.display())]);
    command.args(rustc::NO_MACHINE_CODE);
    output(&mut command)?;
    std::fs::read_to_string(&file).map_err(|e| failed("rustc has written no LLVM IR", e))
}

/// The machine that programs are built for: the one at hand.
fn host() -> Result<String, Error> {
    let mut command = Command::new(rustc::find());
    command.arg("-vV").stdin(Stdio::null());
    let said = output(&mut command)?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Error::new(ErrorKind::BadInput, "rustc does not say which machine it is for"))
}
