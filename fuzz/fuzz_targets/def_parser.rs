//! Any text as a macro file.
#![no_main]

use hmc::cat::def::{MacroTable, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (macros, errors) = parse(text);
    for error in &errors {
        assert!(error.span.end <= text.len() && error.span.start <= error.span.end, "{error:?}");
    }
    let names: Vec<String> = macros.iter().map(|m| m.name.clone()).collect();
    let table = MacroTable::new(macros);
    for name in names {
        assert!(table.expression(&name).is_some() || table.statement(&name).is_some());
    }
});
