//! What the user calls a location or a value.

use crate::explore::engine::context::World;
use crate::graph::Graph;
use crate::graph::event::{Event, Kind, NO_LOC};
use crate::program::thread::function_at;
use crate::program::{Cell, Instr, Layout, Object, Program, Region, THREAD_LOCAL_STRIDE};

/// Names for the addresses of one execution.
pub struct Names<'a> {
    world: &'a World<'a>,
    /// Memory of variables and of allocations.
    blocks: Vec<Block<'a>>,
}

/// Memory without a global name.
struct Block<'a> {
    address: u64,
    size: u64,
    name: String,
    /// The structure in it, as an access tells.
    layout: Option<&'a Layout>,
    /// The size of all accesses, 0 when they differ.
    scalars: u8,
    /// Whether something other than its beginning is accessed.
    beyond: bool,
}

/// The size of accesses to a block that has none.
const NOT_ACCESSED: u8 = u8::MAX;

impl<'a> Names<'a> {
    /// The names of an execution: those of the program, and a number for each block of heap or stack memory.
    pub fn new(world: &'a World<'a>, graph: &Graph) -> Names<'a> {
        let mut blocks = Vec::new();
        let mut heap = 0;
        let mut name = |variable: &str| match variable {
            "" => {
                heap += 1;
                format!("heap#{heap}")
            }
            variable => variable.to_owned(),
        };
        for block in world.memory.blocks().iter().filter(|b| b.heap || b.stack) {
            let (address, size) = (block.address, block.bytes.len() as u64);
            blocks.push(Block {
                address,
                size,
                name: name(&block.name),
                layout: None,
                scalars: NOT_ACCESSED,
                beyond: false,
            });
        }
        for (t, lane) in graph.lanes().iter().enumerate() {
            let mut own: Vec<String> = Vec::new();
            for event in lane.order.iter().map(|&e| graph.event(e)) {
                if let Kind::Alloc(region) = event.kind {
                    let variable = if region == Region::Stack { variable(world.program, event) } else { "" };
                    let mut name = name(variable);
                    if region == Region::Stack {
                        name += &format!("@T{t}");
                        let again = own.iter().filter(|n| **n == name).count();
                        own.push(name.clone());
                        if again > 0 {
                            name += &format!("#{}", again + 1);
                        }
                    }
                    blocks.push(Block {
                        address: event.value,
                        size: event.size,
                        name,
                        layout: None,
                        scalars: NOT_ACCESSED,
                        beyond: false,
                    });
                }
            }
        }
        for event in graph.ids().map(|e| graph.event(e)).filter(|e| e.loc != NO_LOC) {
            let (address, size) = world.locs.get(event.loc);
            let holds = |b: &&mut Block<'_>| address >= b.address && address - b.address < b.size.max(1);
            if let Some(block) = blocks.iter_mut().find(holds) {
                block.accessed(address - block.address, size);
            }
            let Some(frame) = event.before.as_ref().map(|t| t.frame()) else { continue };
            let Some((layout, offset)) = world.program.layout_at(frame.func, frame.pc) else { continue };
            let Some(start) = address.checked_sub(offset) else { continue };
            let inside = |b: &&mut Block<'_>| start >= b.address && start - b.address < b.size.max(1);
            if let Some(block) = blocks.iter_mut().find(inside)
                && (start - block.address) % layout.size == 0
            {
                block.layout.get_or_insert(layout);
            }
        }
        Names { world, blocks }
    }

    /// The name of the memory at an address, if there is an object there.
    pub fn location(&self, address: u64, size: u8) -> Option<String> {
        if let Some(object) = self.world.program.object_at(address) {
            return Some(inside(object, &object.name, address - object.address, size));
        }
        let holds = |b: &&Block<'_>| address >= b.address && address - b.address < b.size.max(1);
        if let Some(block) = self.blocks.iter().find(holds) {
            return Some(block.inside(address - block.address, size));
        }
        if address >= THREAD_LOCAL_STRIDE {
            let base = address % THREAD_LOCAL_STRIDE;
            let object = self.world.program.object_at(base).filter(|o| o.thread_local)?;
            let thread = address / THREAD_LOCAL_STRIDE - 1;
            return Some(inside(object, &format!("{}@T{thread}", object.name), base - object.address, size));
        }
        None
    }

    /// The object that ends right before an address.
    pub fn ending_at(&self, address: u64) -> Option<&str> {
        let last = address.checked_sub(1)?;
        let object = self.world.program.object_at(last).map(|object| object.name.as_str());
        let block = || self.blocks.iter().find(|block| block.size > 0 && block.address + (block.size - 1) == last);
        object.or_else(|| block().map(|block| block.name.as_str()))
    }

    /// The name of what a pointer points to. In a block that is a number of bytes: how a compiler accesses the block tells nothing.
    pub fn pointer(&self, address: u64) -> Option<String> {
        let holds = |b: &&Block<'_>| address >= b.address && address - b.address < b.size.max(1);
        match self.blocks.iter().find(holds) {
            Some(block) if address == block.address => Some(block.name.clone()),
            Some(block) => Some(format!("{}+{}", block.name, address - block.address)),
            None => self.location(address, 1),
        }
    }

    /// As [`Self::location`], with the bare address when nothing is there.
    pub fn location_or_address(&self, address: u64, size: u8) -> String {
        self.location(address, size).unwrap_or_else(|| format!("{address:#x}"))
    }

    /// A value: a number, or the object or function that it points to.
    pub fn value(&self, value: u64, size: u8) -> String {
        if size == 8 && value >= 4096 {
            if let Some(function) = function_at(self.world.program, value) {
                return self.world.program.functions[function.index()].name.clone();
            }
            if let Some(name) = self.location(value, 0) {
                return format!("&{name}");
            }
        }
        number(value, size)
    }
}

impl Block<'_> {
    fn inside(&self, offset: u64, size: u8) -> String {
        let name = &self.name;
        if let Some(layout) = self.layout {
            let (element, rest) = (offset / layout.size, offset % layout.size);
            let element = if self.size > layout.size { format!("[{element}]") } else { String::new() };
            if size == 0 {
                return format!("{name}{element}{}", pointed_to(&layout.cells, rest));
            }
            if let Some(cell) = layout.cells.iter().find(|c| c.offset == rest && c.size == size) {
                return format!("{name}{element}{}", public(&cell.path));
            }
        }
        let width = u64::from(self.scalars);
        match offset {
            0 if size == 0 || !self.beyond => name.clone(),
            _ if (1..u64::from(NOT_ACCESSED)).contains(&width) && offset.is_multiple_of(width) => {
                format!("{name}[{}]", offset / width)
            }
            0 => name.clone(),
            _ => format!("{name}+{offset}"),
        }
    }

    /// Takes note of an access of so many bytes: a block that is accessed only in one size is an array of such numbers.
    fn accessed(&mut self, offset: u64, size: u8) {
        self.beyond |= offset > 0;
        self.scalars = match self.scalars {
            NOT_ACCESSED if offset.is_multiple_of(u64::from(size.max(1))) => size,
            same if same == size => size,
            _ => 0,
        };
    }
}

/// What the source calls the variable that an event makes room for.
fn variable<'p>(program: &'p Program, event: &Event) -> &'p str {
    let instr = event.before.as_ref().and_then(|thread| {
        let frame = thread.frame();
        program.functions.get(frame.func.index())?.code.get(frame.pc as usize)
    });
    match instr {
        Some(Instr::Alloc { name, .. }) => name,
        _ => "local",
    }
}

/// A number of `size` bytes: with its sign when it is a small negative one, in hexadecimal when it is large.
pub fn number(value: u64, size: u8) -> String {
    let shift = 64 - 8 * u32::from(size.clamp(1, 8));
    let signed = ((value << shift) as i64) >> shift;
    if (-65_536..0).contains(&signed) && size >= 4 {
        signed.to_string()
    } else if value >= 1 << 32 {
        format!("{value:#x}")
    } else {
        value.to_string()
    }
}

/// A path up to members that are the library's own business (`m.__data.__lock` is `m`).
fn public(path: &str) -> &str {
    path.split(".__").next().unwrap_or(path)
}

fn inside(object: &Object, name: &str, offset: u64, size: u8) -> String {
    if size == 0 {
        return format!("{name}{}", pointed_to(&object.cells, offset));
    }
    match object.cells.iter().find(|c| c.offset == offset && c.size == size) {
        Some(cell) => format!("{name}{}", public(&cell.path)),
        // A part of something that is the library's own business.
        None if offset == 0 || object.cells.iter().all(|c| c.path.starts_with(".__")) && !object.cells.is_empty() => {
            name.to_owned()
        }
        None => format!("{name}+{offset}"),
    }
}

/// What a pointer to an offset points to: the largest part of an object that begins there, other than a whole array.
///
/// A pointer to `nodes[1].next` is called `&nodes[1]` when `next` is the first member: which of the two is meant, its value does not say.
fn pointed_to(cells: &[Cell], offset: u64) -> String {
    let Some(cell) = cells.iter().find(|c| c.offset == offset) else {
        return if offset == 0 { String::new() } else { format!("+{offset}") };
    };
    let path = public(&cell.path);
    let begins_here = |part: &str| !cells.iter().any(|c| c.offset < offset && c.path.starts_with(part));
    let ends = path.char_indices().skip(1).filter(|&(_, c)| c == '.' || c == '[').map(|(i, _)| i).chain([path.len()]);
    let parts = ends.map(|end| &path[..end]);
    let largest = if offset == 0 && !path.starts_with('[') { Some("") } else { None };
    largest.or_else(|| parts.into_iter().find(|part| begins_here(part))).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Cell, number, pointed_to};

    #[test]
    fn a_pointer_is_named_after_the_largest_part_that_begins_there() {
        let cell = |offset, path: &str| Cell { offset, size: 8, path: path.into() };
        let nodes = [cell(0, "[0].next"), cell(8, "[0].value"), cell(16, "[1].next"), cell(24, "[1].value")];
        let named = [0, 8, 16, 24, 20].map(|offset| pointed_to(&nodes, offset));
        assert_eq!(named, ["[0]", "[0].value", "[1]", "[1].value", "+20"]);
        let structure = [cell(0, ".first"), cell(8, ".inner.a"), cell(16, ".inner.b"), cell(24, ".m.__data.__lock")];
        let named = [0, 8, 16, 24].map(|offset| pointed_to(&structure, offset));
        assert_eq!(named, ["", ".inner", ".inner.b", ".m"]);
    }

    #[test]
    fn numbers_have_the_sign_that_a_reader_expects() {
        assert_eq!(number(0xffff_ffff, 4), "-1");
        assert_eq!(number(u64::MAX, 8), "-1");
        assert_eq!(number(255, 1), "255");
        assert_eq!(number(0x1_0000_0000, 8), "0x100000000");
        assert_eq!(number(42, 4), "42");
    }
}
