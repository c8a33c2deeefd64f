//! Any text as the initial state of a litmus test.
#![no_main]

use hmc::cat::def::{self, MacroTable};
use hmc::litmus::{Options, parse};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static OPTIONS: LazyLock<Options> =
    LazyLock::new(|| Options { macros: MacroTable::new(def::parse(include_str!("../../cat/lkmm.def")).0).into() });

fuzz_target!(|text: &str| {
    let text = format!("AArch64 t\n{{ {text} }}\n P0 ;\n LDR W0,[X1] ;\nexists (0:X0=1)\n");
    if let Err(errors) = parse(&text, "fuzz.litmus", &OPTIONS) {
        assert!(!errors.is_empty());
        for error in errors {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
        }
    }
});
