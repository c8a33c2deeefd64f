//! Annotated inputs: `«…»` marks the main place of the expected diagnostic.

use super::Kind;
use crate::cat::testing;

/// Loads `annotated` without its marks and expects a diagnostic of this kind exactly where the marks are.
#[track_caller]
pub fn expect(kind: Kind, annotated: &str) {
    let (Some(start), Some(end)) = (annotated.find('«'), annotated.rfind('»')) else {
        panic!("no marks in {annotated}");
    };
    let text = annotated.replace(['«', '»'], "");
    let wanted = start..end - '«'.len_utf8();
    let found = match testing::load(&text) {
        Ok(loaded) => loaded.warnings.into_iter().chain(loaded.dynamic_reasons).collect(),
        Err(errors) => errors,
    };
    let fits = found.iter().any(|d| d.code() == kind.code && d.span().is_some_and(|s| s.range() == wanted));
    assert!(fits, "{} at {wanted:?} expected in\n{text}\nfound {found:#?}", kind.code);
}
