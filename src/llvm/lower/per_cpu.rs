//! Variables of which each processor has its own: those in sections of their own.
//!
//! They make one object. In it, all of them stand behind each other once a processor, at a fixed distance, as a linker and the start of a kernel
//! would have it: an address of one instance plus the distance is that of the next, also in the middle of a variable. A program that wants the distance
//! declares an array `__hmc_per_cpu`: its length is the number of processors, and its address is the distance.

use super::Lowering;
use super::globals::{LAYOUT, MAX_BYTES, is_absent, is_per_cpu};
use crate::llvm::error::Error;
use crate::llvm::ir::{Global, Module, Type};
use crate::program::{Cell, Object, Variable};

/// The least distance.
const LEAST: u64 = 4096;
/// Instances begin at multiples of this.
const ALIGN: u64 = 64;

/// Where they are.
#[derive(Debug, Default)]
pub struct PerCpu {
    /// The number of the object.
    object: usize,
    /// Where each one is in it, for the first processor.
    offsets: Vec<u64>,
    distance: usize,
}

fn all(module: &Module) -> impl Iterator<Item = &Global> {
    module.globals.iter().filter(|global| is_per_cpu(global) && !is_absent(module, &global.name))
}

impl Lowering<'_> {
    /// Gives them addresses.
    pub(super) fn place_per_cpu(&mut self, file: &str) -> Vec<Error> {
        let module = self.module;
        let layout = module.globals.iter().find(|global| global.name == LAYOUT);
        let length = layout.and_then(|global| match module.types.get(global.ty) {
            Type::Array(length, _) => Some(*length),
            _ => None,
        });
        let count = length.unwrap_or(1).max(1);
        // An address of the object itself is none of a variable.
        let (mut offsets, mut end, mut align) = (Vec::new(), ALIGN, ALIGN);
        for global in all(module) {
            let (size, own) = module.types.size_align(global.ty);
            let own = own.max(global.align).clamp(1, 4096);
            let offset = end.next_multiple_of(own);
            offsets.push(offset);
            end = offset.saturating_add(size.max(1));
            align = align.max(own);
            if end.saturating_mul(count) > MAX_BYTES {
                let name = &global.name;
                let message =
                    format!("`{name}` is not supported: variables of processors of more than {MAX_BYTES} bytes");
                return vec![self.global_error(global, file, message)];
            }
        }
        // Memory that is allocated for each processor has the same distance, which leaves room for it.
        let distance = end.next_multiple_of(align).max(LEAST);
        if let Some(layout) = layout {
            self.addresses.insert(&layout.name, distance);
        }
        if offsets.is_empty() {
            return Vec::new();
        }
        let (mut cells, mut pointers) = (Vec::new(), Vec::new());
        for processor in 0..count {
            for (global, offset) in all(module).zip(&offsets) {
                let (at, name) = (processor * distance + offset, self.source_name(global));
                let path = |cell: &Cell| format!("{name}@{processor}{}", cell.path);
                let own = self.cells(global).into_iter();
                cells.extend(own.map(|cell| Cell { offset: at + cell.offset, path: path(&cell), size: cell.size }));
                pointers.extend(self.pointers(global).into_iter().map(|pointer| at + pointer));
            }
        }
        let bytes = vec![0; (distance * count) as usize];
        let object = Object { name: String::new(), address: 0, bytes, cells, thread_local: false, read_only: false };
        let base = self.cx.builder.object(object, align);
        for (global, offset) in all(module).zip(&offsets) {
            self.addresses.insert(&global.name, base + offset);
        }
        let program = &mut self.cx.builder.program;
        let object = program.objects.len() - 1;
        program.variables.push(Variable { object: object as u32, external: true, pointers });
        self.per_cpu = PerCpu { object, offsets, distance: distance as usize };
        Vec::new()
    }

    /// Writes initial contents: the same for each processor.
    pub(super) fn fill_per_cpu(&mut self, file: &str) -> Vec<Error> {
        let module = self.module;
        let PerCpu { object, offsets, distance } = std::mem::take(&mut self.per_cpu);
        if offsets.is_empty() {
            return Vec::new();
        }
        let mut errors = Vec::new();
        let mut bytes = std::mem::take(&mut self.cx.builder.program.objects[object].bytes);
        for (global, offset) in all(module).zip(offsets) {
            if let Some(init) = &global.init
                && let Err(what) = self.fill(&mut bytes, offset, global.ty, init, 0)
            {
                let message = format!("the initial value of `{}` contains {what}", global.name);
                errors.push(self.global_error(global, file, message));
            }
        }
        let first = bytes[..distance].to_vec();
        bytes.chunks_exact_mut(distance).skip(1).for_each(|instance| instance.copy_from_slice(&first));
        self.cx.builder.program.objects[object].bytes = bytes;
        errors
    }
}
