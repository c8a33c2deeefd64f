//! What tests are made of: the accesses, fences and dependencies of an architecture, and what each is relaxed to.
//!
//! A vocabulary is data: `cat/*.lattice`, one file an architecture, in TOML. `docs/synthesis.md` describes the format.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Orders others.
    Fence,
    /// Reads and writes in one event.
    Update,
}

impl Kind {
    /// Whether it reads memory.
    pub fn reads(self) -> bool {
        matches!(self, Kind::Read | Kind::Update)
    }

    /// Whether it writes memory.
    pub fn writes(self) -> bool {
        matches!(self, Kind::Write | Kind::Update)
    }
}

/// A kind of dependency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dependency {
    /// The read decides where the access goes.
    Addr,
    /// The read decides what is written.
    Data,
    /// The read decides whether what follows happens.
    Ctrl,
}

/// An instruction, or one half of a read-modify-write pair.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// As programs are written: `R`, `LDAR`, `mfence`.
    pub name: String,
    /// What it does.
    pub kind: Kind,
    /// The sets that it belongs to, besides those of its kind.
    #[serde(default)]
    pub tags: Vec<String>,
    /// One step down: each is a relaxation of its own.
    #[serde(default)]
    pub weaker: Vec<String>,
    /// The next smaller scope.
    #[serde(default)]
    pub narrower: Vec<String>,
    /// Its instructions, for printing.
    #[serde(default)]
    pub code: Vec<String>,
    /// Whether programs have it by itself; otherwise it is a half of a pair, or what a relaxation leaves.
    #[serde(default = "yes")]
    pub alone: bool,
}

/// A read-modify-write that is two events.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The token of its read.
    pub read: String,
    /// The token of its write.
    pub write: String,
    /// The base relation from the read to the write: `amo` or `lxsx`.
    pub relation: String,
    /// What is left of the two when the pair is decomposed.
    pub decomposed: [String; 2],
    /// One step down: pairs, by their two tokens.
    #[serde(default)]
    pub weaker: Vec<[String; 2]>,
    /// Its instructions, for printing.
    #[serde(default)]
    pub code: Vec<String>,
}

/// Two fences of which one opens a section and the other closes it. Sections do not nest. They may stand at the ends of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bracket {
    /// The token that opens it.
    pub open: String,
    /// The token that closes it.
    pub close: String,
}

/// How tests are printed. In instructions, `{r}` is the register that is read into (of a write, the value), `{w}` the value that is written, `{a}` the address (a register, or the
/// variable), `{s}` a further register, `{t}` a register for an address, `{v}` a number, `{n}` a number of its own for labels.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printing {
    /// `C`: threads are functions; otherwise columns of instructions.
    #[serde(default)]
    pub functions: bool,
    /// Registers, as initial values and conditions name them.
    #[serde(default)]
    pub registers: Vec<String>,
    /// The same registers, as instructions name them for values.
    #[serde(default)]
    pub values: Vec<String>,
    /// The same, for addresses; none where instructions name variables.
    #[serde(default)]
    pub pointers: Vec<String>,
    /// Loads `{v}` into `{r}`; none where instructions take numbers.
    #[serde(default)]
    pub constant: String,
    /// Makes 0 in `{s}` from what was read into `{r}`.
    #[serde(default)]
    pub zero: String,
    /// Adds the 0 in `{s}` to the address `{a}`, into `{t}`.
    #[serde(default)]
    pub offset: String,
    /// Adds the 0 in `{s}` to the value `{r}`.
    #[serde(default)]
    pub add: String,
    /// Branches on what was read into `{r}` to where it goes on anyway.
    #[serde(default)]
    pub branch: Vec<String>,
    /// What a thread ends with for each branch.
    #[serde(default)]
    pub end: String,
    /// The value `{w}` with the 0 that is made of `{r}`, where instructions take expressions.
    #[serde(default)]
    pub sum: String,
    /// The address `{a}` with the 0 that is made of `{r}`, where instructions take expressions.
    #[serde(default)]
    pub moved: String,
    /// What all threads together are, in a tree of scopes.
    #[serde(default)]
    pub root: String,
    /// The type of parameters of functions.
    #[serde(default)]
    pub parameter: String,
    /// What `{s}` holds where the write of an exclusive pair has succeeded.
    #[serde(default)]
    pub success: Option<String>,
}

/// An architecture's vocabulary.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    /// The architecture, as litmus tests name it.
    pub arch: String,
    /// The relaxations that apply, by tag.
    pub relaxations: Vec<Relaxation>,
    /// Kinds of dependencies.
    #[serde(default)]
    pub dependencies: Vec<Dependency>,
    /// Relations of the threads of one group, from the widest kind of group to the narrowest; each group is part of one of the wider kind.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// Fences that open and close a section of a thread; they are removed together.
    #[serde(rename = "bracket", default)]
    pub brackets: Vec<Bracket>,
    /// Instructions.
    #[serde(rename = "token")]
    pub tokens: Vec<Token>,
    /// Read-modify-writes of two events.
    #[serde(rename = "pair", default)]
    pub pairs: Vec<Pair>,
    /// How tests are printed.
    #[serde(default)]
    pub printing: Printing,
    #[serde(skip)]
    numbers: BTreeMap<String, u8>,
}

/// A way of relaxing a test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Relaxation {
    /// Remove an instruction.
    #[serde(rename = "RI")]
    Remove,
    /// Decompose a read-modify-write.
    #[serde(rename = "DRMW")]
    Decompose,
    /// Demote a fence.
    #[serde(rename = "DF")]
    DemoteFence,
    /// Demote a memory order.
    #[serde(rename = "DMO")]
    DemoteOrder,
    /// Remove the dependencies on a read.
    #[serde(rename = "RD")]
    RemoveDependencies,
    /// Remove one dependency.
    #[serde(rename = "RD1")]
    RemoveDependency,
    /// Demote a scope.
    #[serde(rename = "DS")]
    DemoteScope,
}

impl Relaxation {
    /// All of them.
    pub const ALL: [Relaxation; 7] = [
        Relaxation::Remove,
        Relaxation::Decompose,
        Relaxation::DemoteFence,
        Relaxation::DemoteOrder,
        Relaxation::RemoveDependencies,
        Relaxation::RemoveDependency,
        Relaxation::DemoteScope,
    ];

    /// The tag that the literature uses.
    pub fn tag(self) -> &'static str {
        match self {
            Relaxation::Remove => "RI",
            Relaxation::Decompose => "DRMW",
            Relaxation::DemoteFence => "DF",
            Relaxation::DemoteOrder => "DMO",
            Relaxation::RemoveDependencies => "RD",
            Relaxation::RemoveDependency => "RD1",
            Relaxation::DemoteScope => "DS",
        }
    }
}

fn yes() -> bool {
    true
}

impl Vocabulary {
    /// Reads a lattice file.
    ///
    /// Errors: what TOML says of the text, names that are not defined, halves of a pair that do not read or write.
    pub fn parse(text: &str) -> Result<Vocabulary, String> {
        toml::from_str::<Vocabulary>(text).map_err(|e| e.to_string())?.checked()
    }

    /// One that is made of instructions and read-modify-writes alone. Errors as in a lattice file.
    pub fn of_tokens(arch: &str, tokens: Vec<Token>, pairs: Vec<Pair>) -> Result<Vocabulary, String> {
        let vocabulary = Vocabulary {
            arch: arch.to_owned(),
            relaxations: Vec::new(),
            dependencies: vec![Dependency::Addr, Dependency::Data, Dependency::Ctrl],
            scopes: Vec::new(),
            brackets: Vec::new(),
            tokens,
            pairs,
            printing: Printing::default(),
            numbers: BTreeMap::new(),
        };
        vocabulary.checked()
    }

    /// Leaves only these tokens to programs. Errors: a name that is not defined.
    pub fn keep_only(&mut self, names: &[String]) -> Result<(), String> {
        if let Some(name) = names.iter().find(|name| !self.numbers.contains_key(*name)) {
            let known: Vec<&str> = self.tokens.iter().map(|token| token.name.as_str()).collect();
            return Err(format!("there is no token `{name}`; there are {}", known.join(", ")));
        }
        self.tokens.iter_mut().for_each(|token| token.alone &= names.contains(&token.name));
        self.pairs.retain(|pair| names.contains(&pair.read) && names.contains(&pair.write));
        Ok(())
    }

    fn checked(self) -> Result<Vocabulary, String> {
        let mut vocabulary = self;
        if vocabulary.tokens.len() > u8::MAX as usize {
            return Err(format!("at most {} tokens", u8::MAX));
        }
        for (i, token) in vocabulary.tokens.iter().enumerate() {
            if vocabulary.numbers.insert(token.name.clone(), i as u8).is_some() {
                return Err(format!("the token `{}` is defined twice", token.name));
            }
        }
        let weaker = vocabulary.tokens.iter().flat_map(|token| token.weaker.iter().chain(&token.narrower));
        let brackets = vocabulary.brackets.iter().flat_map(|bracket| [&bracket.open, &bracket.close]);
        let halves = vocabulary.pairs.iter().flat_map(|pair| {
            [&pair.read, &pair.write].into_iter().chain(&pair.decomposed).chain(pair.weaker.iter().flatten())
        });
        for name in weaker.chain(halves).chain(brackets) {
            if !vocabulary.numbers.contains_key(name) {
                return Err(format!("the token `{name}` is not defined"));
            }
        }
        let halves = vocabulary.brackets.iter().flat_map(|bracket| [&bracket.open, &bracket.close]);
        for name in halves {
            if vocabulary.token(vocabulary.number(name)).kind != Kind::Fence {
                return Err(format!("the token `{name}` of a bracket is no fence"));
            }
        }
        for pair in &vocabulary.pairs {
            let kinds = [&pair.read, &pair.write].map(|name| vocabulary.token(vocabulary.number(name)).kind);
            if kinds != [Kind::Read, Kind::Write] {
                return Err(format!("the pair `{} {}` is no read with a write", pair.read, pair.write));
            }
            if pair
                .weaker
                .iter()
                .any(|[read, write]| vocabulary.pair(vocabulary.number(read), vocabulary.number(write)).is_none())
            {
                return Err(format!("a weaker form of the pair `{} {}` is no pair", pair.read, pair.write));
            }
        }
        Ok(vocabulary)
    }

    /// The number of a token that is defined.
    pub fn number(&self, name: &str) -> u8 {
        self.numbers.get(name).copied().unwrap_or_default()
    }

    /// A token by number.
    pub fn token(&self, number: u8) -> &Token {
        &self.tokens[number as usize]
    }

    /// How much an event counts towards the two accesses that each address has. Where addresses may depend on reads, one write is enough: what follows may wait for its address,
    /// wherever it goes.
    pub fn weight(&self, token: u8) -> u32 {
        let alone = self.token(token).kind.writes() && self.dependencies.contains(&Dependency::Addr);
        if alone { 2 } else { 1 }
    }

    /// The bracket that a token opens, with the number of the token that closes it.
    pub fn opens(&self, token: u8) -> Option<u8> {
        let name = &self.token(token).name;
        self.brackets.iter().find(|b| b.open == *name).map(|b| self.number(&b.close))
    }

    /// Whether a token closes a bracket.
    pub fn closes(&self, token: u8) -> bool {
        self.brackets.iter().any(|b| b.close == self.token(token).name)
    }

    /// Whether a token is a fence that stands between accesses only.
    pub fn separates(&self, token: u8) -> bool {
        self.token(token).kind == Kind::Fence && self.opens(token).is_none() && !self.closes(token)
    }

    /// The pair that two tokens form.
    pub fn pair(&self, read: u8, write: u8) -> Option<&Pair> {
        let (read, write) = (&self.token(read).name, &self.token(write).name);
        self.pairs.iter().find(|pair| pair.read == *read && pair.write == *write)
    }
}
