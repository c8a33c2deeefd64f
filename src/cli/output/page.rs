//! Where the built page is: it is made of other sources than the program, and comes beside it.

use super::out::tell;
use crate::cli::BAD_INPUT;
use crate::driver::inputs::messages::bare;
use crate::report::human;
use crate::report::style::Style;
use crate::verdict::Message;
use std::path::{Path, PathBuf};

/// Names the folder of the built page.
const FOLDER: &str = "HMC_PAGE";

/// The folder of the built page: the one that is named, here or by `HMC_PAGE`, or one beside the program or the current directory.
pub fn folder(named: Option<&Path>) -> Result<PathBuf, Box<Message>> {
    let is_page = |folder: &PathBuf| folder.join("index.html").is_file() && folder.join("assets").is_dir();
    let missing = |message: String| {
        let help = "`web/build` builds it into web/dist, in the sources of hmc (docs/teaching.md); HMC_PAGE, or `--page` of `hmc playground`, names the folder";
        Box::new(bare("hmc::page-missing", message, Some(help)))
    };
    let asked = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    if let Some(folder) = named.map(Path::to_owned).or(asked) {
        return match is_page(&folder) {
            true => Ok(folder),
            false => Err(missing(format!("`{}` is no folder with the built page", folder.display()))),
        };
    }
    let program = std::env::current_exe().ok();
    let above = program.iter().flat_map(|program| program.ancestors().skip(1).take(3));
    let beside = above.flat_map(|folder| ["share/hmc/page", "web/dist"].map(|place| folder.join(place)));
    let mut places = beside.chain([PathBuf::from("web/dist")]);
    places.find(is_page).ok_or_else(|| missing("the page is not built".to_owned()))
}

/// Tells why something is not done; the exit code.
pub fn refused(message: &Message) -> u8 {
    tell(&human::messages(std::slice::from_ref(message), Style::default()));
    BAD_INPUT
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_folder_is_the_page_when_the_page_is_in_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(super::folder(Some(folder.path())).is_err_and(|m| m.code == "hmc::page-missing"));
        std::fs::create_dir_all(folder.path().join("assets")).expect("a folder");
        std::fs::write(folder.path().join("index.html"), "").expect("a file");
        assert_eq!(super::folder(Some(folder.path())).ok().as_deref(), Some(folder.path()));
    }
}
