use hmc::cat::def;
use hmc::litmus::{self, Options};
use std::path::Path;

#[test]
fn everything_parses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cat/lkmm.def")).unwrap();
    let (macros, errors) = def::parse(&text);
    assert!(errors.is_empty());
    let options = Options { macros: def::MacroTable::new(macros) };
    for folder in std::fs::read_dir(&root).unwrap().flatten() {
        if !folder.path().is_dir() {
            continue;
        }
        let (mut ok, mut bad) = (0, 0);
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            let path = file.path();
            if path.extension().is_none_or(|e| e != "litmus") {
                continue;
            }
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            match litmus::parse(&text, &path.display().to_string(), &options) {
                Ok(_) => ok += 1,
                Err(errors) => {
                    bad += 1;
                    for e in errors {
                        let (l, c) = litmus::error::line_column(&text, e.span.start);
                        println!("{}:{l}:{c}: {} {:?} [{}]", path.display(), e.message, e.help, &text[e.span.clone()]);
                    }
                }
            }
        }
        println!("{}: {ok} ok, {bad} bad", folder.path().display());
    }
}
