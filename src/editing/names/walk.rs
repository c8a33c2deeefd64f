//! The walk over the files of a model, with what is bound at each place.

use super::{Definition, Names, What};
use crate::cat::Program;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{
    Binding, Cond, Expr, ExprKind, File, Function, Ident, Instr, InstrKind, Pat, PatAtom, Sym, Test,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

type Meant = BTreeSet<usize>;

pub(super) fn walk(program: &Program) -> Names {
    let mut walk =
        Walk { program, names: Names::default(), bound: FxHashMap::default(), trail: Vec::new(), open: Vec::new() };
    let first = [program.library, program.bell].into_iter().flatten();
    for file in first.chain([program.root]) {
        walk.file(file);
    }
    walk.names
}

struct Walk<'a> {
    program: &'a Program,
    names: Names,
    /// What each name means here; tags are names that begin with a quote.
    bound: FxHashMap<(Sym, bool), Meant>,
    /// What was bound, and what it hides.
    trail: Vec<((Sym, bool), Option<Meant>)>,
    /// The files that include each other.
    open: Vec<u32>,
}

impl Walk<'_> {
    fn file(&mut self, file: u32) {
        let tree: Option<Arc<File>> = self.program.trees.get(file as usize).cloned().flatten();
        if let Some(tree) = tree.filter(|_| !self.open.contains(&file)) {
            self.open.push(file);
            self.block(&tree.body);
            self.open.pop();
        }
    }

    /// Notes a definition. A file that is walked again defines what it did.
    fn define(&mut self, name: &Ident, what: What, span: Span) -> usize {
        let names = &mut self.names;
        *names.by_place.entry(name.span).or_insert_with(|| {
            let text = name.text.trim_start_matches('\'').to_owned();
            names.definitions.push(Definition { name: text, what, span, place: name.span });
            names.definitions.len() - 1
        })
    }

    fn bind(&mut self, name: &Ident, is_tag: bool, meant: Meant) {
        let key = (name.sym, is_tag);
        let hidden = self.bound.insert(key, meant);
        self.trail.push((key, hidden));
    }

    fn defined(&mut self, name: &Ident, what: What, span: Span) {
        let index = self.define(name, what, span);
        self.bind(name, what == What::Tag, Meant::from([index]));
    }

    fn used(&mut self, name: &Ident, is_tag: bool) {
        let meant = self.bound.get(&(name.sym, is_tag)).cloned().unwrap_or_default();
        self.names.uses.entry(name.span).or_default().extend(meant);
    }

    /// Takes back what was bound since the trail had this length.
    fn back_to(&mut self, length: usize) {
        while self.trail.len() > length {
            let Some((key, hidden)) = self.trail.pop() else { return };
            match hidden {
                Some(meant) => self.bound.insert(key, meant),
                None => self.bound.remove(&key),
            };
        }
    }

    fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        let length = self.trail.len();
        walk(self);
        self.back_to(length);
    }

    fn block(&mut self, body: &[Instr]) {
        // Trees are shallow by construction.
        body.iter().for_each(|instr| self.instr(instr));
    }

    /// Of several blocks one is run; what each binds may be meant afterwards.
    fn one_of(&mut self, blocks: &[&[Instr]]) {
        let length = self.trail.len();
        let mut ends: Vec<FxHashMap<(Sym, bool), Meant>> = Vec::new();
        for block in blocks {
            self.block(block);
            let bound =
                self.trail[length..].iter().map(|(key, _)| (*key, self.bound.get(key).cloned().unwrap_or_default()));
            ends.push(bound.collect());
            self.back_to(length);
        }
        let keys: BTreeSet<(Sym, bool)> = ends.iter().flat_map(|end| end.keys().copied()).collect();
        for key in keys {
            let before = self.bound.get(&key).cloned().unwrap_or_default();
            let meant = ends.iter().flat_map(|end| end.get(&key).unwrap_or(&before)).copied().collect();
            let hidden = self.bound.insert(key, meant);
            self.trail.push((key, hidden));
        }
    }

    fn instr(&mut self, instr: &Instr) {
        match &instr.kind {
            InstrKind::Let { recursive, bindings, when } => {
                self.bindings(*recursive, bindings);
                when.iter().for_each(|test| self.test(test));
            }
            InstrKind::Test(_, test) => self.test(test),
            InstrKind::Show(items) => items.iter().for_each(|(expr, _)| self.expr(expr)),
            InstrKind::Include(name, at) => {
                if let Some(&file) = self.program.includes.get(&(at.file, name.to_string())) {
                    self.names.includes.push((*at, file));
                    self.file(file);
                }
            }
            InstrKind::Procedure { recursive, name, param, body } => {
                if *recursive {
                    self.defined(name, What::Procedure, instr.span);
                }
                self.scoped(|walk| {
                    walk.pattern(param, What::Variable, instr.span);
                    walk.block(body);
                });
                if !*recursive {
                    self.defined(name, What::Procedure, instr.span);
                }
            }
            InstrKind::Call { name, arg, .. } => {
                self.used(name, false);
                self.expr(arg);
            }
            InstrKind::Forall { var, set, body } => {
                self.expr(set);
                self.scoped(|walk| {
                    walk.defined(var, What::Variable, instr.span);
                    walk.block(body);
                });
            }
            InstrKind::With { var, set } => {
                self.expr(set);
                self.defined(var, What::Variable, instr.span);
            }
            InstrKind::Match { scrutinee, clauses, default } => {
                self.expr(scrutinee);
                clauses.iter().for_each(|(tag, _)| self.used(tag, true));
                let blocks: Vec<&[Instr]> = clauses.iter().map(|(_, body)| &**body).chain(default.as_deref()).collect();
                self.one_of(&blocks);
            }
            InstrKind::If { then, otherwise, .. } => self.one_of(&[then, otherwise]),
            InstrKind::Debug(expr) => self.expr(expr),
            InstrKind::Enum { name, tags } => {
                self.defined(name, What::Enumeration, instr.span);
                tags.iter().for_each(|tag| self.defined(tag, What::Tag, instr.span));
            }
            InstrKind::Instructions { shape, .. } => shape.iter().for_each(|expr| self.expr(expr)),
            InstrKind::Unshow(_) | InstrKind::Error => {}
        }
    }

    fn test(&mut self, test: &Test) {
        self.expr(&test.operand);
    }

    fn pattern(&mut self, pattern: &Pat, what: What, span: Span) {
        match pattern {
            Pat::One(atom) => self.atom(atom, what, span),
            Pat::Tuple(atoms, _) => atoms.iter().for_each(|atom| self.atom(atom, what, span)),
        }
    }

    fn atom(&mut self, atom: &PatAtom, what: What, span: Span) {
        if let PatAtom::Name(name) = atom {
            self.defined(name, what, span);
        }
    }

    fn bindings(&mut self, recursive: bool, bindings: &[Binding]) {
        let bind = |walk: &mut Self| {
            // Of equal names the first one counts.
            for binding in bindings.iter().rev() {
                let what = if binding.is_function() { What::Function } else { What::Value };
                walk.pattern(&binding.pat, what, binding.span);
            }
        };
        if recursive {
            bind(self);
        }
        bindings.iter().for_each(|binding| self.expr(&binding.value));
        if !recursive {
            bind(self);
        }
    }

    fn function(&mut self, function: &Function, span: Span) {
        self.scoped(|walk| {
            walk.pattern(&function.param, What::Variable, span);
            walk.expr(&function.body);
        });
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Zero | ExprKind::Universe | ExprKind::Error => {}
            ExprKind::Tag(name) => self.used(name, true),
            ExprKind::Var(name) => self.used(name, false),
            ExprKind::Set(all) | ExprKind::Tuple(all) | ExprKind::Union(all) | ExprKind::Seq(all) => {
                all.iter().for_each(|expr| self.expr(expr));
            }
            ExprKind::Inter(a, b)
            | ExprKind::Diff(a, b)
            | ExprKind::Add(a, b)
            | ExprKind::Product(a, b)
            | ExprKind::App(a, b)
            | ExprKind::Try(a, b) => [a, b].into_iter().for_each(|expr| self.expr(expr)),
            ExprKind::IdOn(a)
            | ExprKind::Complement(a)
            | ExprKind::Plus(a)
            | ExprKind::Star(a)
            | ExprKind::Opt(a)
            | ExprKind::Inverse(a) => self.expr(a),
            ExprKind::Let { recursive, bindings, body } => self.scoped(|walk| {
                walk.bindings(*recursive, bindings);
                walk.expr(body);
            }),
            ExprKind::Fun(function) => self.function(function, expr.span),
            ExprKind::If(condition, then, otherwise) => {
                match &**condition {
                    Cond::Equal(a, b) | Cond::Subset(a, b) | Cond::In(a, b) => {
                        [a, b].into_iter().for_each(|expr| self.expr(expr));
                    }
                    Cond::Variant(_) => {}
                }
                [then, otherwise].into_iter().for_each(|expr| self.expr(expr));
            }
            ExprKind::MatchTag { scrutinee, clauses, default } => {
                self.expr(scrutinee);
                for (tag, body) in clauses {
                    self.used(tag, true);
                    self.expr(body);
                }
                default.iter().for_each(|expr| self.expr(expr));
            }
            ExprKind::MatchSet { scrutinee, empty, left, element, rest, body } => {
                self.expr(scrutinee);
                self.expr(empty);
                self.scoped(|walk| {
                    left.iter().chain([element, rest]).for_each(|atom| walk.atom(atom, What::Variable, expr.span));
                    walk.expr(body);
                });
            }
        }
    }
}
