//! Where values may point.

use crate::ids::FuncId;
use crate::program::Pc;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a pointer may point into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Thing {
    Function(FuncId),
    /// A variable, by number.
    Object(usize),
    /// Memory that is allocated here.
    Made(FuncId, Pc),
    /// What is private to the calls of a function.
    Private(FuncId),
    /// What threads keep under a number.
    Word(u8),
}

/// Where a value may point, if it is an address: the offset in each thing, `None` if it may be any. In the order of the things; values that are handed on share it.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Places(Rc<Vec<(Thing, Option<u64>)>>);

impl Places {
    pub fn at(thing: Thing, offset: Option<u64>) -> Places {
        Places(Rc::new(vec![(thing, offset)]))
    }

    /// Whether it is no address.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Thing, Option<u64>)> {
        self.0.iter().copied()
    }

    /// Adds others; whether there is anything new.
    pub fn join(&mut self, other: &Places) -> bool {
        if self.covers(other) {
            return false;
        }
        if self.is_none() {
            self.0 = other.0.clone();
            return true;
        }
        let (mut own, mut others) = (self.0.iter().copied().peekable(), other.0.iter().copied().peekable());
        let mut all = Vec::with_capacity(self.0.len() + other.0.len());
        loop {
            match (own.peek().copied(), others.peek().copied()) {
                (Some((a, one)), Some((b, two))) if a == b => {
                    all.push((a, one.filter(|_| one == two)));
                    own.next();
                    others.next();
                }
                (Some((a, _)), Some((b, _))) => all.extend(if a < b { own.next() } else { others.next() }),
                _ => break,
            }
        }
        all.extend(own.chain(others));
        self.0 = Rc::new(all);
        true
    }

    /// Whether others add nothing.
    fn covers(&self, other: &Places) -> bool {
        if Rc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        let mut own = self.0.iter();
        other.0.iter().all(|&(thing, offset)| {
            let known = own.find(|&&(one, _)| one >= thing);
            known.is_some_and(|&(one, known)| one == thing && (known.is_none() || known == offset))
        })
    }

    /// The same, so many bytes further.
    pub fn moved(self, by: u64) -> Places {
        self.with_offsets(|offset| offset.map(|offset| offset.wrapping_add(by)))
    }

    /// The same, wherever in each thing.
    pub fn anywhere(self) -> Places {
        self.with_offsets(|_| None)
    }

    fn with_offsets(mut self, new: impl Fn(Option<u64>) -> Option<u64>) -> Places {
        if self.iter().any(|(_, offset)| new(offset) != offset) {
            Rc::make_mut(&mut self.0).iter_mut().for_each(|(_, offset)| *offset = new(*offset));
        }
        self
    }

    /// The functions that a call of it may run.
    pub fn functions(&self) -> Vec<FuncId> {
        let of = |(thing, offset): (Thing, Option<u64>)| match thing {
            Thing::Function(function) if offset.is_none_or(|offset| offset == 0) => Some(function),
            _ => None,
        };
        self.iter().filter_map(of).collect()
    }
}

/// What memory may hold: by offset, and what may be anywhere; and all of that.
#[derive(Default)]
pub(super) struct Contents {
    at: BTreeMap<u64, Places>,
    anywhere: Places,
    all: Places,
}

impl Contents {
    /// Adds what is written; whether that is anything new.
    pub fn write(&mut self, offset: Option<u64>, value: &Places) -> bool {
        self.all.join(value);
        match offset {
            Some(offset) => self.at.entry(offset).or_default().join(value),
            None => self.anywhere.join(value),
        }
    }

    /// All that it may point to.
    pub fn iter(&self) -> impl Iterator<Item = &Places> {
        self.at.values().chain([&self.anywhere])
    }

    /// What so many bytes may hold.
    pub fn read(&self, offset: Option<u64>, size: u8) -> Places {
        let Some(offset) = offset else {
            return if size < POINTER { self.all.clone().anywhere() } else { self.all.clone() };
        };
        let mut all = self.anywhere.clone();
        // A part of one, perhaps beside a part of another one.
        let near = u64::from(POINTER) - 1;
        for (&at, value) in self.at.range(offset.saturating_sub(near)..=offset.saturating_add(near)) {
            match at == offset {
                true => all.join(value),
                false => all.join(&value.clone().anywhere()),
            };
        }
        if size < POINTER { all.anywhere() } else { all }
    }
}

/// Bytes of a pointer.
pub(super) const POINTER: u8 = 8;
