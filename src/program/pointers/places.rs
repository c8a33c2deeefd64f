//! Where values may point.

use crate::ids::FuncId;
use crate::program::Pc;
use std::collections::BTreeMap;

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

/// Where a value may point, if it is an address: the offset in each thing, `None` if it may be any.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Places(BTreeMap<Thing, Option<u64>>);

impl Places {
    pub fn at(thing: Thing, offset: Option<u64>) -> Places {
        Places(BTreeMap::from([(thing, offset)]))
    }

    /// Whether it is no address.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (Thing, Option<u64>)> {
        self.0.iter().map(|(&thing, &offset)| (thing, offset))
    }

    /// Adds others; whether there is anything new.
    pub fn join(&mut self, other: &Places) -> bool {
        let mut grown = false;
        for (&thing, &offset) in &other.0 {
            let known = self.0.entry(thing).or_insert_with(|| {
                grown = true;
                offset
            });
            if *known != offset && known.is_some() {
                *known = None;
                grown = true;
            }
        }
        grown
    }

    /// The same, so many bytes further.
    pub fn moved(mut self, by: u64) -> Places {
        self.0.values_mut().for_each(|offset| *offset = offset.map(|offset| offset.wrapping_add(by)));
        self
    }

    /// The same, wherever in each thing.
    pub fn anywhere(mut self) -> Places {
        self.0.values_mut().for_each(|offset| *offset = None);
        self
    }

    /// The functions that a call of it may run.
    pub fn functions(&self) -> Vec<FuncId> {
        let of = |(&thing, &offset): (&Thing, &Option<u64>)| match thing {
            Thing::Function(function) if offset.is_none_or(|offset| offset == 0) => Some(function),
            _ => None,
        };
        self.0.iter().filter_map(of).collect()
    }
}

/// What memory may hold: by offset, and what may be anywhere.
#[derive(Default)]
pub(super) struct Contents {
    at: BTreeMap<u64, Places>,
    anywhere: Places,
}

impl Contents {
    /// Adds what is written; whether that is anything new.
    pub fn write(&mut self, offset: Option<u64>, value: &Places) -> bool {
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
        let mut all = self.anywhere.clone();
        for (&at, value) in &self.at {
            match offset {
                Some(offset) if offset != at && offset.abs_diff(at) >= POINTER.into() => {}
                // A part of it, perhaps beside a part of another one.
                Some(offset) if offset != at => _ = all.join(&value.clone().anywhere()),
                _ => _ = all.join(value),
            }
        }
        if size < POINTER { all.anywhere() } else { all }
    }
}

/// Bytes of a pointer.
pub(super) const POINTER: u8 = 8;
