//! Programs of C11 as a mapping compiles them: the same accesses, as the target's, with its fences and branches between them.

use crate::llvm::ir::Order;
use crate::llvm::mapping::{Access, Mapping, Step};
use crate::program::Half;
use crate::synth::minimal::Outcome;
use crate::synth::minimal::matrix::EVENTS;
use crate::synth::programs::program::{Depends, Event, NO_ADDRESS, Program, Shape};
use crate::synth::programs::vocabulary::{Dependency, Kind, Pair, Token, Vocabulary};

/// What an event of the source becomes.
enum Piece {
    /// An event with this token; whether it is the read of a pair.
    Event { token: u8, paired: bool },
    /// A branch on what was just read.
    Branch,
}

/// A mapping, ready for the programs of a vocabulary.
pub struct Compiler {
    /// By token of the source.
    pieces: Vec<Vec<Piece>>,
    /// The tokens of the target.
    pub target: Vocabulary,
}

/// A compiled program.
pub struct Compiled {
    /// The program of the target.
    pub program: Program,
    /// By event of the source: what reads there, and what writes.
    reads: Vec<usize>,
    writes: Vec<usize>,
}

impl Compiler {
    /// Errors: what is no operation of C11; a read-modify-write with something between its halves.
    pub fn new(mapping: &Mapping, source: &Vocabulary, arch: &str) -> Result<Compiler, String> {
        if source.arch != "C" || !source.pairs.is_empty() || !source.brackets.is_empty() || !source.scopes.is_empty() {
            return Err(format!("a mapping compiles C11; the tests are for {}", source.arch));
        }
        let mut tokens: Vec<Token> = Vec::new();
        let mut pairs: Vec<Pair> = Vec::new();
        let relation = match mapping.pair.0 {
            Half::ExRead => Some("lxsx"),
            Half::AmoRead => Some("amo"),
            _ => None,
        };
        let mut pieces = Vec::new();
        for token in &source.tokens {
            let (access, order) = operation(token)?;
            let mut own: Vec<Piece> = Vec::new();
            let steps = mapping.steps(access, order);
            let fused = access == Access::Rmw && relation.is_none();
            for (at, step) in steps.iter().enumerate() {
                let (kind, tags) = match step {
                    Step::Branch => {
                        own.push(Piece::Branch);
                        continue;
                    }
                    Step::Fence(tags) => (Kind::Fence, tags.clone()),
                    Step::Write(_) if fused => continue,
                    Step::Write(tags) => (Kind::Write, tags.clone()),
                    Step::Read(tags) if fused => {
                        let written = steps.iter().filter_map(|s| if let Step::Write(w) = s { Some(w) } else { None });
                        let mut all = tags.clone();
                        for tag in written.flatten() {
                            if !all.contains(tag) {
                                all.push(tag.clone());
                            }
                        }
                        (Kind::Update, all)
                    }
                    Step::Read(tags) => (Kind::Read, tags.clone()),
                };
                let number = number(&mut tokens, kind, &tags);
                let paired = access == Access::Rmw && kind == Kind::Read;
                if paired && let Some(relation) = relation {
                    let Some(Step::Write(written)) = steps.get(at + 1) else {
                        return Err(format!("`{}`: something stands between its read and its write", token.name));
                    };
                    let write = number_of(&mut tokens, Kind::Write, written);
                    add_pair(&mut pairs, &tokens[number as usize].name, &write, relation);
                }
                own.push(Piece::Event { token: number, paired });
            }
            pieces.push(own);
        }
        let target = Vocabulary::of_tokens(arch, tokens, pairs)?;
        Ok(Compiler { pieces, target })
    }

    /// A program, compiled. `None`: it has more events than an evaluation holds.
    pub fn compile(&self, program: &Program) -> Option<Compiled> {
        let mut compiled = Compiled {
            program: Program { threads: Vec::new(), groups: Vec::new() },
            reads: Vec::new(),
            writes: Vec::new(),
        };
        let mut first = 0;
        for shape in &program.threads {
            let mut thread = Shape { events: Vec::new(), depends: Vec::new() };
            let mut branches: Vec<Depends> = Vec::new();
            let mut starts: Vec<u8> = Vec::new();
            for event in &shape.events {
                starts.push(thread.events.len() as u8);
                let (mut read, mut write) = (0, 0);
                for piece in &self.pieces[event.token as usize] {
                    let at = thread.events.len();
                    match *piece {
                        Piece::Branch => {
                            let from = read as u8;
                            branches.push(Depends { to: at as u8, from, kind: Dependency::Ctrl });
                        }
                        Piece::Event { token, paired } => {
                            let kind = self.target.token(token).kind;
                            let address = if kind == Kind::Fence { NO_ADDRESS } else { event.address };
                            thread.events.push(Event { token, paired, address });
                            if kind.reads() {
                                read = at;
                            }
                            if kind.writes() {
                                write = at;
                            }
                        }
                    }
                }
                compiled.reads.push(first + read);
                compiled.writes.push(first + write);
            }
            let done = compiled.reads.len() - shape.events.len();
            let place = |numbers: &[usize], event: u8| (numbers[done + event as usize] - first) as u8;
            for depends in &shape.depends {
                let to = match depends.kind {
                    Dependency::Ctrl => starts[depends.to as usize],
                    Dependency::Data => place(&compiled.writes, depends.to),
                    Dependency::Addr if self.reads(shape.events[depends.to as usize]) => {
                        place(&compiled.reads, depends.to)
                    }
                    Dependency::Addr => place(&compiled.writes, depends.to),
                };
                thread.depends.push(Depends { to, from: place(&compiled.reads, depends.from), kind: depends.kind });
            }
            // Behind the last event nothing depends on a branch.
            branches.retain(|branch| (branch.to as usize) < thread.events.len());
            thread.depends.extend(branches);
            thread.depends.sort_unstable();
            thread.depends.dedup();
            first += thread.events.len();
            compiled.program.threads.push(thread);
        }
        (first + program.addresses() <= EVENTS).then_some(compiled)
    }

    fn reads(&self, event: Event) -> bool {
        self.pieces[event.token as usize]
            .iter()
            .any(|piece| matches!(piece, Piece::Event { token, .. } if self.target.token(*token).kind.reads()))
    }
}

impl Compiled {
    /// An outcome of the source, of this program.
    pub fn outcome(&self, outcome: &Outcome) -> Outcome {
        let (before, after) = (self.reads.len(), self.program.size());
        let write = |event: usize| if event < before { self.writes[event] } else { event - before + after };
        Outcome {
            sources: outcome.sources.iter().map(|&(read, source)| (self.reads[read], write(source))).collect(),
            lasts: outcome.lasts.iter().map(|last| last.map(write)).collect(),
        }
    }
}

/// The operation of C11 that a token is.
fn operation(token: &Token) -> Result<(Access, Order), String> {
    let access = match token.kind {
        Kind::Read => Access::Load,
        Kind::Write => Access::Store,
        Kind::Update => Access::Rmw,
        Kind::Fence => Access::Fence,
    };
    let order = token.tags.iter().find_map(|tag| {
        Some(match tag.as_str() {
            "NA" => Order::Na,
            "RLX" => Order::Rlx,
            "CON" => Order::Con,
            "ACQ" => Order::Acq,
            "REL" => Order::Rel,
            "ACQ_REL" => Order::AcqRel,
            "SC" => Order::Sc,
            _ => return None,
        })
    });
    order.map(|order| (access, order)).ok_or_else(|| format!("the token `{}` has no memory order of C11", token.name))
}

/// As a compiled program is written: `R[A](x)`, `F[SYNC]`.
fn name(kind: Kind, tags: &[String]) -> String {
    let letter = match kind {
        Kind::Read => "R",
        Kind::Write => "W",
        Kind::Update => "U",
        Kind::Fence => "F",
    };
    if tags.is_empty() { letter.to_owned() } else { format!("{letter}[{}]", tags.join(" ")) }
}

/// The number of a token, which is made when it is new.
fn number(tokens: &mut Vec<Token>, kind: Kind, tags: &[String]) -> u8 {
    let name = name(kind, tags);
    let known = tokens.iter().position(|token| token.name == name);
    let at = known.unwrap_or_else(|| {
        tokens.push(Token {
            name,
            kind,
            tags: tags.to_vec(),
            weaker: Vec::new(),
            narrower: Vec::new(),
            code: Vec::new(),
            alone: true,
        });
        tokens.len() - 1
    });
    at as u8
}

fn number_of(tokens: &mut Vec<Token>, kind: Kind, tags: &[String]) -> String {
    let at = number(tokens, kind, tags);
    tokens[at as usize].name.clone()
}

fn add_pair(pairs: &mut Vec<Pair>, read: &str, write: &str, relation: &str) {
    if pairs.iter().any(|pair| pair.read == read && pair.write == write) {
        return;
    }
    let [read, write] = [read.to_owned(), write.to_owned()];
    pairs.push(Pair {
        decomposed: [read.clone(), write.clone()],
        read,
        write,
        relation: relation.to_owned(),
        weaker: Vec::new(),
        code: Vec::new(),
    });
}
