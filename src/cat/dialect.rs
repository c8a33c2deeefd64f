//! The two dialects of cat (CAT.md, section 9).

/// Which tool's cat a model is written in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// The language of herd, which is the reference.
    #[default]
    Herd,
    /// Dartagnan's: other precedences, unknown names are event tags, `co` and `fr` are predefined.
    Dartagnan,
}

impl Dialect {
    /// By the name that `--dialect` takes.
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "herd" => Some(Self::Herd),
            "dartagnan" | "dat3m" => Some(Self::Dartagnan),
            _ => None,
        }
    }

    /// The name that `--dialect` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Herd => "herd",
            Self::Dartagnan => "dartagnan",
        }
    }
}
