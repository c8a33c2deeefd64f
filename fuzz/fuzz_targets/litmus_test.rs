//! Any text as a litmus test, of any architecture: sections, initial state, columns or C, condition, hash.
#![no_main]

use hmc::cat::def::{self, MacroTable};
use hmc::litmus::{Options, parse};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static OPTIONS: LazyLock<Options> =
    LazyLock::new(|| Options { macros: MacroTable::new(def::parse(include_str!("../../cat/lkmm.def")).0).into() });

fuzz_target!(|text: &str| {
    let text = text.to_owned();
    if let Err(errors) = parse(&text, "fuzz.litmus", &OPTIONS) {
        assert!(!errors.is_empty());
        for error in errors {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
        }
    }
});
