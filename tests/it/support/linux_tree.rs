//! A tree of the Linux kernel: the one that `HMC_LINUX` names, or Debian's package, of which the folders that are needed are unpacked once.

use super::left_out::left_out;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Debian's package with the sources.
const PACKED: &str = "/usr/src/linux-source-6.12.tar.xz";
/// What of it is needed.
const FOLDERS: [&str; 6] = ["include", "kernel", "lib", "io_uring", "mm/*.h", "fs/*.h"];

/// The tree, if there is one.
pub fn tree() -> Option<PathBuf> {
    if let Some(tree) = std::env::var_os("HMC_LINUX").filter(|tree| !tree.is_empty()) {
        let tree = std::path::PathBuf::from(tree);
        return Some(tree.canonicalize().unwrap_or(tree));
    }
    if !Path::new(PACKED).exists() {
        left_out("files of the Linux kernel: HMC_LINUX names no tree, and linux-source-6.12 is not installed");
        return None;
    }
    // One test unpacks it; the others of this program wait.
    static UNPACKING: Mutex<()> = Mutex::new(());
    let _only = UNPACKING.lock();
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linux-6.12");
    if !tree.exists() {
        // Under another name first: a tree that is there is whole, also when two programs unpack it at once.
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("linux-6.12.{}", std::process::id()));
        std::fs::create_dir_all(&made).expect("a folder for the tree");
        let mut tar = Command::new("tar");
        tar.arg("-xJf").arg(PACKED).arg("-C").arg(&made).args(["--strip-components=1", "--wildcards"]);
        tar.args(FOLDERS.map(|folder| format!("linux-source-6.12/{folder}")));
        assert!(tar.status().expect("tar").success(), "{PACKED} cannot be unpacked");
        if std::fs::rename(&made, &tree).is_err() {
            std::fs::remove_dir_all(&made).expect("the folder goes");
        }
    }
    Some(tree)
}
