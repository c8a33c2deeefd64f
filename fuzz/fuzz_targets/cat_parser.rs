//! Any text as a cat file, in both dialects: tokens, tree, diagnostics drawn, formatter.
#![no_main]

use hmc::cat::diagnostics::render::render_all;
use hmc::cat::source::Sources;
use hmc::cat::syntax::build::Interner;
use hmc::cat::{Dialect, syntax, tools::fmt::format};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for dialect in [Dialect::Herd, Dialect::Dartagnan] {
        let mut sources = Sources::new();
        let file = sources.add("fuzz.cat", text);
        let mut errors = Vec::new();
        syntax::parse(text, file, dialect, &mut Interner::default(), &mut errors);
        render_all(&errors, &sources, false);
        if let Ok(formatted) = format(text, dialect) {
            assert_eq!(format(&formatted, dialect).as_ref(), Ok(&formatted), "formatting twice changes the text");
        }
    }
});
