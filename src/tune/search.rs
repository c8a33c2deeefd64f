//! Which of many changes to make: smallest sets of sites that are to be stronger, and weakest levels.
//!
//! A *choice* gives each site one of its levels. Whether a choice is good is asked of somebody who runs the program. The searches rely on one thing only:
//! what is stronger than a good choice is good. All that they give back was asked itself, so a program for which that is not so gets good
//! choices, too, but perhaps not all, or not the weakest.
//!
//! All smallest sets are found by hitting sets: a set of sites that does not help, even at their strongest, is extended for as long as it does not help;
//! whatever helps has a site outside of it. What hits all such outsides and was not tried is tried next, the smallest first.

use std::collections::{BTreeMap, BTreeSet};

/// A level for each site.
pub type Choice = Vec<usize>;

/// The levels of one site. The last is stronger than all others; none stands before a weaker one.
#[derive(Clone, Debug)]
pub struct Levels {
    /// How it is today.
    pub today: usize,
    /// For each level those that are at most as strong.
    pub at_most: Vec<BTreeSet<usize>>,
}

impl Levels {
    /// Of so many levels, where `is_at_most(a, b)`.
    pub fn new(count: usize, today: usize, is_at_most: impl Fn(usize, usize) -> bool) -> Levels {
        let below = |b: usize| (0..count).filter(|&a| is_at_most(a, b)).collect();
        Levels { today, at_most: (0..count).map(below).collect() }
    }

    fn strongest(&self) -> usize {
        self.at_most.len() - 1
    }

    fn is_at_most(&self, a: usize, b: usize) -> bool {
        self.at_most[b].contains(&a)
    }
}

/// Nobody can say whether a choice is good any more: time is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Over;

/// Asks about choices, each once.
pub struct Asked<'a> {
    ask: &'a mut dyn FnMut(&Choice) -> Result<bool, Over>,
    known: BTreeMap<Choice, bool>,
}

impl<'a> Asked<'a> {
    /// Nothing is known yet.
    pub fn new(ask: &'a mut dyn FnMut(&Choice) -> Result<bool, Over>) -> Asked<'a> {
        Asked { ask, known: BTreeMap::new() }
    }

    /// Whether a choice is good.
    pub fn is_good(&mut self, choice: &Choice) -> Result<bool, Over> {
        if let Some(&known) = self.known.get(choice) {
            return Ok(known);
        }
        let is_good = (self.ask)(choice)?;
        self.known.insert(choice.clone(), is_good);
        Ok(is_good)
    }

    /// How many were asked about.
    pub fn count(&self) -> usize {
        self.known.len()
    }
}

/// What a search for stronger levels found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Good choices in which nothing can be weaker; those with the fewest changes first.
    pub choices: Vec<Choice>,
    /// Whether everything at its strongest is good; if not, there is nothing to find.
    pub can_help: bool,
    /// Whether these are all of up to the size that was asked for.
    pub all: bool,
}

/// All weakest good choices that change at most `most` sites, all to the stronger.
pub fn strengthened(sites: &[Levels], most: usize, asked: &mut Asked<'_>) -> Found {
    let mut found = Found::default();
    found.all = search(sites, most, asked, &mut found).is_ok();
    let changes = |choice: &Choice| choice.iter().zip(sites).filter(|(level, site)| **level != site.today).count();
    found.choices.sort_by_key(|choice| (changes(choice), choice.clone()));
    found
}

fn search(sites: &[Levels], most: usize, asked: &mut Asked<'_>, found: &mut Found) -> Result<(), Over> {
    let free: Vec<usize> = (0..sites.len()).filter(|&i| sites[i].today != sites[i].strongest()).collect();
    let raised = |set: &BTreeSet<usize>| -> Choice {
        let level = |(i, site): (usize, &Levels)| if set.contains(&i) { site.strongest() } else { site.today };
        sites.iter().enumerate().map(level).collect()
    };
    let all: BTreeSet<usize> = free.iter().copied().collect();
    found.can_help = asked.is_good(&raised(&all))?;
    if !found.can_help {
        return Ok(());
    }
    let mut outsides: Vec<BTreeSet<usize>> = Vec::new();
    let mut good: Vec<BTreeSet<usize>> = Vec::new();
    while let Some(set) = (0..=most).find_map(|size| hitting(&outsides, &good, &mut BTreeSet::new(), size)) {
        if asked.is_good(&raised(&set))? {
            weakest(sites, &set, asked, &mut found.choices)?;
            good.push(set);
            continue;
        }
        let mut useless = set;
        for &site in &free {
            let mut more = useless.clone();
            if more.insert(site) && !asked.is_good(&raised(&more))? {
                useless = more;
            }
        }
        outsides.push(all.difference(&useless).copied().collect());
    }
    Ok(())
}

/// A set of so many sites that has one of each of `outsides`, and that contains none of `good`.
fn hitting(
    outsides: &[BTreeSet<usize>],
    good: &[BTreeSet<usize>],
    chosen: &mut BTreeSet<usize>,
    left: usize,
) -> Option<BTreeSet<usize>> {
    if good.iter().any(|set| set.is_subset(chosen)) {
        return None;
    }
    let Some(open) = outsides.iter().find(|outside| outside.is_disjoint(chosen)) else { return Some(chosen.clone()) };
    if left == 0 {
        return None;
    }
    open.iter().find_map(|&site| {
        chosen.insert(site);
        let found = hitting(outsides, good, chosen, left - 1);
        chosen.remove(&site);
        found
    })
}

/// The weakest good levels of the sites of a set, above those of today.
fn weakest(
    sites: &[Levels],
    set: &BTreeSet<usize>,
    asked: &mut Asked<'_>,
    choices: &mut Vec<Choice>,
) -> Result<(), Over> {
    let mut all: Vec<Choice> = vec![sites.iter().map(|site| site.today).collect()];
    for &i in set {
        let above = |site: &Levels| -> Vec<usize> {
            (0..site.at_most.len()).filter(|&l| l != site.today && site.is_at_most(site.today, l)).collect()
        };
        let with = |choice: &Choice| -> Vec<Choice> {
            let set = |level| {
                let mut choice = choice.clone();
                choice[i] = level;
                choice
            };
            above(&sites[i]).into_iter().map(set).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    let weight = |choice: &Choice| -> usize { choice.iter().zip(sites).map(|(&l, s)| s.at_most[l].len()).sum() };
    all.sort_by_key(|choice| (weight(choice), choice.clone()));
    let mut good: Vec<Choice> = Vec::new();
    for choice in all {
        let is_above = |other: &Choice| sites.iter().enumerate().all(|(i, s)| s.is_at_most(other[i], choice[i]));
        if !good.iter().any(is_above) && asked.is_good(&choice)? {
            good.push(choice);
        }
    }
    choices.append(&mut good);
    Ok(())
}

/// A choice that is at most as strong as today's, good, and in which no single site can be weaker. Comes with whether the search came to its end.
/// Today's choice is good.
pub fn weakened(sites: &[Levels], asked: &mut Asked<'_>) -> (Choice, bool) {
    let mut choice: Choice = sites.iter().map(|site| site.today).collect();
    let done = weaken(sites, asked, &mut choice).is_ok();
    (choice, done)
}

fn weaken(sites: &[Levels], asked: &mut Asked<'_>, choice: &mut Choice) -> Result<(), Over> {
    loop {
        let before = choice.clone();
        for (i, site) in sites.iter().enumerate() {
            let weaker: Vec<usize> = site.at_most[choice[i]].iter().copied().filter(|&l| l != choice[i]).collect();
            for level in weaker {
                let mut next = choice.clone();
                next[i] = level;
                if asked.is_good(&next)? {
                    *choice = next;
                    break;
                }
            }
        }
        if *choice == before {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Four levels of which two are not comparable, as those of an update.
    fn diamond(today: usize) -> Levels {
        Levels::new(4, today, |a, b| a == b || a == 0 || b == 3)
    }

    fn all_choices(sites: &[Levels]) -> Vec<Choice> {
        sites.iter().fold(vec![Vec::new()], |all, site| {
            all.iter().flat_map(|c: &Choice| (0..site.at_most.len()).map(move |l| [&c[..], &[l]].concat())).collect()
        })
    }

    fn is_at_most(sites: &[Levels], a: &Choice, b: &Choice) -> bool {
        sites.iter().enumerate().all(|(i, site)| site.is_at_most(a[i], b[i]))
    }

    proptest! {
        /// Against all choices: what is good is what is above some of a few.
        #[test]
        fn the_weakest_stronger_choices(
            today in prop::collection::vec(0usize..4, 4),
            goals in prop::collection::vec(prop::collection::vec(0usize..4, 4), 0..4),
            most in 0usize..5,
        ) {
            let sites: Vec<Levels> = today.iter().map(|&t| diamond(t)).collect();
            let is_good = |c: &Choice| goals.iter().any(|goal| is_at_most(&sites, goal, c));
            let mut ask = |c: &Choice| Ok(is_good(c));
            let found = strengthened(&sites, most, &mut Asked::new(&mut ask));
            let good: Vec<Choice> =
                all_choices(&sites).into_iter().filter(|c| is_at_most(&sites, &today, c) && is_good(c)).collect();
            let changed = |c: &Choice| (0..4).filter(|&i| c[i] != today[i]).count();
            // Weakest among those that change the same sites, where no smaller set of these does.
            let sets: BTreeSet<BTreeSet<usize>> =
                good.iter().map(|c| (0..4).filter(|&i| c[i] != today[i]).collect()).collect();
            let is_smallest = |c: &Choice| {
                let set: BTreeSet<usize> = (0..4).filter(|&i| c[i] != today[i]).collect();
                !sets.iter().any(|other| other.is_subset(&set) && *other != set)
            };
            let mut expected: Vec<Choice> = good
                .iter()
                .filter(|c| changed(c) <= most && is_smallest(c))
                .filter(|c| !good.iter().any(|d| d != *c && is_at_most(&sites, d, c)))
                .cloned()
                .collect();
            expected.sort_by_key(|c| (changed(c), c.clone()));
            prop_assert_eq!(found.can_help, is_good(&vec![3; 4]));
            prop_assert_eq!(found.choices, expected);
            prop_assert!(found.all);
        }

        #[test]
        fn nothing_can_be_weaker(
            today in prop::collection::vec(0usize..4, 4),
            others in prop::collection::vec(prop::collection::vec(0usize..4, 4), 0..4),
        ) {
            let sites: Vec<Levels> = today.iter().map(|&t| diamond(t)).collect();
            let goals: Vec<Choice> = others.into_iter().chain([today.clone()]).collect();
            let is_good = |c: &Choice| goals.iter().any(|goal| is_at_most(&sites, goal, c));
            let mut ask = |c: &Choice| Ok(is_good(c));
            let (choice, done) = weakened(&sites, &mut Asked::new(&mut ask));
            prop_assert!(done && is_good(&choice) && is_at_most(&sites, &choice, &today));
            for other in all_choices(&sites) {
                prop_assert!(!is_good(&other) || other == choice || !is_at_most(&sites, &other, &choice));
            }
        }
    }

    #[test]
    fn a_search_that_is_cut_says_so() {
        let sites = [diamond(0), diamond(0)];
        let mut left = 2;
        let mut ask = |c: &Choice| {
            left -= 1;
            if left < 0 { Err(Over) } else { Ok(c.iter().sum::<usize>() > 5) }
        };
        let found = strengthened(&sites, 2, &mut Asked::new(&mut ask));
        assert!(found.can_help && !found.all && found.choices.is_empty());
    }
}
