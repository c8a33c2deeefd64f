//! Which line of the source is shown for what happens in a function that wraps it: the innermost one in a source file, not in a header.
//!
//! A chain of places leads from an access outwards: through what was inlined, as the compiler says, then through the callers.

use super::draw;
use crate::graph::event::Event;
use crate::ids::SpanId;
use crate::program::Program;
use crate::verdict::picture::place::Place;

/// Directories of headers and libraries that are not the user's.
pub const SYSTEM: [&str; 7] =
    ["hmc-library/", "/usr/", "/opt/", "/rustc/", "library/core/src/", "library/alloc/src/", "library/std/src/"];
/// What is in the path of a file that a package manager has fetched.
const FETCHED: [&str; 2] = ["/.cargo/registry/", "/rustlib/src/"];
/// Extensions of files that are programs or parts of them, not headers.
const SOURCES: [&str; 7] = ["c", "cc", "cpp", "cxx", "ll", "rs", "litmus"];
/// Longer chains are cut.
const LONGEST: usize = 32;

/// The places of an event, from its own outwards.
pub fn of_event(program: &Program, event: &Event) -> Vec<Place> {
    let mut chain = inlined(program, event.span);
    for frame in event.before.iter().flat_map(|before| before.frames()).skip(1) {
        let spans = &program.functions[frame.func.index()].spans;
        chain.extend(inlined(program, spans.get(frame.pc as usize).copied().unwrap_or_default()));
    }
    chain.dedup();
    chain.truncate(LONGEST);
    chain
}

/// The places of a span, from its own outwards.
pub fn inlined(program: &Program, span: SpanId) -> Vec<Place> {
    let spans = std::iter::successors(Some(span), |&span| program.span(span).inlined_at);
    spans.take(LONGEST).filter_map(|span| draw::place(program, span)).collect()
}

/// How many places of a chain there are without the last ones, where Rust's library calls what the user has written. All, if there are no others.
pub fn without_callers(chain: &[Place]) -> usize {
    let is_library = |place: &&Place| {
        let file = &place.file;
        file.starts_with("/rustc/") || file.starts_with("library/") || file.contains("/rustlib/src/")
    };
    match chain.len() - chain.iter().rev().take_while(is_library).count() {
        0 => chain.len(),
        count => count,
    }
}

/// Which place of a chain is shown.
pub fn shown(chain: &[Place]) -> usize {
    let is_system = |place: &&Place| {
        let file = &place.file;
        SYSTEM.iter().any(|directory| file.starts_with(directory)) || FETCHED.iter().any(|part| file.contains(part))
    };
    let extension = |place: &&Place| place.file.rsplit_once('.').map_or("", |(_, extension)| extension).to_owned();
    let is_source = |place: &&Place| !is_system(place) && SOURCES.contains(&extension(place).as_str());
    let source = chain.iter().position(|place| is_source(&place));
    source.or_else(|| chain.iter().position(|place| !is_system(&place))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::verdict::picture::frames::*;

    fn chain(files: &[&str]) -> Vec<Place> {
        files.iter().map(|file| Place { file: (*file).into(), line: 1, column: 1 }).collect()
    }

    #[test]
    fn the_innermost_source_is_shown() {
        assert_eq!(shown(&chain(&["main.c"])), 0);
        assert_eq!(shown(&chain(&["lock.c", "main.c"])), 0);
        assert_eq!(shown(&chain(&["/usr/include/c++/12/atomic", "lock.h", "main.cpp"])), 2);
        assert_eq!(shown(&chain(&["/usr/include/c++/12/atomic", "lock.h"])), 1);
        assert_eq!(shown(&chain(&["/usr/include/c++/12/atomic"])), 0);
        let queue = "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/queue-1.0.0/src/lib.rs";
        assert_eq!(shown(&chain(&["library/core/src/sync/atomic.rs", queue, "src/main.rs"])), 2);
        assert_eq!(shown(&[]), 0);
    }

    #[test]
    fn the_library_of_rust_that_calls_is_left_out() {
        let places = [
            "library/core/src/sync/atomic.rs",
            "src/main.rs",
            "library/std/src/rt.rs",
            "library/core/src/ops/function.rs",
        ];
        assert_eq!(without_callers(&chain(&places)), 2);
        assert_eq!(without_callers(&chain(&places[2..])), 2);
        assert_eq!(without_callers(&chain(&["main.c"])), 1);
    }
}
