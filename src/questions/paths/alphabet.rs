//! The letters of paths: which names events and pairs of events may have, and what is true of them in every execution.
//!
//! The facts are those of hmc's executions (`docs/models.md` has the meaning of each name), of programs without locks and flushes that create
//! no threads while they run: `thread-sync` and the events of locks are empty. Each access is of one location and one size: `si` and `sm` are the identity.

use super::cube::{ATOMS, Atom, Clauses, Cube, Formula};
use super::nfa::Nfa;
use std::collections::BTreeMap;

/// What is known of the ends of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Where the pair is like this,
    pub given: Cube,
    /// the first event is like this,
    pub source: Cube,
    /// and the second like this.
    pub target: Cube,
}

/// A rule: wherever the first is, the second is, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The first event of the pair.
    pub source: Formula,
    /// The pair.
    pub pair: Cube,
    /// The second event.
    pub target: Formula,
    /// What relates them, too.
    pub becomes: Nfa,
    /// As it was written.
    pub text: String,
}

/// Something that no execution has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// Where that is known from.
    pub name: String,
    /// The path.
    pub path: Nfa,
    /// Whether only a path from an event to itself is impossible.
    pub closed: bool,
}

/// Names, and what is true of them.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// Facts about events.
    pub events: Clauses,
    /// Facts about pairs.
    pub pairs: Clauses,
    /// Facts about the ends of pairs.
    pub ends: Vec<Ends>,
    /// By literal of pairs: the paths that certainly lie within it.
    pub within: BTreeMap<(Atom, bool), Nfa>,
    /// Paths that lie within the identity.
    pub loops: Vec<Nfa>,
    /// What no execution has.
    pub impossible: Vec<Impossible>,
    /// What pairs lie within besides.
    pub rewrites: Vec<Rewrite>,
    /// The architecture whose executions count.
    pub arch: Option<String>,
    event_names: Vec<String>,
    pair_names: Vec<String>,
    inverses: Vec<Atom>,
}

/// The relations that every alphabet has.
pub const CORE: [&str; 8] = ["id", "loc", "int", "ext", "po", "rf", "co", "fr"];

/// Architectures with no event that both reads and writes.
const SPLIT: [&str; 6] = ["AArch64", "ARM", "PPC", "MIPS", "X86", "X86_64"];

/// Tags of fences, by how they begin.
const FENCES: [&str; 11] =
    ["DMB", "DSB", "ISB", "MFENCE", "SFENCE", "LFENCE", "SYNC", "LWSYNC", "EIEIO", "ISYNC", "Fence."];

impl Alphabet {
    /// The names that every execution has, with the facts about them.
    pub fn new(arch: Option<&str>) -> Result<Alphabet, String> {
        let mut own = Alphabet { arch: arch.map(str::to_owned), ..Alphabet::default() };
        for name in ["R", "W", "M", "F", "IW"] {
            own.event(name)?;
        }
        for name in CORE {
            own.pair(name)?;
        }
        own.event_facts()?;
        own.pair_facts()?;
        Ok(own)
    }

    /// The name of an event atom.
    pub fn event_name(&self, atom: Atom) -> &str {
        &self.event_names[atom as usize]
    }

    /// The name of a pair atom.
    pub fn pair_name(&self, atom: Atom) -> &str {
        &self.pair_names[atom as usize]
    }

    /// The atom of a relation that is known.
    pub fn known_pair(&self, name: &str) -> Option<Atom> {
        self.pair_names.iter().position(|known| known == name).map(|at| at as Atom)
    }

    /// The atom of a set, with the facts that are known of its name.
    pub fn event(&mut self, name: &str) -> Result<Atom, String> {
        if let Some(at) = self.event_names.iter().position(|known| known == name) {
            return Ok(at as Atom);
        }
        if self.event_names.len() == ATOMS {
            return Err(format!("more than {ATOMS} sets"));
        }
        self.event_names.push(name.to_owned());
        let atom = self.event_names.len() as Atom - 1;
        let of =
            |own: &Alphabet, name: &str| own.event_names.iter().position(|known| known == name).map(|at| at as Atom);
        if atom > 4 {
            let [read, write, memory, fence, initial] = ["R", "W", "M", "F", "IW"].map(|n| of(self, n).unwrap_or(0));
            if FENCES.iter().any(|start| name.starts_with(start)) {
                self.events.add(&[atom], &[fence]);
            }
            match name {
                "Exp" => {
                    self.events.add(&[atom], &[memory]);
                    self.events.add(&[memory], &[atom]);
                }
                "X" | "EX" | "RMW" => self.events.add(&[atom], &[memory]),
                "NoRet" => self.events.add(&[atom], &[read]),
                "Q" if self.arch.as_deref() == Some("AArch64") => self.events.add(&[atom], &[read]),
                "A" if matches!(self.arch.as_deref(), Some("AArch64" | "ARM")) => self.events.add(&[atom], &[read]),
                "A" if self.is_x86() => {
                    let locked = self.event("X")?;
                    self.events.add(&[atom], &[locked]);
                }
                "L" if matches!(self.arch.as_deref(), Some("AArch64" | "ARM")) => self.events.add(&[atom], &[write]),
                _ => {}
            }
            // Initial writes have no annotation.
            if !name.contains('(') && !matches!(name, "Exp" | "FW") {
                self.events.add(&[atom, initial], &[]);
            }
        }
        Ok(atom)
    }

    /// The atom of a relation, with that of its converse and the facts that are known of its name.
    pub fn pair(&mut self, name: &str) -> Result<Atom, String> {
        if let Some(at) = self.pair_names.iter().position(|known| known == name) {
            return Ok(at as Atom);
        }
        let symmetric = matches!(name, "id" | "loc" | "int" | "ext" | "same-instance");
        if self.pair_names.len() + 2 > ATOMS {
            return Err(format!("more than {ATOMS} relations"));
        }
        let atom = self.pair_names.len() as Atom;
        self.pair_names.push(name.to_owned());
        if symmetric {
            self.inverses.push(atom);
        } else {
            self.pair_names.push(format!("{name}^-1"));
            self.inverses.extend([atom + 1, atom]);
        }
        if !CORE.contains(&name) {
            self.named_facts(name, atom)?;
        }
        Ok(atom)
    }

    /// The same of the pairs turned round.
    pub fn inverse(&self, cube: Cube) -> Cube {
        let turned = |bits: u128| {
            (0..self.inverses.len()).filter(|i| bits >> i & 1 == 1).fold(0u128, |all, i| all | 1 << self.inverses[i])
        };
        Cube { holds: turned(cube.holds), lacks: turned(cube.lacks) }
    }

    /// A fact about pairs: where some hold, so does one of others. It is true of pairs turned round, too.
    pub fn pair_fact(&mut self, given: &[Atom], some: &[Atom]) {
        self.pairs.add(given, some);
        let turn = |atoms: &[Atom]| atoms.iter().map(|a| self.inverses[*a as usize]).collect::<Vec<_>>();
        let (given, some) = (turn(given), turn(some));
        self.pairs.add(&given, &some);
    }

    /// A fact about the ends of pairs, and of pairs turned round.
    pub fn ends_fact(&mut self, given: Cube, source: Cube, target: Cube) {
        let turned = Ends { given: self.inverse(given), source: target, target: source };
        self.ends.push(Ends { given, source, target });
        self.ends.push(turned);
    }

    /// What a pair says of its first and second event.
    pub fn ends_of(&self, pair: Cube) -> (Cube, Cube) {
        let known = self.ends.iter().filter(|ends| pair.implies(ends.given));
        known.fold((Cube::ANY, Cube::ANY), |(s, t), ends| (s.and(ends.source), t.and(ends.target)))
    }

    fn is_x86(&self) -> bool {
        matches!(self.arch.as_deref(), Some("X86" | "X86_64"))
    }

    /// What a dependency lies within: program order, and what the write of one instruction has from its own read, which is not before it in
    /// program order.
    fn depends(&mut self, atom: Atom, po: Atom) -> Result<(), String> {
        let mut within = vec![po, self.pair("amo")?];
        if self.is_x86() {
            within.push(self.pair("same-instance")?);
        }
        self.pair_fact(&[atom], &within);
        let int = self.pair("int")?;
        self.pair_fact(&[atom], &[int]);
        Ok(())
    }

    /// What a dependency is from: a read, and on RISC-V also a store-conditional, which tells whether it has succeeded.
    fn depends_on(&self) -> Cube {
        let [read, memory] = [0, 2];
        Cube::literal(if self.arch.as_deref() == Some("RISCV") { memory } else { read }, true)
    }

    fn is_split(&self) -> bool {
        self.arch.as_deref().is_some_and(|arch| SPLIT.contains(&arch))
    }

    fn event_facts(&mut self) -> Result<(), String> {
        let [read, write, memory, fence, initial] = [0, 1, 2, 3, 4];
        self.events.add(&[read], &[memory]);
        self.events.add(&[write], &[memory]);
        self.events.add(&[memory], &[read, write]);
        self.events.add(&[fence, memory], &[]);
        self.events.add(&[initial], &[write]);
        self.events.add(&[initial, read], &[]);
        if self.is_split() {
            self.events.add(&[read, write], &[]);
        }
        if self.arch.as_deref() == Some("C") {
            let update = self.event("RMW")?;
            self.events.add(&[read, write], &[update]);
        }
        Ok(())
    }

    fn pair_facts(&mut self) -> Result<(), String> {
        let mut atoms = [0; 8];
        for (i, name) in CORE.iter().enumerate() {
            atoms[i] = self.pair(name)?;
        }
        let [id, loc, int, ext, po, rf, co, fr] = atoms;
        self.pair_fact(&[int, ext], &[]);
        self.pair_fact(&[id, ext], &[]);
        self.pair_fact(&[po], &[int]);
        self.pair_fact(&[po, id], &[]);
        self.pair_fact(&[po, self.inverses[po as usize]], &[]);
        for order in [rf, co, fr] {
            self.pair_fact(&[order], &[loc]);
            self.pair_fact(&[order, id], &[]);
            self.pair_fact(&[order], &[int, ext]);
        }
        self.pair_fact(&[co, self.inverses[co as usize]], &[]);
        let is = |name: u8, holds: bool| Cube::literal(name, holds);
        let [read, write, memory, _, initial] = [0, 1, 2, 3, 4];
        let later = is(initial, false);
        self.ends_fact(is(po, true), later, later);
        self.ends_fact(is(loc, true), is(memory, true), is(memory, true));
        self.ends_fact(is(rf, true), is(write, true), is(read, true).and(later));
        self.ends_fact(is(co, true), is(write, true), is(write, true).and(later));
        self.ends_fact(is(fr, true), is(read, true), is(write, true).and(later));
        if self.is_split() || self.arch.as_deref() == Some("RISCV") {
            // Instructions follow each other.
            let (same, amo) = (self.pair("same-instance")?, self.pair("amo")?);
            self.pair_fact(&[int], &[po, self.inverses[po as usize], id, same]);
            self.pair_fact(&[rf, same], &[]);
            self.pair_fact(&[co, same], &[]);
            // An instruction of x86 without a lock reads and writes as two accesses.
            if !self.is_x86() {
                self.pair_fact(&[fr, same], &[amo]);
            }
            let step = |atom: Atom| Nfa::step(Cube::literal(atom, true));
            let between = step(po).then(&step(po)).then(&step(self.inverses[amo as usize]));
            self.impossible.push(Impossible { name: "every execution".to_owned(), path: between, closed: true });
        } else {
            self.pair("amo")?;
        }
        self.orders(false);
        Ok(())
    }

    /// The paths that lie within the orders of an execution. `coherent`: in executions of models with coherence.
    fn orders(&mut self, coherent: bool) {
        let step = |atom: Atom| Nfa::step(Cube::literal(atom, true));
        let of = |own: &Alphabet, name: &str| own.pair_names.iter().position(|n| n == name).unwrap_or(0) as Atom;
        let [loc, int, ext, po, rf, co, fr] = ["loc", "int", "ext", "po", "rf", "co", "fr"].map(|n| of(self, n));
        let on = |atom: Atom, holds: bool| {
            Nfa::test(if holds { Formula::Atom(atom) } else { Formula::Atom(atom).negated() })
        };
        let [read, write, memory] = [0, 1, 2];
        // The accesses of an instruction stand in one place.
        let aside = match self.known_pair("same-instance") {
            Some(same) => step(of(self, "amo")).or(&step(same)),
            None => step(of(self, "amo")),
        };
        let program = step(po).or(&aside.clone().then(&step(po))).or(&step(po).then(&aside)).plus();
        self.within.insert((po, true), program.clone());
        self.within.insert((loc, true), step(loc).plus());
        self.within.insert((int, true), step(int).plus());
        let aside = |same: Atom, other: Nfa| step(same).star().then(&other).then(&step(same).star());
        let apart = Nfa::step(Cube::literal(loc, false));
        self.within.insert((loc, false), aside(loc, apart.clone()));
        self.within.insert((ext, true), aside(int, step(ext)));
        let (overwritten, seen) = match coherent {
            true => {
                let local = Nfa::step(Cube::literal(po, true).and(Cube::literal(loc, true)));
                let path = step(rf).or(&step(co)).or(&step(fr)).or(&local).plus();
                let ends = |first: Atom| on(first, true).then(&path).then(&on(write, true));
                (ends(write), ends(read))
            }
            false => {
                let later = step(co).or(&step(rf).then(&step(fr)));
                let long = step(fr).then(&later.clone().plus());
                // What overwrites itself in the end is an event that reads and writes: from-reads leave it out.
                let apart = on(write, false).then(&long).or(&long.clone().then(&on(read, false)));
                let turned = Nfa::step(self.inverse(Cube::literal(rf, true))).then(&step(co));
                let turned = on(write, false).then(&turned).or(&turned.clone().then(&on(read, false)));
                (later.plus(), step(fr).or(&apart).or(&turned))
            }
        };
        self.within.insert((co, true), overwritten.clone());
        self.within.insert((fr, true), seen.clone());
        let turned = |nfa: &Nfa| nfa.reverse(&|cube| self.inverse(cube));
        let back = [(po, program), (co, overwritten), (fr, seen)].map(|(atom, nfa)| (atom, turned(&nfa)));
        for (atom, nfa) in back {
            self.within.insert((self.inverses[atom as usize], true), nfa);
        }
        if !coherent {
            let everywhere = "every execution";
            let closed = |path: Nfa| Impossible { name: everywhere.to_owned(), path, closed: true };
            let orders = [step(po), step(co), step(fr), step(ext), on(memory, true).then(&apart)];
            self.impossible.extend(orders.map(closed));
        }
    }

    /// Adds what coherence makes true: writes and reads of one location follow it.
    pub fn with_coherence(&self) -> Alphabet {
        let mut own = self.clone();
        own.orders(true);
        let of = |name: &str| own.pair_names.iter().position(|n| n == name).unwrap_or(0) as Atom;
        let [po, rf, co, fr, amo] = ["po", "rf", "co", "fr", "amo"].map(of);
        let back = own.inverses[po as usize];
        for order in [rf, co, fr] {
            own.pair_fact(&[order, back], &[]);
        }
        if own.is_split() || own.arch.as_deref() == Some("RISCV") {
            // Nothing stands between the halves of an instruction: a write behind the one comes behind the other.
            let step = |atom: Atom| Nfa::step(Cube::literal(atom, true));
            let path = step(po).then(&step(co)).then(&step(own.inverses[amo as usize]));
            own.impossible.push(Impossible { name: "every execution".to_owned(), path, closed: true });
        }
        own
    }

    fn named_facts(&mut self, name: &str, atom: Atom) -> Result<(), String> {
        let of = |own: &Alphabet, name: &str| own.pair_names.iter().position(|n| n == name).unwrap_or(0) as Atom;
        let [id, loc, int, ext, po] = ["id", "loc", "int", "ext", "po"].map(|n| of(self, n));
        let is = |atom: Atom| Cube::literal(atom, true);
        let [read, write, memory, _, initial] = [0, 1, 2, 3, 4];
        let later = Cube::literal(initial, false);
        match name {
            "addr" => {
                self.pair_fact(&[atom], &[po]);
                self.ends_fact(is(atom), self.depends_on(), is(memory));
            }
            "ctrl" => {
                // Whether a compare-and-swap writes depends on its own read.
                self.depends(atom, po)?;
                self.ends_fact(is(atom), self.depends_on(), Cube::ANY);
            }
            "data" => {
                self.depends(atom, po)?;
                self.pair_fact(&[atom, id], &[]);
                self.ends_fact(is(atom), self.depends_on(), is(write));
            }
            "amo" | "lxsx" => {
                self.pair_fact(&[atom], &[int]);
                self.pair_fact(&[atom, id], &[]);
                self.ends_fact(is(atom), is(read).and(later), is(write).and(later));
                if name == "amo" {
                    self.pair_fact(&[atom], &[loc]);
                    if matches!(self.arch.as_deref(), Some("RISCV" | "ARM" | "PPC" | "MIPS")) {
                        self.pair_fact(&[atom], &[]);
                    }
                } else {
                    self.pair_fact(&[atom], &[po]);
                }
            }
            "casdep" => {
                self.pair_fact(&[atom], &[po]);
                self.ends_fact(is(atom), is(read), is(read));
            }
            "pick-addr" | "pick-data" | "pick-ctrl" => {
                self.depends(atom, po)?;
                self.ends_fact(is(atom), is(read), Cube::ANY);
            }
            "same-instance" => self.pair_fact(&[atom, ext], &[]),
            _ => {}
        }
        Ok(())
    }

    /// What is left of a cube without what the rest implies.
    fn reduced(&self, cube: Cube) -> Cube {
        let mut kept = cube;
        for (atom, holds) in cube.literals() {
            let literal = Cube::literal(atom, holds);
            let rest = Cube { holds: kept.holds & !literal.holds, lacks: kept.lacks & !literal.lacks };
            if self.pairs.close(rest).is_none_or(|closed| closed.implies(literal)) {
                kept = rest;
            }
        }
        kept
    }

    /// The paths that certainly lie within a cube of pairs.
    pub fn paths_within(&self, cube: Cube) -> Nfa {
        let literals: Vec<(Atom, bool)> = self.reduced(cube).literals().collect();
        let whole: Option<Vec<&Nfa>> = literals.iter().map(|literal| self.within.get(literal)).collect();
        let mut more = Nfa::step(cube);
        if literals.is_empty() {
            return more.star();
        }
        if let Some((first, rest)) = whole.as_deref().and_then(<[&Nfa]>::split_first) {
            let all = rest.iter().fold((*first).clone(), |all, next| all.intersect(next, &self.pairs));
            more = more.or(&all);
        }
        more
    }
}
