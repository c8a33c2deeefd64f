//! Recursive groups that are regular.
//!
//! - Every equation is a union of paths with at most one variable each, always the last (or always the first): an automaton with a state for each
//!   variable.
//! - Every variable is a kind of path between two sorts of ends, and the equations say no more than that such paths compose: preserved program
//!   order of Power and Armv7, and the transitive closure. An automaton with a state for each sort of end.

use super::cube::Formula;
use super::nfa::{Label, Nfa};
use crate::algebra::{ExprId, FixId, Node, Pool, Sort, VarId};

/// One alternative of an equation.
enum Part {
    /// Without a variable.
    Closed(ExprId),
    /// Paths and variables, in order.
    Path(Vec<Factor>),
}

enum Factor {
    Closed(ExprId),
    Var(usize),
}

/// The automaton of a component of a group, where the group is regular. `of`: that of an expression without variables.
pub fn regular(pool: &Pool, group: FixId, component: usize, of: &mut dyn FnMut(ExprId) -> Nfa) -> Option<Nfa> {
    let fix = pool.fix(group);
    if fix.when.is_some() || fix.vars.iter().any(|v| pool.var_sort(*v) == Sort::Set) {
        return None;
    }
    let equations: Option<Vec<Vec<Part>>> = fix.bodies.iter().map(|&body| parts(pool, &fix.vars, body)).collect();
    let equations = equations?;
    if let Some(nfa) = linear(&equations, component, false, of) {
        return Some(nfa);
    }
    if let Some(nfa) = linear(&equations, component, true, of) {
        return Some(nfa);
    }
    composed(&equations, component, of)
}

fn parts(pool: &Pool, vars: &[VarId], body: ExprId) -> Option<Vec<Part>> {
    let alternatives: Vec<ExprId> = match pool.node(body) {
        Node::Union(parts) => parts.to_vec(),
        _ => vec![body],
    };
    let var = |id: ExprId| match pool.node(id) {
        Node::Var(var) => vars.iter().position(|own| own == var),
        _ => None,
    };
    let factor = |id: ExprId| match var(id) {
        Some(at) => Some(Factor::Var(at)),
        None => pool.is_closed(id).then_some(Factor::Closed(id)),
    };
    let one = |id: ExprId| {
        if pool.is_closed(id) {
            return Some(Part::Closed(id));
        }
        let factors: Vec<ExprId> = match pool.node(id) {
            Node::Seq(factors) => factors.to_vec(),
            _ => vec![id],
        };
        factors.into_iter().map(factor).collect::<Option<Vec<Factor>>>().map(Part::Path)
    };
    alternatives.into_iter().map(one).collect()
}

/// A group in which a variable only stands last (or, `first`, only first).
fn linear(equations: &[Vec<Part>], component: usize, first: bool, of: &mut dyn FnMut(ExprId) -> Nfa) -> Option<Nfa> {
    let n = equations.len();
    // From the state of a variable, its paths lead to the end (state n); with `first`, from the beginning (state n) to it.
    let mut nfa = Nfa { edges: vec![Vec::new(); n + 1], start: Vec::new(), accept: vec![false; n + 1] };
    for (var, alternatives) in equations.iter().enumerate() {
        for part in alternatives {
            let (path, other) = match part {
                Part::Closed(id) => (of(*id), n),
                Part::Path(factors) => {
                    let (edge, rest) = if first { factors.split_first()? } else { factors.split_last()? };
                    let Factor::Var(other) = edge else { return None };
                    let mut path = Nfa::epsilon();
                    for factor in rest {
                        let Factor::Closed(id) = factor else { return None };
                        path = path.then(&of(*id));
                    }
                    (path, *other)
                }
            };
            let (from, to) = if first { (other, var) } else { (var, other) };
            splice(&mut nfa, from, to, &path);
        }
    }
    let (start, end) = if first { (n, component) } else { (component, n) };
    nfa.start = vec![start as u32];
    nfa.accept[end] = true;
    Some(nfa.tidy())
}

/// Adds the words of a path between two states.
pub fn splice(nfa: &mut Nfa, from: usize, to: usize, path: &Nfa) {
    let offset = nfa.len() as u32;
    let free = || Label::Test(Formula::yes());
    for own in &path.edges {
        nfa.edges.push(own.iter().map(|(label, to)| (label.clone(), to + offset)).collect());
        nfa.accept.push(false);
    }
    for s in &path.start {
        nfa.edges[from].push((free(), s + offset));
    }
    for s in (0..path.len()).filter(|&s| path.accept[s]) {
        nfa.edges[s + offset as usize].push((free(), to as u32));
    }
}

/// A group whose variables are the paths between two sorts of ends.
fn composed(equations: &[Vec<Part>], component: usize, of: &mut dyn FnMut(ExprId) -> Nfa) -> Option<Nfa> {
    let n = equations.len();
    let sorts = (1..=2).find(|k| k * k == n)?;
    let mut order: Vec<usize> = (0..n).collect();
    let mut found = None;
    permute(&mut order, 0, &mut |order| {
        if found.is_none() && is_composed(equations, order, sorts) {
            found = Some(order.to_vec());
        }
    });
    let ends: Vec<(usize, usize)> = found?.into_iter().map(|place| (place / sorts, place % sorts)).collect();
    let mut nfa = Nfa { edges: vec![Vec::new(); 2 * sorts], start: Vec::new(), accept: vec![false; 2 * sorts] };
    let nothing = vec![vec![false; n]; n];
    let weaker = weakened(equations, nothing);
    // The first copy of the states has walked nothing yet; no path is empty.
    for (var, alternatives) in equations.iter().enumerate() {
        for part in alternatives {
            if let Part::Closed(id) = part {
                let path = of(*id);
                for (wide, own) in weaker.iter().enumerate() {
                    // What lies within another kind of path counts as such.
                    if own[var] {
                        let (from, to) = ends[wide];
                        splice(&mut nfa, from, sorts + to, &path);
                        splice(&mut nfa, sorts + from, sorts + to, &path);
                    }
                }
            }
        }
    }
    let (from, to) = ends[component];
    nfa.start = vec![from as u32];
    nfa.accept[sorts + to] = true;
    Some(nfa.tidy())
}

/// By variable, the variables that certainly lie within it, itself among them.
fn weakened(equations: &[Vec<Part>], mut known: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let n = equations.len();
    for (var, alternatives) in equations.iter().enumerate() {
        known[var][var] = true;
        for part in alternatives {
            if let Part::Path(factors) = part
                && let [Factor::Var(other)] = factors[..]
            {
                known[var][other] = true;
            }
        }
    }
    for middle in 0..n {
        for a in 0..n {
            for b in 0..n {
                known[a][b] |= known[a][middle] && known[middle][b];
            }
        }
    }
    known
}

/// Whether, with each variable between two sorts (its place is `first * sorts + second`), the equations say that all such paths compose, and that
/// paths of some sorts count as paths of others by their ends.
fn is_composed(equations: &[Vec<Part>], place: &[usize], sorts: usize) -> bool {
    let n = equations.len();
    let ends = |var: usize| (place[var] / sorts, place[var] % sorts);
    let at = |from: usize, to: usize| (0..n).find(|&var| ends(var) == (from, to)).unwrap_or(n);
    let weaker = weakened(equations, vec![vec![false; n]; n]);
    let mut products = Vec::new();
    for (var, alternatives) in equations.iter().enumerate() {
        for part in alternatives {
            let Part::Path(factors) = part else { continue };
            match factors[..] {
                [Factor::Var(_)] => {}
                [Factor::Var(a), Factor::Var(b)] => {
                    // Sorts have to fit.
                    let (first, second, whole) = (ends(a), ends(b), ends(var));
                    if first.1 != second.0 || (first.0, second.1) != whole {
                        return false;
                    }
                    products.push((a, b));
                }
                _ => return false,
            }
        }
    }
    let all = (0..n).all(|a| (0..n).all(|b| ends(a).1 != ends(b).0 || products.contains(&(a, b))));
    // A sort of end counts as another one: in every variable or in none, so that it is a step without a letter.
    let counts = |first: bool, x: usize, y: usize| {
        let holds: Vec<bool> =
            (0..sorts).map(|z| if first { weaker[at(x, z)][at(y, z)] } else { weaker[at(z, y)][at(z, x)] }).collect();
        (holds.iter().all(|h| *h), holds.iter().any(|h| *h))
    };
    let uniform = (0..sorts).all(|x| {
        (0..sorts).all(|y| {
            let (starts, some_start) = counts(true, x, y);
            let (stops, some_stop) = counts(false, x, y);
            starts == some_start && stops == some_stop && starts == stops
        })
    });
    let only_by_ends = (0..n).all(|wide| {
        (0..n).all(|narrow| {
            let ((a, b), (c, d)) = (ends(wide), ends(narrow));
            !weaker[wide][narrow] || counts(true, a, c).0 && counts(false, d, b).0
        })
    });
    all && uniform && only_by_ends
}

fn permute(order: &mut [usize], first: usize, see: &mut dyn FnMut(&[usize])) {
    if first + 1 >= order.len() {
        return see(order);
    }
    for i in first..order.len() {
        order.swap(first, i);
        permute(order, first + 1, see);
        order.swap(first, i);
    }
}
