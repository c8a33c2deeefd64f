//! The canonical form of a program that somebody else wrote, and programs as text.

use super::program::{Depends, Event, NO_ADDRESS, Program, Shape};
use super::vocabulary::{Dependency, Kind, Vocabulary};

impl Program {
    /// The same program with threads and addresses in canonical order. Time grows with the factorial of the number of threads of one length.
    pub fn canonical(&self) -> Program {
        let mut threads: Vec<Named> = self.threads.iter().enumerate().map(|(i, thread)| localised(i, thread)).collect();
        threads.sort_by(|a, b| b.shape.events.len().cmp(&a.shape.events.len()).then_with(|| a.shape.cmp(&b.shape)));
        let mut best = None;
        arrange(&mut threads, 0, &mut |threads| {
            let key = (renamed(threads), self.regrouped(threads));
            if best.as_ref().is_none_or(|best| key < *best) {
                best = Some(key);
            }
        });
        let (names, groups) = best.unwrap_or_default();
        let threads = threads.into_iter().zip(names).map(|(Named { mut shape, .. }, names)| {
            for event in shape.events.iter_mut().filter(|e| e.address != NO_ADDRESS) {
                event.address = names[event.address as usize];
            }
            shape
        });
        Program { threads: threads.collect(), groups }
    }

    /// The groups of threads in another order, each kind numbered by first appearance.
    fn regrouped(&self, threads: &[Named]) -> Vec<Vec<u8>> {
        let of = |groups: &Vec<u8>| {
            let mut known = Vec::new();
            threads.iter().map(|thread| number(&mut known, groups[thread.place])).collect()
        };
        self.groups.iter().map(of).collect()
    }

    /// Reads what [`Program::text`] writes.
    ///
    /// Errors: a token that the vocabulary does not know, a dependency on nothing.
    pub fn parse(text: &str, vocabulary: &Vocabulary) -> Result<Program, String> {
        let mut addresses: Vec<String> = Vec::new();
        let mut threads = Vec::new();
        let mut parts = text.split('@');
        let text = parts.next().unwrap_or_default();
        let numbers =
            |part: &str| part.split_whitespace().map(|n| n.parse().map_err(|_| format!("`{n}` is no group"))).collect();
        let groups: Vec<Vec<u8>> = parts.map(numbers).collect::<Result<_, String>>()?;
        for thread in text.split('|') {
            let mut shape = Shape { events: Vec::new(), depends: Vec::new() };
            for word in thread.split_whitespace() {
                let mut parts = word.split('<');
                let event = parts.next().unwrap_or_default();
                shape.events.push(parse_event(event, vocabulary, &mut addresses)?);
                let to = shape.events.len() - 1;
                for depends in parts {
                    let wrong = || format!("`{depends}` is no dependency");
                    let at = depends.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
                    let kind = match &depends[..at] {
                        "addr" => Dependency::Addr,
                        "data" => Dependency::Data,
                        "ctrl" => Dependency::Ctrl,
                        _ => return Err(wrong()),
                    };
                    let distance: usize = depends[at..].parse().map_err(|_| wrong())?;
                    let from = to.checked_sub(distance).ok_or_else(wrong)?;
                    shape.depends.push(Depends { to: to as u8, from: from as u8, kind });
                }
            }
            for i in 1..shape.events.len() {
                let (read, write) = (shape.events[i - 1], shape.events[i]);
                let is_half = !vocabulary.token(read.token).alone;
                shape.events[i - 1].paired =
                    is_half && read.address == write.address && vocabulary.pair(read.token, write.token).is_some();
            }
            shape.depends.sort_unstable();
            threads.push(shape);
        }
        if groups.len() != vocabulary.scopes.len() || groups.iter().any(|g| g.len() != threads.len()) {
            return Err("a program has a group of each kind for every thread".to_owned());
        }
        Ok(Program { threads, groups })
    }
}

fn parse_event(word: &str, vocabulary: &Vocabulary, addresses: &mut Vec<String>) -> Result<Event, String> {
    let known = |name: &str| vocabulary.tokens.iter().position(|token| token.name == name).map(|at| at as u8);
    if let Some(token) = known(word).filter(|&token| vocabulary.token(token).kind == Kind::Fence) {
        return Ok(Event { token, paired: false, address: NO_ADDRESS });
    }
    let (name, address) = match word.strip_suffix(')').and_then(|word| word.split_once('(')) {
        Some(parts) => parts,
        None => word.split_at(word.find(|c: char| c.is_ascii_lowercase()).unwrap_or(word.len())),
    };
    let token = known(name).filter(|_| !address.is_empty());
    let token = token.ok_or_else(|| format!("`{word}` is no event of this architecture"))?;
    let at = addresses.iter().position(|known| known == address).unwrap_or_else(|| {
        addresses.push(address.to_owned());
        addresses.len() - 1
    });
    Ok(Event { token, paired: false, address: at as u8 })
}

/// A thread with addresses numbered by first appearance in it.
struct Named {
    shape: Shape,
    /// What they were.
    names: Vec<u8>,
    /// Its place in the program.
    place: usize,
}

/// The number of a name by first appearance.
fn number(known: &mut Vec<u8>, name: u8) -> u8 {
    let at = known.iter().position(|&k| k == name).unwrap_or_else(|| {
        known.push(name);
        known.len() - 1
    });
    at as u8
}

/// Numbers the addresses of a thread.
fn localised(place: usize, thread: &Shape) -> Named {
    let mut names = Vec::new();
    let mut shape = thread.clone();
    for event in shape.events.iter_mut().filter(|e| e.address != NO_ADDRESS) {
        event.address = number(&mut names, event.address);
    }
    Named { shape, names, place }
}

/// The addresses of threads, numbered by first appearance in the whole.
fn renamed(threads: &[Named]) -> Vec<Vec<u8>> {
    let mut known = Vec::new();
    threads.iter().map(|thread| thread.names.iter().map(|&name| number(&mut known, name)).collect()).collect()
}

/// Calls `see` with every order of equal threads.
fn arrange(threads: &mut [Named], first: usize, see: &mut dyn FnMut(&[Named])) {
    if first + 1 >= threads.len() {
        return see(threads);
    }
    for i in first..threads.len() {
        if threads[i].shape == threads[first].shape {
            threads.swap(first, i);
            arrange(threads, first + 1, see);
            threads.swap(first, i);
        }
    }
}
