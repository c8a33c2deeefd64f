//! Expressions as text of the cat language, so that an evaluator that reads models can be asked about a part of one.
//!
//! Every closed expression gets a definition of its own, in the order in which they are needed; the bodies of recursive groups are written
//! out. Limits: a recursive group that mentions a variable of another one is not written (its
//! text mentions what nobody defines), nor what would be longer than [`LONGEST`].

use super::expr::{BaseId, ExprId, FixId, Node, Pool, Sort};
use super::model::Predicate;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer texts are not made: the bodies of recursive groups are written without sharing.
const LONGEST: usize = 1 << 18;

/// Definitions of expressions: `let NAME = …`, with the names that `name` gives the base names. `NAME` is `e` and the number of
/// the expression.
pub fn definitions(pool: &Pool, roots: &[ExprId], base: &dyn Fn(BaseId) -> String) -> Option<String> {
    let mut writer = Writer { pool, base, text: String::new(), done: FxHashSet::default(), vars: FxHashMap::default() };
    roots.iter().try_for_each(|&root| writer.define(root))?;
    Some(writer.text)
}

/// The name of the definition of an expression.
pub fn name(expr: ExprId) -> String {
    format!("e{}", expr.index())
}

struct Writer<'a> {
    pool: &'a Pool,
    base: &'a dyn Fn(BaseId) -> String,
    text: String,
    done: FxHashSet<ExprId>,
    /// For each group that was written, the names of its components.
    vars: FxHashMap<FixId, Vec<String>>,
}

impl Writer<'_> {
    /// Defines an expression, after everything that it mentions.
    fn define(&mut self, root: ExprId) -> Option<()> {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.done.contains(&id) {
                continue;
            }
            if !ready {
                stack.push((id, true));
                stack.extend(self.pool.operands(id).into_iter().map(|x| (x, false)));
                continue;
            }
            if let Node::Fix(fix, _) = self.pool.node(id) {
                self.group(*fix)?;
            }
            let body = self.operator(id, &mut |_, operand| Some(name(operand)))?;
            self.text += &format!("let {} = {body}\n", name(id));
            self.done.insert(id);
            (self.text.len() < LONGEST).then_some(())?;
        }
        Some(())
    }

    fn group(&mut self, id: FixId) -> Option<()> {
        if self.vars.contains_key(&id) {
            return Some(());
        }
        let fix = self.pool.fix(id).clone();
        for inner in self.groups_in(&fix.bodies) {
            self.group(inner)?;
        }
        let names: Vec<String> = fix.vars.iter().map(|v| format!("v{}", v.index())).collect();
        let mut bodies = Vec::new();
        for &body in &fix.bodies {
            bodies.push(self.in_full(body, 0)?);
        }
        let equations: Vec<String> = names.iter().zip(&bodies).map(|(name, body)| format!("{name} = {body}")).collect();
        self.text += &format!("let rec {}", equations.join(" and "));
        if let Some((predicate, negated, expr)) = fix.when {
            let word = match predicate {
                Predicate::Acyclic => "acyclic",
                Predicate::Irreflexive => "irreflexive",
                Predicate::Empty => "empty",
            };
            let not = if negated { "~" } else { "" };
            let operand = self.in_full(expr, 0)?;
            self.text += &format!(" when {not}{word} {operand}");
        }
        self.text.push('\n');
        self.vars.insert(id, names);
        Some(())
    }

    /// The recursive groups that expressions mention.
    fn groups_in(&self, roots: &[ExprId]) -> Vec<FixId> {
        let (mut open, mut seen, mut found) = (roots.to_vec(), FxHashSet::default(), Vec::new());
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.pool.operands(id));
                found.extend(if let Node::Fix(fix, _) = self.pool.node(id) { Some(*fix) } else { None });
            }
        }
        found
    }

    /// An expression with everything in it written out.
    fn in_full(&mut self, id: ExprId, depth: usize) -> Option<String> {
        let text = match self.pool.node(id) {
            Node::Fix(fix, n) => self.vars.get(fix).and_then(|names| names.get(*n as usize).cloned()),
            Node::Var(var) => Some(format!("v{}", var.index())),
            _ if depth > 64 => None,
            _ => self.operator(id, &mut |writer, operand| writer.in_full(operand, depth + 1)),
        }?;
        (text.len() < LONGEST).then_some(text)
    }

    fn operator(&mut self, id: ExprId, operand: &mut dyn FnMut(&mut Self, ExprId) -> Option<String>) -> Option<String> {
        let pool = self.pool;
        let mut parts = Vec::new();
        for x in pool.operands(id) {
            parts.push(operand(self, x)?);
        }
        let joined = |by: &str| Some(format!("({})", parts.join(by)));
        match pool.node(id) {
            Node::Empty(Sort::Set) => Some(r"(_ \ _)".to_owned()),
            Node::Empty(Sort::Rel) => Some(r"(id \ id)".to_owned()),
            Node::Universe => Some("_".to_owned()),
            Node::Full => Some("(_ * _)".to_owned()),
            Node::Id => Some("id".to_owned()),
            Node::Base(base) => Some((self.base)(*base)),
            Node::Var(_) => None,
            Node::Fix(fix, n) => self.vars.get(fix)?.get(*n as usize).cloned(),
            Node::Union(_) => joined(" | "),
            Node::Inter(_) => joined(" & "),
            Node::Diff(..) => joined(r" \ "),
            Node::Seq(_) => joined(" ; "),
            Node::Product(..) => joined(" * "),
            Node::IdOn(_) => parts.first().map(|s| format!("[{s}]")),
            Node::Inverse(_) => parts.first().map(|r| format!("({r}^-1)")),
            Node::Plus(_) => parts.first().map(|r| format!("({r}+)")),
            Node::Star(_) => parts.first().map(|r| format!("({r}*)")),
            Node::Opt(_) => parts.first().map(|r| format!("({r}?)")),
            Node::Domain(_) => parts.first().map(|r| format!("domain({r})")),
            Node::Range(_) => parts.first().map(|r| format!("range({r})")),
            Node::DifferentValues(_) => parts.first().map(|r| format!("different-values({r})")),
        }
    }
}
