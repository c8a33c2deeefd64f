//! Any text as a bell file beside a small model: the declaration pass and the pass as part of the model.
//!
//! Includes are made unreadable: what they name on this machine is no part of the input.
#![no_main]

use hmc::cat::diagnostics::render::render_all;
use hmc::cat::tools::check;
use hmc::cat::{Dialect, LoadRequest, Vocabulary, load};
use libfuzzer_sys::fuzz_target;
use std::io::Write;

fuzz_target!(|text: &str| {
    let text = text.replace("\"/", "\"nowhere/").replace("..", "nowhere");
    let Ok(mut file) = tempfile::Builder::new().suffix(".bell").tempfile_in("/dev/shm") else { return };
    if file.write_all(text.as_bytes()).is_err() {
        return;
    }
    let request = LoadRequest {
        bell: Some(file.path().to_owned()),
        dialect: Some(Dialect::Herd),
        ..LoadRequest::text("fuzz.cat", "let a = po | rf\nacyclic a as a")
    };
    match load(&request, &Vocabulary::default()) {
        Ok(loaded) => drop(render_all(&check::check(&loaded), &loaded.sources, false)),
        Err(errors) => drop(render_all(&errors.diagnostics, &errors.sources, false)),
    }
});
