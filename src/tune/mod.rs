//! Changes of memory orders and fences: the least that makes a program hold ([`repair`]), and the least that it needs ([`relax`]).
//!
//! - [`strength`]: what an access can be.
//! - [`code`] (with [`cxx`]: `std::atomic`), [`litmus`]: the sites of a program and of a litmus test, and the program with other orders. The loaded program is changed, not its text.
//! - [`forces`]: what a program lacks whose recovery finds something wrong.
//! - [`search`]: which changes to try.
//! - [`subject`]: a file under all models named, and whether a choice of orders makes it hold: each is a full run.
//! - [`text`]: the same changes in the source, where they can be written there.

pub mod code;
pub mod cxx;
pub mod forces;
pub mod litmus;
pub mod search;
pub mod shown;
pub mod strength;
pub mod subject;
pub mod text;

use crate::clock::Instant;
use crate::driver::Settings;
use crate::driver::inputs::models::Models;
use crate::llvm::ir::Order;
use crate::verdict::{Message, Place, Sources, Verdict};
use search::{Asked, Choice, Levels};
use std::collections::BTreeSet;
use std::path::Path;
use strength::{Kind, is_at_most};
use subject::Subject;

/// An access or a fence that can be changed, or a place for a fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// What it is.
    pub kind: Kind,
    /// Where.
    pub place: Place,
    /// In which thread, for a litmus test: several stand in one line.
    pub thread: Option<String>,
    /// Its order.
    pub today: Order,
    /// The orders that it can have, none before a weaker one.
    pub orders: Vec<Order>,
    /// How each of them is called.
    pub names: Vec<String>,
    /// Whether it is an operation of C11, whose order stands in the text.
    pub is_named: bool,
}

impl Site {
    /// How an order is called.
    pub fn name(&self, order: Order) -> &str {
        let at = self.orders.iter().position(|&known| known == order);
        at.and_then(|at| self.names.get(at)).map_or("", String::as_str)
    }
}

/// One change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Of what.
    pub site: Site,
    /// To which order.
    pub to: Order,
}

/// What came of a search.
#[derive(Debug, Default)]
pub struct Tuned {
    /// As on the command line.
    pub file: String,
    /// The models, each of which judged all that is given here.
    pub models: Vec<String>,
    /// The program as it is: its verdict under all models, the worst.
    pub today: Option<Verdict>,
    /// What is wrong with it, under which model.
    pub wrong: Option<String>,
    /// Sets of changes; for [`relax`] one.
    pub changes: Vec<Vec<Change>>,
    /// For [`relax`]: what could not be weaker.
    pub kept: Vec<Site>,
    /// For [`relax`]: what no execution reaches, and was left as it is.
    pub unreached: Vec<Site>,
    /// Of a program that crashes: the forces with which it holds, and behind what.
    pub forces: Vec<(String, Place)>,
    /// Whether fences were put in, since no memory orders suffice.
    pub with_fences: bool,
    /// Full runs that were made, the first one included.
    pub runs: usize,
    /// What else is to be said: when the search stopped, and why.
    pub notes: Vec<String>,
    /// About the input.
    pub messages: Vec<Message>,
    /// Time taken.
    pub seconds: f64,
}

/// How far to search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// At most so many changes in a set.
    pub changes: usize,
}

/// The smallest sets of changes with which a file holds under all models: of memory orders, else of memory orders and fences.
pub fn repair(
    file: &Path,
    models: &[(String, Models)],
    limits: Limits,
    settings: &Settings,
    sources: &Sources,
) -> Tuned {
    if let Some(tuned) = forces::repair(file, models, limits, settings, sources) {
        return tuned;
    }
    tuned(file, models, settings, sources, |subject, tuned| {
        if tuned.today == Some(Verdict::Holds) {
            tuned.notes.push("it holds as it is: there is nothing to repair".to_owned());
            return;
        }
        for gaps in [false, true] {
            let sites = subject.sites(gaps);
            let levels: Vec<Levels> = sites.iter().map(levels).collect();
            let mut ask = |choice: &Choice| subject.holds(gaps, &orders(&sites, choice));
            let mut asked = Asked::new(&mut ask);
            let found = search::strengthened(&levels, limits.changes, &mut asked);
            tuned.runs += asked.count();
            let what = if gaps { "orders and fences" } else { "orders" };
            match (found.all, found.can_help, found.choices.is_empty()) {
                (false, ..) => tuned.notes.push(format!("the search among {what} is not complete: {}", subject.why_over())),
                (true, false, _) if gaps => tuned.notes.push(
                    "with all accesses seq_cst and a full fence at each it does not hold either: what is wrong is no matter of memory orders"
                        .to_owned(),
                ),
                (true, true, true) => tuned.notes.push(format!(
                    "no set of up to {} changes of {what} suffices, but a larger one does (`--changes N`)",
                    limits.changes
                )),
                _ => {}
            }
            tuned.changes = found.choices.iter().map(|choice| changes(&sites, choice)).collect();
            tuned.with_fences = gaps && !tuned.changes.is_empty();
            let is_over = !found.all;
            if is_over || !tuned.changes.is_empty() {
                break;
            }
            if !gaps && !found.can_help {
                tuned.notes.push("stronger memory orders alone do not suffice: fences are tried, too".to_owned());
            }
        }
        tuned.notes.extend(subject.doubts());
    })
}

/// Orders and fences as weak as a file needs them to hold under all models.
pub fn relax(file: &Path, models: &[(String, Models)], settings: &Settings, sources: &Sources) -> Tuned {
    tuned(file, models, settings, sources, |subject, tuned| {
        if tuned.today != Some(Verdict::Holds) {
            tuned
                .notes
                .push("only a program that holds can be relaxed (`hmc repair` looks for what it lacks)".to_owned());
            return;
        }
        let (reached, unreached): (Vec<_>, Vec<_>) =
            subject.sites(false).into_iter().partition(|site| subject.is_reached(site));
        let all = subject.sites(false);
        let is_free = |site: &Site| reached.contains(site);
        let levels: Vec<Levels> = all
            .iter()
            .map(|site| match is_free(site) {
                true => levels(site),
                false => Levels::new(site.orders.len(), index(site), |a, b| a == b),
            })
            .collect();
        let mut ask = |choice: &Choice| subject.holds(false, &orders(&all, choice));
        let mut asked = Asked::new(&mut ask);
        let (choice, done) = search::weakened(&levels, &mut asked);
        tuned.runs += asked.count();
        if !done {
            tuned
                .notes
                .push(format!("something may be weaker still, the search is not complete: {}", subject.why_over()));
        }
        let changes = changes(&all, &choice);
        let is_changed = |site: &&Site| changes.iter().any(|change| change.site == **site);
        tuned.kept = reached.iter().filter(|site| !is_changed(site)).cloned().collect();
        tuned.changes = if changes.is_empty() { Vec::new() } else { vec![changes] };
        tuned.unreached = unreached;
        if done && !tuned.changes.is_empty() {
            tuned.notes.push("no single one can be weaker than this; another choice may be weaker in one place and stronger in another".to_owned());
        }
        tuned
            .notes
            .push("this is what this program needs: another one that uses the same code may need more".to_owned());
        tuned.notes.extend(subject.doubts());
    })
}

fn tuned(
    file: &Path,
    models: &[(String, Models)],
    settings: &Settings,
    sources: &Sources,
    search: impl FnOnce(&mut Subject<'_>, &mut Tuned),
) -> Tuned {
    let start = Instant::now();
    let settings = &settings.begun(file);
    let mut tuned = Tuned {
        file: file.display().to_string(),
        models: models.iter().map(|(name, _)| name.clone()).collect(),
        ..Tuned::default()
    };
    match Subject::read(file, models, settings, sources) {
        Ok(mut subject) => {
            let results = subject.as_it_is();
            tuned.runs = 1;
            tuned.today = Some(results.iter().fold(Verdict::Holds, |worst, result| worst.worse(result.verdict)));
            tuned.wrong = results.iter().find_map(subject::what_is_wrong);
            tuned.messages = results.into_iter().flat_map(|result| result.messages).collect();
            if matches!(tuned.today, Some(Verdict::Holds | Verdict::Violated)) {
                search(&mut subject, &mut tuned);
            } else {
                tuned.notes.push(
                    "the program as it is was not looked at in full, so there is nothing to compare with".to_owned(),
                );
            }
            tuned.notes.extend(subject.unraced());
        }
        Err((messages, verdict)) => {
            tuned.messages = messages;
            tuned.today = Some(verdict);
        }
    }
    tuned.seconds = start.elapsed().as_secs_f64();
    tuned
}

fn index(site: &Site) -> usize {
    site.orders.iter().position(|&order| order == site.today).unwrap_or_default()
}

fn levels(site: &Site) -> Levels {
    Levels::new(site.orders.len(), index(site), |a, b| is_at_most(site.orders[a], site.orders[b]))
}

fn orders(sites: &[Site], choice: &Choice) -> Vec<Order> {
    sites.iter().zip(choice).map(|(site, &level)| site.orders[level]).collect()
}

fn changes(sites: &[Site], choice: &Choice) -> Vec<Change> {
    let of = |(site, order): (&Site, Order)| (order != site.today).then(|| Change { site: site.clone(), to: order });
    let all = sites.iter().zip(orders(sites, choice)).filter_map(of);
    let mut seen: BTreeSet<(String, u32, u32, Kind)> = BTreeSet::new();
    all.filter(|c| seen.insert((c.site.place.file.clone(), c.site.place.line, c.site.place.column, c.site.kind)))
        .collect()
}
