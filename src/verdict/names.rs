//! What the user calls a location or a value.

use crate::explore::world::World;
use crate::graph::Graph;
use crate::graph::event::Kind;
use crate::program::thread::function_at;
use crate::program::{Object, Region};

/// Names for the addresses of one execution.
pub struct Names<'a> {
    world: &'a World<'a>,
    /// Blocks without a name of their own: address, size, name.
    blocks: Vec<(u64, u64, String)>,
}

/// Distance between the instances of a thread-local object, as `explore::world` places them.
const THREAD_LOCAL_STRIDE: u64 = 1 << 44;

impl<'a> Names<'a> {
    /// The names of an execution: those of the program, and a number for each block of heap or stack memory.
    pub fn new(world: &'a World<'a>, graph: &Graph) -> Names<'a> {
        let mut blocks = Vec::new();
        for block in world.memory.blocks().iter().filter(|b| b.name.is_empty()) {
            blocks.push((block.address, block.bytes.len() as u64, format!("heap#{}", blocks.len() + 1)));
        }
        for lane in graph.lanes() {
            for event in lane.order.iter().map(|&e| graph.event(e)) {
                if let Kind::Alloc(region) = event.kind {
                    let kind = if region == Region::Stack { "stack" } else { "heap" };
                    blocks.push((event.value, event.size, format!("{kind}#{}", blocks.len() + 1)));
                }
            }
        }
        Names { world, blocks }
    }

    /// The name of the memory at an address, if there is an object there.
    pub fn location(&self, address: u64, size: u8) -> Option<String> {
        if let Some(object) = self.world.program.object_at(address) {
            return Some(inside(object, &object.name, address - object.address, size));
        }
        if let Some((start, _, name)) = self.blocks.iter().find(|b| address >= b.0 && address - b.0 < b.1.max(1)) {
            let offset = address - start;
            return Some(if offset == 0 { name.clone() } else { format!("{name}+{offset}") });
        }
        if address >= THREAD_LOCAL_STRIDE {
            let base = address % THREAD_LOCAL_STRIDE;
            let object = self.world.program.object_at(base).filter(|o| o.thread_local)?;
            let thread = address / THREAD_LOCAL_STRIDE - 1;
            return Some(inside(object, &format!("{}@T{thread}", object.name), base - object.address, size));
        }
        None
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

fn inside(object: &Object, name: &str, offset: u64, size: u8) -> String {
    match object.cells.iter().find(|c| c.offset == offset && (size == 0 || c.size == size)) {
        // The address of a whole object is not that of its first part.
        Some(_) if size == 0 && offset == 0 => name.to_owned(),
        Some(cell) => format!("{name}{}", cell.path),
        None if offset == 0 => name.to_owned(),
        None => format!("{name}+{offset}"),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_the_sign_that_a_reader_expects() {
        assert_eq!(number(0xffff_ffff, 4), "-1");
        assert_eq!(number(u64::MAX, 8), "-1");
        assert_eq!(number(255, 1), "255");
        assert_eq!(number(0x1_0000_0000, 8), "0x100000000");
        assert_eq!(number(42, 4), "42");
    }
}
