//! `hmc model info`: what a model includes and defines, what it needs from executions, and how its checks are judged.

use crate::algebra::{ExprId, Node, Pool, Predicate, Role, Sort, places};
use crate::cat::Loaded;
use std::collections::BTreeSet;
use std::fmt::Write;

/// How a check is judged, from the analysis of the compiled model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// In a word or two: "monotone", "final only", …
    pub kind: String,
    /// Why.
    pub reason: String,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckInfo {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// `acyclic`, `flag ~empty`, …
    pub form: String,
    /// File and line.
    pub place: String,
    /// Whether it could not be staged.
    pub dynamic: bool,
}

/// What there is to know about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The title.
    pub title: String,
    /// The architecture that the title claims.
    pub arch: Option<String>,
    /// The dialect.
    pub dialect: &'static str,
    /// The files, root first.
    pub files: Vec<String>,
    /// Base relations that the checks need.
    pub relations: Vec<String>,
    /// Base sets that the checks need.
    pub sets: Vec<String>,
    /// Definitions: name and whether it is a set or a relation.
    pub definitions: Vec<(String, Sort)>,
    /// The checks in order; the index is that in `Model::checks`.
    pub checks: Vec<CheckInfo>,
    /// Names of shown relations.
    pub shows: Vec<String>,
    /// Nodes and recursive groups that the checks need.
    pub size: (usize, usize),
    /// Whether the checks say what parts of accesses mean, where accesses of different sizes meet.
    pub names_parts: bool,
    /// Of the compiled plan, when there is one: instructions, slots for sets, slots for relations.
    pub plan: Option<(usize, usize, usize)>,
    /// What stayed dynamic: place and reason.
    pub dynamic: Vec<(String, String)>,
    /// Annotations that the bell file declares.
    pub annotations: Vec<String>,
}

/// Collects what there is to know.
pub fn info(loaded: &Loaded) -> Info {
    let model = &loaded.model;
    let (nodes, fixes) = needed(loaded);
    let base = |sort: Sort| {
        let names = nodes.iter().filter_map(|e| match model.pool.node(*e) {
            Node::Base(b) if model.pool.bases()[b.index()].sort == sort => {
                Some(model.pool.bases()[b.index()].name.clone())
            }
            _ => None,
        });
        names.collect::<BTreeSet<String>>().into_iter().collect::<Vec<String>>()
    };
    let checks = model.checks.iter().map(|check| {
        let predicate = match check.predicate {
            Predicate::Acyclic => "acyclic",
            Predicate::Irreflexive => "irreflexive",
            Predicate::Empty => "empty",
        };
        let test = format!("{}{predicate}", if check.negated { "~" } else { "" });
        let form = match check.role {
            Role::Require => test,
            Role::Flag => format!("flag {test}"),
            Role::Undefined => format!("undefined_unless {test}"),
            Role::Assert => format!("assert {test}"),
            Role::When => "recursion with `when`".to_owned(),
            Role::Settle => "recursion that may not settle".to_owned(),
        };
        let span = crate::cat::source::Span::new(check.place.0, check.place.1.start, check.place.1.end);
        CheckInfo {
            name: check.name.clone(),
            form,
            place: place(loaded, span),
            dynamic: loaded.dynamic_checks.contains(&(check.place.0, check.place.1.start)),
        }
    });
    Info {
        title: model.title.clone(),
        arch: model.arch.clone(),
        dialect: loaded.dialect.name(),
        files: loaded.sources.files().iter().map(|f| f.name.to_string()).collect(),
        relations: base(Sort::Rel),
        sets: base(Sort::Set),
        definitions: model.definitions.iter().map(|(n, e)| (n.clone(), model.pool.sort(*e))).collect(),
        checks: checks.collect(),
        shows: model.shows.iter().map(|(n, _)| n.clone()).collect(),
        size: (nodes.len(), fixes),
        names_parts: places::names_parts(model),
        plan: None,
        dynamic: loaded
            .dynamic_reasons
            .iter()
            .map(|d| {
                let reason = d.labels().first().map_or_else(String::new, |l| l.text.clone());
                (d.span().map_or_else(String::new, |s| place(loaded, s)), reason)
            })
            .collect(),
        annotations: loaded.bell.iter().flat_map(|b| b.annotations()).map(str::to_owned).collect(),
    }
}

fn place(loaded: &Loaded, span: crate::cat::source::Span) -> String {
    format!("{}:{}", loaded.sources.file(span.file).name, loaded.sources.line_column(span).0)
}

/// The nodes that the checks need, and the number of recursive groups among them.
fn needed(loaded: &Loaded) -> (BTreeSet<ExprId>, usize) {
    let pool = &loaded.model.pool;
    let mut seen = BTreeSet::new();
    let mut fixes = BTreeSet::new();
    let mut open: Vec<ExprId> = loaded.model.checks.iter().map(|c| c.expr).collect();
    while let Some(e) = open.pop() {
        if !seen.insert(e) {
            continue;
        }
        match pool.node(e) {
            Node::Diff(co, _) if cuts_locks(pool, e) => open.push(*co),
            _ => open.extend(pool.operands(e)),
        }
        if let Node::Fix(group, _) = pool.node(e)
            && fixes.insert(*group)
        {
            let fix = pool.fix(*group);
            open.extend(fix.bodies.iter().copied().chain(fix.when.iter().map(|w| w.2)));
        }
    }
    (seen, fixes.len())
}

/// Whether this is coherence without the events of locks: staging writes that wherever a model that does not know locks chooses a
/// coherence order, so the sets of lock events are nothing that the model asks for.
fn cuts_locks(pool: &Pool, e: ExprId) -> bool {
    let name = |e: ExprId| match pool.node(e) {
        Node::Base(base) => Some(&*pool.bases()[base.index()].name),
        _ => None,
    };
    let Node::Diff(co, cut) = pool.node(e) else { return false };
    let mut open = vec![*cut];
    while let Some(e) = open.pop() {
        if name(e).is_some_and(|name| !["LKW", "UL", "W"].contains(&name)) {
            return false;
        }
        open.extend(pool.operands(e));
    }
    name(*co) == Some("co")
}

/// The same as text. `judged` has one entry a check, or none at all.
pub fn text(info: &Info, judged: &[Judged]) -> String {
    let mut out = String::new();
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(" ") };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", info.title);
    let _ = writeln!(out, "  architecture  {}", info.arch.as_deref().unwrap_or("any"));
    let _ = writeln!(out, "  dialect       {}", info.dialect);
    let _ = writeln!(out, "  files         {}", list(&info.files));
    if !info.annotations.is_empty() {
        let _ = writeln!(out, "  annotations   {}", list(&info.annotations));
    }
    let _ = writeln!(out, "  needs         relations {}", list(&info.relations));
    let _ = writeln!(out, "                sets {}", list(&info.sets));
    let _ = writeln!(out, "  size          {} expressions, {} recursive groups", info.size.0, info.size.1);
    let parts = match info.names_parts {
        true => "`si` relates the parts of an access where sizes differ",
        false => {
            "where sizes differ, what is about one location is read for each part of an access, all else for accesses"
        }
    };
    let _ = writeln!(out, "  parts         {parts}");
    if let Some((instructions, sets, relations)) = info.plan {
        let slots = format!("slots for {sets} sets and {relations} relations");
        let _ = writeln!(out, "  plan          {instructions} instructions, {slots}");
    }
    let _ = writeln!(out, "checks");
    for (index, check) in info.checks.iter().enumerate() {
        let name = check.name.as_deref().unwrap_or("(no name)");
        let _ = writeln!(out, "  {name:<28} {:<26} {}", check.form, check.place);
        if check.dynamic {
            let _ = writeln!(out, "    dynamic: evaluated on each complete execution, see below");
        } else if let Some(judged) = judged.get(index) {
            let _ = writeln!(out, "    {}: {}", judged.kind, judged.reason);
        }
    }
    let names =
        |sort: Sort| -> Vec<String> { info.definitions.iter().filter(|d| d.1 == sort).map(|d| d.0.clone()).collect() };
    let _ = writeln!(out, "defines\n  relations     {}", list(&names(Sort::Rel)));
    let _ = writeln!(out, "  sets          {}", list(&names(Sort::Set)));
    if !info.dynamic.is_empty() {
        let _ = writeln!(out, "evaluated on each execution");
        for (place, reason) in &info.dynamic {
            let _ = writeln!(out, "  {place}: {reason}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cat::testing::load;

    #[test]
    fn names_needs_and_checks() {
        let loaded = load("\"Mine\"\nlet a = po | rf\nlet s = W\nacyclic a as x\nflag ~empty [A] as y").expect("loads");
        let info = info(&loaded);
        assert_eq!((info.relations, info.sets), (vec!["po".to_owned(), "rf".into()], vec!["A".to_owned()]));
        assert_eq!(info.checks[1].form, "flag ~empty");
        assert_eq!(info.checks[0].place, "test.cat:4");
        assert_eq!(info.definitions, vec![("a".to_owned(), Sort::Rel), ("s".into(), Sort::Set)]);
        let judged = Judged { kind: "monotone".into(), reason: "because".into() };
        let text = text(&super::info(&loaded), &[judged.clone(), judged]);
        assert!(text.starts_with("Mine\n") && text.contains("monotone: because"), "{text}");
    }
}
