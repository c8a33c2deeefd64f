//! `hmc model check`: what is allowed but hardly meant.

pub use super::annotations::unknown_annotations;

use crate::algebra::{Node, Role, naive};
use crate::cat::diagnostics::{
    Diagnostic, check_always_fails, check_never_fails, dialect_recognised, hides_base_name, nothing_shown,
    recursion_not_monotone, redefinition, unused_definition,
};
use crate::cat::dialect::Dialect;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Binding, Cond, Expr, ExprKind, Ident, Instr, InstrKind, Pat, PatAtom, Sym};
use crate::cat::{Loaded, vocabulary};
use crate::relation::candidate::Candidate;
use rustc_hash::{FxHashMap, FxHashSet};

/// All warnings about a model that loads, those of loading first.
pub fn check(loaded: &Loaded) -> Vec<Diagnostic> {
    // A file that checks nothing itself is there to be included: what it defines and shows may need more than it has.
    let root = loaded.program.root;
    let checks = loaded.model.checks.iter().any(|check| check.place.0 == root) || loaded.dynamic;
    let remarks = loaded.remarks.iter().filter(|remark| checks || remark.code() != nothing_shown::KIND.code);
    let said = loaded.warnings.iter().chain(remarks).chain(&loaded.dynamic_reasons);
    // In which dialect a model is read is no fault of it.
    let said = said.filter(|warning| warning.code() != dialect_recognised::KIND.code);
    let mut found: Vec<Diagnostic> = said.cloned().collect();
    let mut walk = Walk { base: base_names(loaded), ..Walk::default() };
    for (index, tree) in loaded.program.trees.iter().enumerate() {
        if let Some(tree) = tree {
            walk.own = Some(index as u32) != loaded.program.library && !embedded(loaded, index);
            walk.is_root = index as u32 == loaded.program.root;
            if tree.catdep {
                // Such files compute dependencies by themselves.
                let names = ["addr", "data", "ctrl"].map(|name| loaded.program.interner.lookup(name));
                walk.base.retain(|base| !names.contains(&Some(*base)));
            }
            walk.block(&tree.body);
        }
    }
    found.extend(walk.redefinitions);
    found.extend(walk.not_monotone);
    // Files that others include define more than each of them needs.
    let unused: Vec<&Ident> = walk.defined.iter().filter(|name| !walk.used.contains(&name.sym)).collect();
    let unused: Vec<&Ident> = unused.into_iter().filter(|name| checks && name.span.file == root).collect();
    if let Some(first) = unused.first() {
        let names: Vec<&str> = unused.iter().map(|name| &*name.text).collect();
        found.push(unused_definition::report(&names, first.span));
    }
    found.extend(vain_checks(loaded));
    if let (Some(bell), Some((name, text))) = (&loaded.bell, &loaded.def) {
        found.extend(unknown_annotations(bell, name, text));
    }
    found
}

/// The names of what executions give.
fn base_names(loaded: &Loaded) -> FxHashSet<Sym> {
    // In herd's dialect coherence is no base name before `cos.cat` makes it one.
    let names = vocabulary::universal().filter(|name| *name != "co" || loaded.dialect == Dialect::Dartagnan);
    names.chain(["id"]).filter_map(|name| loaded.program.interner.lookup(name)).collect()
}

/// Whether a file is one of the library's, which nobody can be warned about.
fn embedded(loaded: &Loaded, index: usize) -> bool {
    let name = &loaded.sources.files()[index].name;
    index as u32 != loaded.program.root && crate::cat::library::embedded(name).is_some()
}

/// Checks that say nothing.
fn vain_checks(loaded: &Loaded) -> Vec<Diagnostic> {
    let model = &loaded.model;
    // The smallest execution: one initial write.
    let mut trivial = Candidate { universe: [0].into(), ..Candidate::default() };
    for name in ["W", "IW", "FW", "M"] {
        trivial.sets.insert(name.to_owned(), [0].into());
    }
    for name in ["loc", "si", "sm"] {
        trivial.relations.insert(name.to_owned(), [(0, 0)].into());
    }
    let mut evaluator = naive::Naive::new(&model.pool, &trivial);
    let mut found = Vec::new();
    for check in model.checks.iter().filter(|c| c.role == Role::Require) {
        let span = Span::new(check.place.0, check.place.1.start, check.place.1.end);
        if loaded.dynamic_checks.contains(&(check.place.0, check.place.1.start)) {
            continue;
        }
        let empty = matches!(model.pool.node(check.expr), Node::Empty(_));
        if empty && !check.negated {
            found.push(check_never_fails::report(span));
        } else if evaluator.holds(check) == Some(false) {
            found.push(check_always_fails::report(span));
        }
    }
    found
}

/// One walk over all trees.
#[derive(Default)]
struct Walk {
    /// Whether the file at hand is the user's own.
    own: bool,
    /// Whether it is the model itself, not what that includes.
    is_root: bool,
    /// Whether it has included what defines coherence.
    has_coherence: bool,
    /// Names that executions give a value to.
    base: FxHashSet<Sym>,
    /// Of these, the ones that the user's own files have given another meaning.
    hidden: FxHashSet<Sym>,
    defined: Vec<Ident>,
    used: FxHashSet<Sym>,
    last: FxHashMap<Sym, Span>,
    redefinitions: Vec<Diagnostic>,
    not_monotone: Vec<Diagnostic>,
}

impl Walk {
    fn block(&mut self, body: &[Instr]) {
        for instr in body {
            match &instr.kind {
                InstrKind::Let { recursive, bindings, when } => {
                    self.bindings(*recursive, bindings, true);
                    if let Some(test) = when {
                        self.expr(&test.operand);
                    }
                }
                InstrKind::Test(_, test) => self.expr(&test.operand),
                InstrKind::Show(items) => items.iter().for_each(|(e, _)| self.expr(e)),
                InstrKind::Procedure { body, .. } => self.block(body),
                InstrKind::Call { name, arg, .. } => {
                    self.used.insert(name.sym);
                    self.expr(arg);
                }
                InstrKind::Include(name, _) if name.starts_with("cos") => self.has_coherence = true,
                InstrKind::Forall { set, body, .. } => {
                    self.expr(set);
                    self.block(body);
                }
                InstrKind::With { set, .. } => self.expr(set),
                InstrKind::Match { scrutinee, clauses, default } => {
                    self.expr(scrutinee);
                    clauses.iter().for_each(|(_, b)| self.block(b));
                    default.iter().for_each(|b| self.block(b));
                }
                InstrKind::If { then, otherwise, .. } => {
                    self.block(then);
                    self.block(otherwise);
                }
                InstrKind::Debug(e) => self.expr(e),
                InstrKind::Instructions { shape, .. } => shape.iter().for_each(|e| self.expr(e)),
                InstrKind::Unshow(_) | InstrKind::Include(..) | InstrKind::Enum { .. } | InstrKind::Error => {}
            }
        }
    }

    fn bindings(&mut self, recursive: bool, bindings: &[Binding], top: bool) {
        let names: Vec<&Ident> = bindings
            .iter()
            .filter_map(|b| if let Pat::One(PatAtom::Name(n)) = &b.pat { Some(n) } else { None })
            .collect();
        if recursive && self.own {
            let unknowns: Vec<Sym> = names.iter().map(|n| n.sym).collect();
            for binding in bindings.iter().filter(|b| !b.is_function()) {
                if let Some(at) = under_difference(&binding.value, &unknowns, false) {
                    self.not_monotone.push(recursion_not_monotone::report(at, binding.span));
                    break;
                }
            }
        }
        for binding in bindings {
            // What a definition says of its own older self does not make it used.
            let mut inner = Walk { own: self.own, ..Walk::default() };
            inner.expr(&binding.value);
            if let (true, true, Pat::One(PatAtom::Name(name))) = (self.own, top, &binding.pat) {
                let is_base =
                    self.base.contains(&name.sym) || self.has_coherence && ["co", "fr"].contains(&&*name.text);
                let earlier = self.last.get(&name.sym).filter(|_| self.is_root);
                if let Some(earlier) = earlier.filter(|_| !inner.used.contains(&name.sym)) {
                    self.redefinitions.push(redefinition::report(&name.text, name.span, *earlier));
                } else if self.is_root && is_base && !adds_to(&binding.value, name.sym) && self.hidden.insert(name.sym)
                {
                    self.redefinitions.push(hides_base_name::report(&name.text, name.span));
                }
                if self.is_root {
                    self.last.insert(name.sym, name.span);
                }
                self.defined.push(name.clone());
            }
            self.used.extend(inner.used);
            self.not_monotone.extend(inner.not_monotone);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(name) => {
                self.used.insert(name.sym);
            }
            ExprKind::Let { recursive, bindings, body } => {
                self.bindings(*recursive, bindings, false);
                self.expr(body);
            }
            _ => children(expr).into_iter().for_each(|e| self.expr(e)),
        }
    }
}

/// Whether a definition adds to the old value of a name, or gives one where there is none.
fn adds_to(value: &Expr, name: Sym) -> bool {
    let is_old = |e: &Expr| matches!(&e.kind, ExprKind::Var(old) if old.sym == name);
    match &value.kind {
        ExprKind::Union(parts) => parts.iter().any(is_old),
        ExprKind::Plus(a) | ExprKind::Star(a) | ExprKind::Opt(a) => is_old(a),
        ExprKind::Try(first, _) => is_old(first),
        _ => is_old(value),
    }
}

/// The expressions directly below one.
fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Zero | ExprKind::Universe | ExprKind::Tag(_) | ExprKind::Var(_) | ExprKind::Error => Vec::new(),
        ExprKind::Set(xs) | ExprKind::Tuple(xs) | ExprKind::Union(xs) | ExprKind::Seq(xs) => xs.iter().collect(),
        ExprKind::Inter(a, b)
        | ExprKind::Diff(a, b)
        | ExprKind::Add(a, b)
        | ExprKind::Product(a, b)
        | ExprKind::App(a, b)
        | ExprKind::Try(a, b) => vec![a, b],
        ExprKind::IdOn(a)
        | ExprKind::Complement(a)
        | ExprKind::Plus(a)
        | ExprKind::Star(a)
        | ExprKind::Opt(a)
        | ExprKind::Inverse(a) => vec![a],
        ExprKind::Let { bindings, body, .. } => bindings.iter().map(|b| &*b.value).chain([&**body]).collect(),
        ExprKind::Fun(function) => vec![&function.body],
        ExprKind::If(cond, t, e) => match &**cond {
            Cond::Equal(a, b) | Cond::Subset(a, b) | Cond::In(a, b) => vec![a, b, t, e],
            Cond::Variant(_) => vec![t, e],
        },
        ExprKind::MatchTag { scrutinee, clauses, default } => {
            [&**scrutinee].into_iter().chain(clauses.iter().map(|c| &c.1)).chain(default.as_deref()).collect()
        }
        ExprKind::MatchSet { scrutinee, empty, body, .. } => vec![scrutinee, empty, body],
    }
}

/// Where one of these names stands under `~` or to the right of `\`, if anywhere.
fn under_difference(expr: &Expr, names: &[Sym], inside: bool) -> Option<Span> {
    match &expr.kind {
        ExprKind::Var(name) if inside && names.contains(&name.sym) => Some(name.span),
        ExprKind::Complement(a) => under_difference(a, names, true),
        ExprKind::Diff(a, b) => under_difference(a, names, inside).or_else(|| under_difference(b, names, true)),
        _ => children(expr).into_iter().find_map(|e| under_difference(e, names, inside)),
    }
}

#[cfg(test)]
mod tests {
    use crate::cat::testing::load;

    fn codes(text: &str) -> Vec<&'static str> {
        super::check(&load(text).expect("loads")).iter().map(|d| d.code()).collect()
    }

    #[test]
    fn clean_models_get_no_warning() {
        assert!(codes("let a = po | rf\nacyclic a as x").is_empty());
    }

    #[test]
    fn each_warning() {
        assert_eq!(codes("let r = let rec a = po | (rf \\ a) in a\nacyclic r"), ["C609"]);
        assert_eq!(codes("let a = po\nlet b = rf\nacyclic b"), ["C607"]);
        assert_eq!(codes("let a = po\nacyclic a\nlet a = rf\nacyclic a"), ["C608"]);
        assert_eq!(codes("let rec a = po | (rf \\ a)\nacyclic a"), ["C609"]);
        assert_eq!(codes("acyclic 0 & po"), ["C610"]);
        assert_eq!(codes("empty IW"), ["C611"]);
    }
}
