//! Any text as a model, in the dialect that is recognised: staged, checked for what is hardly meant, described.
//!
//! Includes are made unreadable: what they name on this machine is no part of the input.
#![no_main]

use hmc::cat::diagnostics::render::render_all;
use hmc::cat::tools::{check, info};
use hmc::cat::{LoadRequest, Vocabulary, load};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let text = text.replace("\"/", "\"nowhere/").replace("..", "nowhere");
    match load(&LoadRequest::text("fuzz.cat", &text), &Vocabulary::default()) {
        Ok(loaded) => {
            render_all(&check::check(&loaded), &loaded.sources, false);
            info::text(&info::info(&loaded), &[]);
        }
        Err(errors) => drop(render_all(&errors.diagnostics, &errors.sources, false)),
    }
});
