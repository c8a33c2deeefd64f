//! Base names: what each set and relation that a model asks for means in a graph.

use crate::algebra::places::{PARTS, PARTS_IN_MEMORY};
use crate::algebra::simplify::orient::JOINT;
use crate::graph::event::Kind;
use crate::ids::TagId;
use crate::program::Program;
use crate::program::crash::Unit;

/// A base set that graphs give a meaning to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetName {
    Memory,
    Read,
    Write,
    InitialWrite,
    Fence,
    Tag(TagId),
}

/// A base relation that graphs give a meaning to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RelName {
    Po,
    Loc,
    Int,
    Ext,
    Rf,
    RfLock,
    Co,
    Addr,
    Data,
    Ctrl,
    Compared,
    PickAddr,
    PickData,
    PickCtrl,
    Amo,
    Lxsx,
    SameInstance,
    SameAccess,
    Parts,
    ThreadSync,
    Place(PlaceName),
}

/// A relation between events by where they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlaceName {
    /// In one unit of this kind.
    Same(Unit),
    /// In one inode, where the offset of the first is below the value of the second, which is a write.
    Below,
    /// The first is a write whose value is an address in the inode of the second.
    PointsTo,
}

impl RelName {
    /// Whether it is a pick dependency.
    pub(in crate::graph) fn is_pick(self) -> bool {
        matches!(self, RelName::PickAddr | RelName::PickData | RelName::PickCtrl)
    }

    /// Whether an event of this kind may have edges in it, at the time when it is added.
    pub(in crate::graph) fn concerns(self, kind: Kind) -> bool {
        match self {
            RelName::Ext | RelName::Loc | RelName::SameAccess | RelName::Parts | RelName::Place(_) => true,
            RelName::Rf | RelName::RfLock => kind != Kind::Fence,
            RelName::Co => kind.writes(),
            RelName::Amo | RelName::Lxsx => kind == Kind::Write,
            RelName::Compared => kind == Kind::Read,
            _ => kind != Kind::Init,
        }
    }
}

/// The base names that every graph gives a meaning to, besides tags: sets, then relations.
pub const BASE_SETS: [&str; 6] = ["M", "R", "W", "IW", "F", "Exp"];
/// See [`BASE_SETS`].
pub const BASE_RELATIONS: [&str; 25] = [
    "po",
    "loc",
    "int",
    "ext",
    "rf",
    "rf-lock",
    "co",
    "addr",
    "data",
    "ctrl",
    "casdep",
    "pick-addr",
    "pick-data",
    "pick-ctrl",
    "amo",
    "lxsx",
    "same-instance",
    "si",
    "sm",
    "thread-sync",
    "same-line",
    "same-block",
    "same-inode",
    "below",
    "points-to",
];

/// Those of them that say on which reads an event depends.
pub(crate) const DEPENDENCIES: [&str; 7] = ["addr", "data", "ctrl", "casdep", "pick-addr", "pick-data", "pick-ctrl"];
/// Those that relate the two halves of a read-modify-write.
pub(crate) const HALVES: [&str; 2] = ["amo", "lxsx"];

pub(in crate::graph) fn set_name(program: &Program, name: &str) -> Option<SetName> {
    let tag = || program.tags.iter().position(|t| t == name).map(|tag| SetName::Tag(TagId::at(tag)));
    fixed_set_name(name).or_else(tag)
}

/// The sets that are no tags.
pub(in crate::graph) fn fixed_set_name(name: &str) -> Option<SetName> {
    Some(match name {
        "M" | "Exp" => SetName::Memory,
        "R" => SetName::Read,
        "W" => SetName::Write,
        "IW" => SetName::InitialWrite,
        "F" => SetName::Fence,
        _ => return None,
    })
}

pub(in crate::graph) fn rel_name(name: &str) -> Option<RelName> {
    Some(match name {
        "po" => RelName::Po,
        "loc" => RelName::Loc,
        "int" => RelName::Int,
        "ext" => RelName::Ext,
        "rf" => RelName::Rf,
        "rf-lock" => RelName::RfLock,
        "co" => RelName::Co,
        "addr" => RelName::Addr,
        "data" => RelName::Data,
        "ctrl" => RelName::Ctrl,
        "casdep" => RelName::Compared,
        "pick-addr" => RelName::PickAddr,
        "pick-data" => RelName::PickData,
        "pick-ctrl" => RelName::PickCtrl,
        "amo" => RelName::Amo,
        "lxsx" => RelName::Lxsx,
        "same-instance" => RelName::SameInstance,
        "si" | "sm" | PARTS_IN_MEMORY => RelName::SameAccess,
        PARTS => RelName::Parts,
        "thread-sync" => RelName::ThreadSync,
        "same-line" => RelName::Place(PlaceName::Same(Unit::Line)),
        "same-block" => RelName::Place(PlaceName::Same(Unit::Block)),
        "same-inode" => RelName::Place(PlaceName::Same(Unit::Inode)),
        "below" => RelName::Place(PlaceName::Below),
        "points-to" => RelName::Place(PlaceName::PointsTo),
        _ => return None,
    })
}

/// What the intersection of two base relations is, where one of them says no more than which threads or locations the ends of an edge
/// have.
pub(in crate::graph) fn joint_of(first: &str, second: &str) -> Option<(RelName, RelName)> {
    let (a, b) = (rel_name(first)?, rel_name(second)?);
    let confines = |name| matches!(name, RelName::Loc | RelName::Int | RelName::Ext);
    let confined = |name| matches!(name, RelName::Po | RelName::Rf);
    match (a, b) {
        (a, b) if confined(a) && confines(b) => Some((a, b)),
        (a, b) if confined(b) && confines(a) => Some((b, a)),
        _ => None,
    }
}

/// The same, from the name of a joint relation.
pub(in crate::graph) fn joint_name(name: &str) -> Option<(RelName, RelName)> {
    // Most names are those of one relation, and looking for a string takes preparation: both are short.
    let at = name.as_bytes().windows(JOINT.len()).position(|part| part == JOINT.as_bytes())?;
    joint_of(name.get(..at)?, name.get(at + JOINT.len()..)?)
}
