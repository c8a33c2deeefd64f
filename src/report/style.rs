//! Colours on a terminal.

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// ANSI escape sequences may be used.
    pub color: bool,
    /// An execution that is an interleaving is shown as one list of steps.
    pub trace: bool,
    /// The calls on the way to each event are shown.
    pub frames: bool,
    /// Columns that a line may have; 0 when there is no limit.
    pub width: usize,
}

impl Style {
    fn wrap(self, code: &str, text: &str) -> String {
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// For what is right.
    pub fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    /// For what is wrong.
    pub fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// For what is not known.
    pub fn doubtful(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    /// For headings.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// For what can be passed over.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
}
