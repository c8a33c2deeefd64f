//! Compilation mappings: which events the operations of C11 become.
//!
//! A mapping is a small text, `cat/*.map`, so that a new architecture needs no code. One item a line, `#` starts a comment:
//!
//! ```text
//! title AArch64                      # models (by the first word of their title) that this mapping is for; may repeat
//! annotation ONCE                    # or: models that declare this annotation; may repeat, all must be declared
//! branches never-end                 # a control dependency does not end where the branches meet (default: merge)
//! include c11                        # what the operations become as in that bundled mapping, unless a line above says it
//! volatile rlx                       # accesses to `volatile` scalars are of this order (default: na)
//! order none | data-flow             # how program order relates the events of one instruction (default: data-flow)
//! pair amo | exclusive | fused       # how the two halves of a read-modify-write belong together (default: amo)
//!
//! load  na rlx : R{}                 # for these orders, these steps
//! load  acq    : R{Q}
//! store sc     : F{SYNC} W{}
//! rmw   sc     : R{X A} W{X L}
//! fail  sc     : R{X A}              # the read of a compare-and-swap that fails; default: the R of `rmw`, as its success order says.
//!                                    # Steps before it come in any case, since nothing knows then whether it will fail
//! fence acq    : F{DMB.ISHLD}
//! ```
//!
//! Orders are `na rlx con acq rel acq_rel sc` (`na`: an ordinary access). Steps are `R{tags}` and `W{tags}` (the access, or its
//! halves), `F{tags}` (a fence) and `B` (a branch on the value just read, whose control dependency never ends). Every load,
//! store, rmw and fence order that has a meaning in C must be there.

use super::ir::Order;
use crate::program::{Half, InstructionOrder};
use crate::shelf::{self, Shelf};
use include_dir::{Dir, include_dir};
use rustc_hash::FxHashMap;
use std::sync::Arc;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/cat");

/// What is mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Access {
    Load,
    Store,
    Rmw,
    Fail,
    Fence,
}

/// One step of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The access (or the read half), with these tags.
    Read(Vec<String>),
    /// The access (or the write half), with these tags.
    Write(Vec<String>),
    /// A fence.
    Fence(Vec<String>),
    /// A branch on the value just read.
    Branch,
}

/// What a value of a C program depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dependencies {
    /// Also on the conditions that selected it: what every compiler keeps that keeps the meaning of the program.
    #[default]
    Semantic,
    /// Only on what it is computed from, as written.
    Syntactic,
}

/// A compilation mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapping {
    /// Titles of the models it is for.
    pub titles: Vec<String>,
    /// Annotations that the models it is for declare.
    pub annotations: Vec<String>,
    /// Control dependencies do not end at the merge point.
    pub branches_never_end: bool,
    /// What values depend on.
    pub dependencies: Dependencies,
    /// The order of accesses to `volatile` scalars that are not atomic.
    pub volatile: Order,
    /// How program order relates the events of one instruction.
    pub order: InstructionOrder,
    /// The read half and write half of a read-modify-write.
    pub pair: (Half, Half),
    /// Whether ordinary accesses are relaxed ones.
    pub plain_relaxed: bool,
    steps: FxHashMap<(Access, Order), Vec<Step>>,
}

/// An error in a mapping file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapError {
    /// From 1.
    pub line: u32,
    /// One sentence.
    pub message: String,
}

impl std::fmt::Display for MapError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Default for Mapping {
    /// The mapping for models of C11 itself.
    fn default() -> Self {
        Mapping::for_arch(None)
    }
}

const REQUIRED: &[(Access, &[Order])] = &[
    (Access::Load, &[Order::Na, Order::Rlx, Order::Con, Order::Acq, Order::Sc]),
    (Access::Store, &[Order::Na, Order::Rlx, Order::Rel, Order::Sc]),
    (Access::Rmw, &[Order::Rlx, Order::Con, Order::Acq, Order::Rel, Order::AcqRel, Order::Sc]),
    (Access::Fence, &[Order::Acq, Order::Rel, Order::AcqRel, Order::Sc]),
];

impl Mapping {
    /// The bundled mapping for models with this architecture title; the one for C11 models when there is none.
    pub fn for_arch(title: Option<&str>) -> Mapping {
        Mapping::for_model(title, |_| false)
    }

    /// As [`Self::for_arch`], for a model that may declare annotations of its own.
    pub fn for_model(title: Option<&str>, declares: impl Fn(&str) -> bool) -> Mapping {
        let bundled = Mapping::bundled();
        let by_annotation =
            bundled.iter().find(|m| !m.annotations.is_empty() && m.annotations.iter().all(|a| declares(a)));
        let by_title = || {
            let title = title?.split_whitespace().next()?;
            bundled.iter().find(|m| m.titles.iter().any(|t| t.eq_ignore_ascii_case(title)))
        };
        let fallback = || bundled.iter().find(|m| m.titles.iter().any(|t| t == "C"));
        by_annotation.or_else(by_title).or_else(fallback).cloned().unwrap_or_else(Mapping::empty)
    }

    /// The bundled mapping of a name (that of its file), or the one in a file.
    pub fn named(name: &str) -> Result<Mapping, String> {
        Mapping::kept(name, None)
    }

    /// The same, from a shelf or noted there.
    pub fn kept(name: &str, shelf: Option<&Arc<Shelf>>) -> Result<Mapping, String> {
        let bundled = FILES.files().find(|f| f.path().to_str().and_then(|p| p.strip_suffix(".map")) == Some(name));
        let text = match bundled.and_then(|f| f.contents_utf8()) {
            Some(text) => text.to_owned(),
            None => {
                shelf::keep(shelf, || format!("mapping {name}"), || std::fs::read_to_string(name)).map_err(|e| {
                    let known: Vec<&str> = Mapping::names().collect();
                    format!("there is no mapping `{name}` ({e}); bundled are {}", known.join(", "))
                })?
            }
        };
        Mapping::parse(&text).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(|e| format!("{name}: {e}")).collect();
            errors.join("; ")
        })
    }

    /// Names of the bundled mappings.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.files().filter_map(|f| f.path().to_str()?.strip_suffix(".map"))
    }

    /// All bundled mappings. A test holds that each of them can be read.
    pub fn bundled() -> Vec<Mapping> {
        let texts = FILES.files().filter(|f| f.path().extension().is_some_and(|e| e == "map"));
        texts.filter_map(|f| Mapping::parse(f.contents_utf8()?).ok()).collect()
    }

    fn empty() -> Mapping {
        Mapping {
            titles: Vec::new(),
            annotations: Vec::new(),
            branches_never_end: false,
            dependencies: Dependencies::default(),
            volatile: Order::Na,
            order: InstructionOrder::DataFlow,
            pair: (Half::AmoRead, Half::AmoWrite),
            plain_relaxed: false,
            steps: FxHashMap::default(),
        }
    }

    /// Reads a mapping.
    pub fn parse(text: &str) -> Result<Mapping, Vec<MapError>> {
        let mut mapping = Mapping::empty();
        let mut errors = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            if let Err(message) = mapping.line(line) {
                errors.push(MapError { line: i as u32 + 1, message });
            }
        }
        for (access, orders) in REQUIRED {
            for order in *orders {
                if errors.is_empty() && !mapping.steps.contains_key(&(*access, *order)) {
                    let message = format!("nothing says what a {access:?} of order {order:?} is");
                    errors.push(MapError { line: text.lines().count() as u32, message: message.to_lowercase() });
                }
            }
        }
        if errors.is_empty() { Ok(mapping) } else { Err(errors) }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let access = match word {
            "title" => {
                self.titles.push(rest.to_owned());
                return Ok(());
            }
            "annotation" => {
                self.annotations.push(rest.to_owned());
                return Ok(());
            }
            "include" => {
                let file = FILES.get_file(format!("{rest}.map")).and_then(|f| f.contents_utf8());
                let text = file.ok_or_else(|| format!("there is no bundled mapping `{rest}` to include"))?;
                let text: String = text.lines().filter(|l| !l.starts_with("include")).flat_map(|l| [l, "\n"]).collect();
                let included = Mapping::parse(&text).map_err(|_| format!("`{rest}` cannot be included"))?;
                included.steps.into_iter().for_each(|(operation, steps)| {
                    self.steps.entry(operation).or_insert(steps);
                });
                return Ok(());
            }
            "branches" => {
                self.branches_never_end = match rest {
                    "never-end" => true,
                    "merge" => false,
                    _ => return Err(format!("branches are `never-end` or `merge`, not `{rest}`")),
                };
                return Ok(());
            }
            "volatile" => {
                self.volatile = match parse_order(rest)? {
                    order @ (Order::Na | Order::Rlx) => order,
                    _ => return Err(format!("volatile accesses are `na` or `rlx`, not `{rest}`")),
                };
                return Ok(());
            }
            "order" => {
                self.order = match rest {
                    "none" => InstructionOrder::None,
                    "data-flow" => InstructionOrder::DataFlow,
                    _ => return Err(format!("the order is `none` or `data-flow`, not `{rest}`")),
                };
                return Ok(());
            }
            "pair" => {
                self.pair = match rest {
                    "amo" => (Half::AmoRead, Half::AmoWrite),
                    "exclusive" => (Half::ExRead, Half::ExWrite),
                    "fused" => (Half::FusedRead, Half::FusedWrite),
                    _ => return Err(format!("a pair is `amo`, `exclusive` or `fused`, not `{rest}`")),
                };
                return Ok(());
            }
            "load" => Access::Load,
            "store" => Access::Store,
            "rmw" => Access::Rmw,
            "fail" => Access::Fail,
            "fence" => Access::Fence,
            _ => {
                return Err(format!(
                    "`{word}` starts no line; there are title, annotation, include, branches, volatile, order, pair, load, store, rmw, fail and fence"
                ));
            }
        };
        let Some((orders, steps)) = rest.split_once(':') else {
            return Err("`:` expected between the orders and the steps".into());
        };
        let steps = parse_steps(steps)?;
        check_steps(access, &steps)?;
        for word in orders.split_whitespace() {
            let order = parse_order(word)?;
            if self.steps.insert((access, order), steps.clone()).is_some() {
                return Err(format!("`{word}` was said before"));
            }
        }
        Ok(())
    }

    /// Whether values depend on the conditions that selected them.
    pub fn is_semantic(&self) -> bool {
        self.dependencies == Dependencies::Semantic
    }

    /// The same, where ordinary accesses are relaxed ones.
    pub fn with_plain_relaxed(mut self) -> Mapping {
        for access in [Access::Load, Access::Store] {
            let relaxed = self.steps(access, Order::Rlx).to_vec();
            self.steps.insert((access, Order::Na), relaxed);
        }
        self.plain_relaxed = true;
        self
    }

    /// The steps of an operation.
    pub fn steps(&self, access: Access, order: Order) -> &[Step] {
        self.steps.get(&(access, order)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The tags of the fence that orders everything: the first of a sequentially consistent fence.
    pub fn full_fence(&self) -> Vec<String> {
        let steps = self.steps(Access::Fence, Order::Sc).iter();
        steps
            .filter_map(|s| if let Step::Fence(tags) = s { Some(tags.clone()) } else { None })
            .next()
            .unwrap_or_default()
    }

    /// What comes before a compare-and-swap because it may fail.
    pub fn before_failing(&self, failure: Order) -> &[Step] {
        let steps = self.steps(Access::Fail, failure);
        let read = steps.iter().position(|s| matches!(s, Step::Read(_)));
        &steps[..read.unwrap_or_default()]
    }

    /// The tags of the read of a compare-and-swap that fails.
    pub fn failing_tags(&self, success: Order, failure: Order) -> &[String] {
        let own = self.steps.get(&(Access::Fail, failure));
        let steps = own.map(Vec::as_slice).unwrap_or_else(|| self.steps(Access::Rmw, success));
        steps
            .iter()
            .find_map(|s| if let Step::Read(tags) = s { Some(tags.as_slice()) } else { None })
            .unwrap_or_default()
    }
}

fn parse_order(word: &str) -> Result<Order, String> {
    Ok(match word {
        "na" => Order::Na,
        "rlx" => Order::Rlx,
        "con" => Order::Con,
        "acq" => Order::Acq,
        "rel" => Order::Rel,
        "acq_rel" => Order::AcqRel,
        "sc" => Order::Sc,
        _ => return Err(format!("`{word}` is no order; they are na, rlx, con, acq, rel, acq_rel, sc")),
    })
}

fn parse_steps(text: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let kind = rest.chars().next().unwrap_or(' ');
        rest = &rest[kind.len_utf8()..];
        if kind == 'B' {
            steps.push(Step::Branch);
            rest = rest.trim_start();
            continue;
        }
        let inside = rest.strip_prefix('{').and_then(|r| r.split_once('}'));
        let Some((tags, after)) = inside else {
            return Err(format!("a step is R{{tags}}, W{{tags}}, F{{tags}} or B, not `{kind}{rest}`"));
        };
        let tags = tags.split_whitespace().map(str::to_owned).collect();
        steps.push(match kind {
            'R' => Step::Read(tags),
            'W' => Step::Write(tags),
            'F' => Step::Fence(tags),
            _ => return Err(format!("a step is R{{tags}}, W{{tags}}, F{{tags}} or B, not `{kind}{{…}}`")),
        });
        rest = after.trim_start();
    }
    Ok(steps)
}

fn check_steps(access: Access, steps: &[Step]) -> Result<(), String> {
    let reads = steps.iter().filter(|s| matches!(s, Step::Read(_))).count();
    let writes = steps.iter().filter(|s| matches!(s, Step::Write(_))).count();
    let (want_reads, want_writes) = match access {
        Access::Load | Access::Fail => (1, 0),
        Access::Store => (0, 1),
        Access::Rmw => (1, 1),
        Access::Fence => (0, 0),
    };
    if (reads, writes) != (want_reads, want_writes) {
        return Err(format!("this needs {want_reads} step(s) R and {want_writes} step(s) W, not {reads} and {writes}"));
    }
    let position = |wanted: fn(&Step) -> bool| steps.iter().position(wanted);
    let read = position(|s| matches!(s, Step::Read(_)));
    if let (Some(read), Some(write)) = (read, position(|s| matches!(s, Step::Write(_))))
        && write < read
    {
        return Err("the R of a read-modify-write comes before its W".into());
    }
    if access == Access::Fail && read != steps.len().checked_sub(1) {
        return Err("nothing comes behind the R of a compare-and-swap that fails but what comes behind its W".into());
    }
    match (position(|s| matches!(s, Step::Branch)), read) {
        (Some(branch), Some(read)) if branch > read => Ok(()),
        (Some(_), _) => Err("a B needs an R before it".into()),
        (None, _) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_mapping_can_be_read() {
        let mut seen = 0;
        for file in FILES.files().filter(|f| f.path().extension().is_some_and(|e| e == "map")) {
            let text = file.contents_utf8().expect("maps are text");
            if let Err(errors) = Mapping::parse(text) {
                panic!("{}: {}", file.path().display(), errors[0]);
            }
            seen += 1;
        }
        assert!(seen >= 7);
    }

    #[test]
    fn a_title_chooses() {
        assert!(Mapping::for_arch(Some("AArch64 something")).branches_never_end);
        assert!(!Mapping::for_arch(None).branches_never_end);
        assert!(Mapping::for_arch(Some("IMM")).branches_never_end);
        assert_eq!(Mapping::for_arch(Some("unheard-of")), Mapping::default());
        let kernel = Mapping::for_model(None, |a| a == "ONCE");
        assert_eq!(kernel.steps(Access::Load, Order::Acq), [Step::Read(vec!["ACQUIRE".into()])]);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let errors = Mapping::parse(
            "load acq R{}\nstore rel : R{}\nbranches x\nfoo\nrmw sc : W{} R{}\nload sc : B R{}\nload x : R{",
        )
        .unwrap_err();
        assert_eq!(errors.iter().map(|e| e.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
        assert!(Mapping::parse("").unwrap_err()[0].message.contains("nothing says"));
    }
}
