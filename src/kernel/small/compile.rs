//! From conditions to code for small executions, where they are unions of paths.

use super::code::{AtEnd, CheckCode, Hop, Input, LastCode, MOST_CHECKS, MOST_RELATIONS, MOST_SETS};
use super::code::{PathCode, Rule, SmallCode, StageCode};
use super::path::{Along, Ends, Path, Paths, Step};
use crate::algebra::simplify::Condition;
use crate::algebra::{ExprId, Node, Pool, Predicate, Sort};
use rustc_hash::FxHashMap;

/// Terms that are looked up so often become automata.
const OFTEN: u32 = 32;

/// A condition of a check, with the check's number.
pub(in crate::kernel) type Numbered = (usize, Condition);

/// A check of complete executions: its number, whether it speaks up when its conditions are met, and these.
pub(in crate::kernel) type Last<'a> = (usize, bool, &'a [Condition]);

/// What is compiled.
pub(in crate::kernel) struct Wishes<'a> {
    pub prunes: &'a [Numbered],
    /// Checks of complete executions, then flags; nothing where some have no form here.
    pub at_end: Option<[&'a [Last<'a>]; 2]>,
    /// Whether these must have one: they are asked nearly as often as something is added.
    pub often: bool,
}

/// A condition as a union of paths.
type Union = (Predicate, Vec<Path>);

impl SmallCode {
    /// Code for checks over inputs, if they are unions of paths. Those of complete executions may only look at derived relations that pruning
    /// checks need, which are kept up to date anyway; where they look at others, the code for any execution evaluates them.
    pub(in crate::kernel) fn compile(
        pool: &Pool,
        wishes: &Wishes<'_>,
        numbers: &FxHashMap<ExprId, usize>,
        ends: Ends<'_>,
    ) -> Option<SmallCode> {
        if wishes.prunes.len() > MOST_CHECKS {
            return None;
        }
        let mut finder = Paths::new(pool, numbers.keys().copied(), ends);
        let of = |finder: &mut Paths<'_>, on: &Condition| Some((on.predicate, alternatives(pool, finder, on.expr)?));
        let prunes: Vec<Union> = wishes.prunes.iter().map(|(_, on)| of(&mut finder, on)).collect::<Option<_>>()?;
        finder.enough = true;
        let mut unions = |checks: &[Last<'_>]| -> Option<Vec<Vec<Union>>> {
            checks.iter().map(|(_, _, all)| all.iter().map(|on| of(&mut finder, on)).collect()).collect()
        };
        let found = wishes.at_end.and_then(|[last, flags]| Some([unions(last)?, unions(flags)?]));
        let relations = finder.derived.len();
        let mut compiler = Compiler {
            finder,
            pool,
            numbers,
            sets: FxHashMap::default(),
            rules: Vec::new(),
            count: 1,
            relations,
            inputs: vec![Input::Unused; numbers.len()],
        };
        let (mut paths, stages) = compiler.stages()?;
        let mut checks = Vec::new();
        for (&(index, _), (predicate, union)) in wishes.prunes.iter().zip(prunes) {
            let (predicate, union) = compiler.without_search(predicate, union);
            let of_check = 1 << checks.len();
            let own = stages.last().map_or(0, |stage: &StageCode| stage.paths.end);
            for path in &union {
                let path = compiler.path(path, of_check)?;
                match paths[own..].iter_mut().find(|known| path.is_same(known)) {
                    Some(known) => known.checks |= of_check,
                    None => paths.push(path),
                }
            }
            checks.push(CheckCode { index, predicate, row: 0 });
        }
        if paths.iter().any(|path| path.not.iter().any(|hop| (hop.relation as usize) < stages.len())) {
            return None;
        }
        let at_end = wishes.at_end.zip(found).and_then(|(wishes, [last, flags])| {
            Some(AtEnd { last: compiler.last(wishes[0], &last)?, flags: compiler.last(wishes[1], &flags)? })
        });
        if wishes.often && at_end.is_none() {
            return None;
        }
        compiler.take_all_inputs()?;
        let late = compiler.late();
        let relations = compiler.relations;
        let given = compiler.inputs.iter().fold(0, |given, input| match input {
            Input::Relation(relation) => given | 0b11 << (2 * relation),
            _ => given,
        });
        let input_of = |relation: usize| compiler.inputs.iter().position(|&i| i == Input::Relation(relation as u8));
        let mut code = SmallCode {
            input_of: (0..relations).map(input_of).collect(),
            inputs: compiler.inputs,
            sets_follow: !compiler.rules.iter().any(|(_, rule)| matches!(rule, Rule::Joined { .. })),
            rules: compiler.rules,
            late,
            changing: 0,
            deciding: 0,
            on_paths: 0,
            given,
            forward: vec![None; relations],
            backward: vec![None; relations],
            stride: 0,
            elders: None,
            theirs: Vec::new(),
            columns: Vec::new(),
            entered: 0,
            finishing: 0,
            stages,
            checks,
            paths,
            terms: Vec::new(),
            often: OFTEN,
            at_end,
        };
        code.lay_out();
        Some(code)
    }
}

/// The paths of a relation; a set is that of paths that begin and end in it.
fn alternatives(pool: &Pool, finder: &mut Paths<'_>, expr: ExprId) -> Option<Vec<Path>> {
    match pool.sort(expr) {
        Sort::Set => Some(vec![Path::identity(Some(expr))]),
        Sort::Rel => finder.of(expr),
    }
}

struct Compiler<'a> {
    finder: Paths<'a>,
    pool: &'a Pool,
    numbers: &'a FxHashMap<ExprId, usize>,
    sets: FxHashMap<ExprId, u8>,
    rules: Vec<(u8, Rule)>,
    /// Number of sets; the first is that of all events.
    count: usize,
    /// Number of relations; the first are derived ones.
    relations: usize,
    inputs: Vec<Input>,
}

impl Compiler<'_> {
    /// The paths of the derived relations.
    fn stages(&mut self) -> Option<(Vec<PathCode>, Vec<StageCode>)> {
        let (mut paths, mut stages) = (Vec::new(), Vec::new());
        for derived in self.finder.derived.clone() {
            let start = paths.len();
            for path in &derived.paths {
                paths.push(self.path(path, 0)?);
            }
            let along = paths[start..].iter().fold(0, |all, path| all | path.along);
            stages.push(StageCode { closed: derived.closed, paths: start..paths.len(), along });
        }
        Some((paths, stages))
    }

    /// Where the closure of a union is kept, its cycles are loops of that.
    fn without_search(&self, predicate: Predicate, union: Vec<Path>) -> Union {
        let mut normal = union.clone();
        normal.iter_mut().for_each(|path| path.normalise(self.pool));
        let reversed: Vec<Path> = normal.iter().cloned().map(Path::reversed).collect();
        let known = self.finder.number_of(&normal, true).or_else(|| self.finder.number_of(&reversed, true));
        match (predicate, known) {
            (Predicate::Acyclic, Some(number)) => {
                (Predicate::Irreflexive, vec![Path::single(Along::Derived(number), false)])
            }
            _ => (predicate, union),
        }
    }

    fn last(&mut self, wishes: &[Last<'_>], unions: &[Vec<Union>]) -> Option<Vec<LastCode>> {
        let check = |(&(index, fires_when, _), unions): (&Last<'_>, &Vec<Union>)| {
            let mut tests = Vec::new();
            for (predicate, union) in unions {
                let paths = union.iter().map(|path| self.path(path, 0)).collect::<Option<_>>()?;
                tests.push((*predicate, paths));
            }
            Some(LastCode { index, fires_when, tests })
        };
        wishes.iter().zip(unions).map(check).collect()
    }

    /// Inputs that only the code for any execution needs are sent as well.
    fn take_all_inputs(&mut self) -> Option<()> {
        for (&id, &number) in self.numbers {
            if self.inputs[number] == Input::Unused {
                match self.pool.sort(id) {
                    Sort::Set => self.set(id, 0).map(drop)?,
                    Sort::Rel => self.relation(id).map(drop)?,
                }
            }
        }
        Some(())
    }

    /// See [`SmallCode::late`].
    fn late(&self) -> [u64; 2] {
        let mut late = [0; 2];
        for (_, rule) in &self.rules {
            if let Rule::Joined { word, .. } = rule {
                late[0] |= 1 << (word ^ 1);
                late[1] |= 1 << word;
            }
        }
        late
    }

    fn path(&mut self, path: &Path, checks: u32) -> Option<PathCode> {
        let masks = path.masks.iter().map(|sets| self.all_of(sets)).collect::<Option<_>>()?;
        let (hops, and, not) = (self.hops(&path.steps)?, self.hops(&path.and)?, self.hops(&path.not)?);
        let along = hops.iter().chain(&and).fold(0, |along, hop| along | 1 << hop.relation);
        Some(PathCode { checks, hops, masks, and, not, distinct: path.distinct, same: path.same, along })
    }

    fn hops(&mut self, steps: &[Step]) -> Option<Vec<Hop>> {
        let relation = |along: Along| match along {
            Along::Base(id) => self.relation(id),
            Along::Derived(number) => Some(number as u8),
        };
        let mut relation = relation;
        steps.iter().map(|step| Some(Hop { relation: relation(step.along)?, inverse: step.inverse })).collect()
    }

    fn relation(&mut self, id: ExprId) -> Option<u8> {
        let &input = self.numbers.get(&id)?;
        if let Input::Relation(relation) = self.inputs[input] {
            return Some(relation);
        }
        self.relations += 1;
        let relation = (self.relations <= MOST_RELATIONS).then_some(self.relations as u8 - 1)?;
        self.inputs[input] = Input::Relation(relation);
        Some(relation)
    }

    fn new_set(&mut self) -> Option<u8> {
        self.count += 1;
        (self.count <= MOST_SETS).then_some(self.count as u8 - 1)
    }

    fn set(&mut self, id: ExprId, depth: u8) -> Option<u8> {
        if let Some(&set) = self.sets.get(&id) {
            return Some(set);
        }
        if depth > 40 {
            return None;
        }
        let rule = match self.pool.node(id) {
            Node::Universe => return Some(0),
            Node::Base(_) => {
                let (&input, set) = (self.numbers.get(&id)?, self.new_set()?);
                self.inputs[input] = Input::Set(set);
                self.sets.insert(id, set);
                return Some(set);
            }
            Node::Union(xs) => Rule::Any(self.mask(xs, depth)?),
            Node::Inter(xs) => Rule::All(self.mask(xs, depth)?),
            Node::Diff(a, b) => Rule::Minus(self.set(*a, depth + 1)?, self.set(*b, depth + 1)?),
            Node::Empty(_) => Rule::Any(0),
            Node::Domain(of) => self.joined(*of, true)?,
            Node::Range(of) => self.joined(*of, false)?,
            _ => return None,
        };
        let set = self.derived(rule)?;
        self.sets.insert(id, set);
        Some(set)
    }

    /// The sources or the targets of a relation that is a union of single steps.
    fn joined(&mut self, of: ExprId, sources: bool) -> Option<Rule> {
        let mut any = 0;
        for path in self.finder.of(of)? {
            let [Step { along: Along::Base(_), .. }] = path.steps[..] else { return None };
            let path = self.path(&path, 0)?;
            let [hop] = path.hops[..] else { return None };
            let (of, word, with) = match sources {
                true => (path.masks[0], hop.leaving() as u8, path.masks[1]),
                false => (path.masks[1], hop.entering() as u8, path.masks[0]),
            };
            if path.is_filtered() {
                return None;
            }
            any |= 1 << self.derived(Rule::Joined { of, word, with })?;
        }
        Some(Rule::Any(any))
    }

    fn derived(&mut self, rule: Rule) -> Option<u8> {
        if let Some((set, _)) = self.rules.iter().find(|(_, known)| *known == rule) {
            return Some(*set);
        }
        let set = self.new_set()?;
        self.rules.push((set, rule));
        Some(set)
    }

    fn mask(&mut self, sets: &[ExprId], depth: u8) -> Option<u64> {
        sets.iter().try_fold(0, |mask, &set| Some(mask | 1 << self.set(set, depth + 1)?))
    }

    /// The intersection of some sets.
    fn all_of(&mut self, sets: &[ExprId]) -> Option<u8> {
        match *sets {
            [] => Some(0),
            [set] => self.set(set, 0),
            _ => {
                let mask = self.mask(sets, 0)?;
                if mask.is_power_of_two() { Some(mask.trailing_zeros() as u8) } else { self.derived(Rule::All(mask)) }
            }
        }
    }
}
