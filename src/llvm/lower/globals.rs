//! Global variables: addresses first, contents second, because contents may hold addresses.

use super::Lowering;
use crate::llvm::error::{Error, ErrorKind};
use crate::llvm::ir::{ConstExpr, Global, Module, Type, TypeId, Value};
use crate::llvm::library;
use crate::llvm::names::{of_cpp, readable};
use crate::program::crash::Lines;
use crate::program::{Cell, Object, ProgramBuilder, Variable};

/// Largest total size of initial memory.
pub(super) const MAX_BYTES: u64 = 1 << 28;
/// The sections of variables of which each processor has its own begin so.
const PER_CPU: &str = ".data..percpu";
/// The array that stands for how these are laid out.
pub(super) const LAYOUT: &str = "__hmc_per_cpu";
/// The section of variables that survive a crash.
const PERSISTENT: &str = "hmc.persistent";
/// Bytes of a line of the cache.
pub const LINE: u64 = 64;
/// Deepest nesting of constants; the parser allows no more either.
const MAX_DEPTH: u32 = 200;
/// Most scalars that an object without debug information is described by.
const MAX_CELLS: usize = 65_536;

/// Global variables in the order of their addresses. Constants come last: how long the texts of assertions are, which name the file, must not
/// decide where variables are, which analyses look at.
fn placed(module: &Module) -> impl Iterator<Item = &Global> {
    let is_placed =
        |g: &&Global| !g.name.starts_with("llvm.") && !is_per_cpu(g) && g.name != LAYOUT && !is_absent(module, &g.name);
    let all = move || module.globals.iter().filter(is_placed);
    let variables = move |persistent| all().filter(move |g| !g.constant && is_persistent(g) == persistent);
    variables(false).chain(variables(true)).chain(all().filter(|g| g.constant))
}

/// Whether each processor has its own instance of a variable.
pub(super) fn is_per_cpu(global: &Global) -> bool {
    global.section.as_ref().is_some_and(|section| section.starts_with(PER_CPU))
}

/// Whether a variable survives a crash.
fn is_persistent(global: &Global) -> bool {
    global.section.as_deref() == Some(PERSISTENT)
}

/// Whether a name is declared weak, and nothing has it.
pub(super) fn is_absent(module: &Module, name: &str) -> bool {
    module.weak.contains(name) && !module.defines(name) && !library::knows(name) && !is_known_external(name)
}

fn is_known_external(name: &str) -> bool {
    // Type information of C++ and handles of libraries are never looked at; libstdc++ writes what it calls once before it calls that.
    matches!(name, "stdin" | "stdout" | "stderr" | "__dso_handle" | "_ZSt15__once_callable" | "_ZSt11__once_call")
        || name.starts_with("_ZT")
}

impl<'m> Lowering<'m> {
    /// Gives every global variable an address; an error for one that there is no memory for.
    pub fn place_globals(&mut self, file: &str) -> Vec<Error> {
        let (mut total, mut errors) = (0u64, Vec::new());
        for global in placed(self.module) {
            let (size, align) = self.module.types.size_align(global.ty);
            total = total.saturating_add(size);
            if total > MAX_BYTES {
                let message = format!(
                    "`{}` is not supported: global variables of more than {MAX_BYTES} bytes",
                    readable(&global.name)
                );
                errors.push(self.global_error(global, file, message));
                return errors;
            }
            match (&global.init, global.constant) {
                (Some(Value::Bytes(text)), true) => {
                    self.texts.insert(&global.name, text);
                }
                (Some(Value::Zero), true) => {
                    self.texts.insert(&global.name, b"");
                }
                _ => {}
            }
            let object = Object {
                name: self.source_name(global),
                address: 0,
                bytes: vec![0; size as usize],
                cells: self.cells(global),
                thread_local: global.thread_local,
                read_only: global.constant,
            };
            if !global.constant && !global.thread_local && !global.name.starts_with('.') {
                let variable = Variable {
                    object: self.cx.builder.program.objects.len() as u32,
                    external: !global.private,
                    pointers: self.pointers(global),
                };
                self.cx.builder.program.variables.push(variable);
            }
            let survives = is_persistent(global);
            let is_first = self.cx.builder.program.persistence.memory.is_empty();
            let mut align = align.max(global.align).min(4096);
            if survives && (is_first || self.cx.uses.lines == Lines::Variable) {
                // They are a section of their own.
                align = align.max(LINE);
            } else if survives {
                self.cx.builder.close_up();
            }
            let address = self.cx.builder.object(object, align);
            if survives {
                self.cx.builder.program.persistence.memory.push((address, address + size.max(1) - 1));
            }
            self.addresses.insert(&global.name, address);
            if global.thread_local {
                self.thread_local.push((address, size.max(1)));
            }
        }
        errors.extend(self.place_per_cpu(file));
        for (name, value) in &self.module.aliases {
            if let Some(address) = self.constant(value, 0) {
                self.addresses.insert(name, address);
            }
        }
        errors
    }

    /// What the user calls a variable.
    pub(super) fn source_name(&self, global: &Global) -> String {
        let named = global.debug.and_then(|d| self.module.metadata.global_name(d)).map(str::to_owned);
        of_cpp(&global.name).or(named).unwrap_or_else(|| readable(&global.name))
    }

    pub(super) fn global_error(&self, global: &Global, file: &str, message: String) -> Error {
        let place = global.debug.or_else(|| self.first_use(global)).and_then(|d| self.module.metadata.place(d));
        Error {
            file: place.as_ref().map_or(file, |p| &p.file).to_owned(),
            line: place.map_or(0, |p| p.line),
            ..Error::new(ErrorKind::Unsupported, message)
        }
    }

    /// Where code uses a global first, which tells the place of one that the compiler made.
    fn first_use(&self, global: &Global) -> Option<u32> {
        let mut instructions = self.module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
        let of_global = instructions.find(|i| {
            let mut is_used = false;
            super::operands(&i.op, &mut |value| {
                is_used |= matches!(value, Value::Global(name) if *name == global.name)
            });
            is_used
        });
        of_global?.debug
    }

    /// Offsets of the pointers in a variable.
    pub(super) fn pointers(&self, global: &Global) -> Vec<u64> {
        let leaves = self.module.types.leaves(global.ty, MAX_CELLS).unwrap_or_default();
        let of_pointers = leaves.iter().filter(|leaf| matches!(self.module.types.get(leaf.ty), Type::Ptr));
        of_pointers.map(|leaf| leaf.offset).collect()
    }

    pub(super) fn cells(&self, global: &Global) -> Vec<Cell> {
        if let Some(cells) = global.debug.and_then(|d| self.module.metadata.global_cells(d)) {
            return cells;
        }
        let leaves = self.module.types.leaves(global.ty, MAX_CELLS).unwrap_or_default();
        let single = leaves.len() == 1;
        let path = |offset: u64| if single { String::new() } else { format!("+{offset}") };
        leaves.iter().map(|l| Cell { offset: l.offset, size: l.size as u8, path: path(l.offset) }).collect()
    }

    /// Writes initial contents.
    pub fn fill_globals(&mut self, file: &str) -> Vec<Error> {
        let mut errors = Vec::new();
        for (position, global) in placed(self.module).enumerate() {
            let mut bytes = std::mem::take(&mut self.cx.builder.program.objects[position].bytes);
            if let Some(init) = &global.init {
                if let Err(what) = self.fill(&mut bytes, 0, global.ty, init, 0) {
                    let message = format!("the initial value of `{}` contains {what}", readable(&global.name));
                    errors.push(self.global_error(global, file, message));
                }
            } else if !is_known_external(&global.name) {
                self.cx.note(&format!(
                    "`{}` is declared but not defined in this file; it is taken to be zero at first",
                    global.name
                ));
            }
            self.cx.builder.program.objects[position].bytes = bytes;
        }
        errors
    }

    pub(super) fn fill(
        &mut self,
        bytes: &mut [u8],
        at: u64,
        ty: TypeId,
        value: &Value,
        depth: u32,
    ) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err("constants nested too deeply".into());
        }
        let types = &self.module.types;
        match value {
            Value::Zero | Value::Undef | Value::Int(0) => Ok(()),
            Value::Bytes(text) => {
                let end = (at as usize).saturating_add(text.len());
                match bytes.get_mut(at as usize..end) {
                    Some(part) => part.copy_from_slice(text),
                    None => return Err("a text that is longer than its array".into()),
                }
                Ok(())
            }
            Value::Aggregate(parts) => {
                for (i, (_, part)) in parts.iter().enumerate() {
                    let (offset, part_ty) = types.element(ty, i as u64).ok_or("more parts than its type")?;
                    self.fill(bytes, at.saturating_add(offset), part_ty, part, depth + 1)?;
                }
                Ok(())
            }
            _ => {
                let what = || match value {
                    Value::Unsupported(what) => what.clone(),
                    _ => format!("a value of type {} that cannot be computed", types.name(ty)),
                };
                if let (Type::Int(65..=128), Value::Int(_) | Value::Wide(_)) = (types.get(ty), value) {
                    let number = match value {
                        Value::Wide(number) => *number,
                        Value::Int(number) => i128::from(*number as i64) as u128,
                        _ => 0,
                    };
                    let end = (at as usize).saturating_add(16);
                    let part = bytes.get_mut(at as usize..end).ok_or("more than fits into memory")?;
                    part.copy_from_slice(&number.to_le_bytes());
                    return Ok(());
                }
                if types.scalar_bits(ty).is_none() {
                    return Err(what());
                }
                let size = types.size(ty) as usize;
                let number = self.scalar(ty, value).ok_or_else(what)?;
                let end = (at as usize).saturating_add(size);
                let part = bytes.get_mut(at as usize..end).ok_or("more than fits into memory")?;
                part.copy_from_slice(&number.to_le_bytes()[..size]);
                Ok(())
            }
        }
    }

    /// A constant scalar of a type, as a bit pattern with zeros above its width.
    pub fn scalar(&mut self, ty: TypeId, value: &Value) -> Option<u64> {
        let bits = self.module.types.scalar_bits(ty)?;
        match (self.module.types.get(ty), value) {
            (Type::Float(32), Value::Float(x)) => Some(u64::from((*x as f32).to_bits())),
            (Type::Float(_), Value::Float(x)) => Some(x.to_bits()),
            _ => Some(mask(self.constant(value, 0)?, bits)),
        }
    }

    /// A constant integer or address.
    pub fn constant(&mut self, value: &Value, depth: u32) -> Option<u64> {
        if depth > MAX_DEPTH {
            return None;
        }
        match value {
            Value::Int(n) => Some(*n),
            Value::Wide(n) => Some(*n as u64),
            Value::Zero | Value::Undef => Some(0),
            Value::Global(name) => self.global_address(name),
            Value::Expr(expr) => match &**expr {
                ConstExpr::Gep { source, base, indices } => {
                    let base = self.constant(base, depth + 1)?;
                    let mut resolved = Vec::with_capacity(indices.len());
                    for (ty, index) in indices {
                        let bits = self.module.types.scalar_bits(*ty)?;
                        let index = self.constant(index, depth + 1)?;
                        resolved.push((*ty, Value::Int(mask(index, bits))));
                    }
                    Some(base.wrapping_add(super::values::promote::constant_offset(
                        &self.module.types,
                        *source,
                        &resolved,
                    )?))
                }
                ConstExpr::Cast { op, from, value, to } => {
                    let n = self.constant(value, depth + 1)?;
                    let (from, to) = (self.module.types.scalar_bits(*from)?, self.module.types.scalar_bits(*to)?);
                    Some(mask(if op == "sext" { sign_extend(n, from) } else { mask(n, from) }, to))
                }
                ConstExpr::Bin { op, ty, a, b } => {
                    let bits = self.module.types.scalar_bits(*ty)?;
                    let (a, b) = (mask(self.constant(a, depth + 1)?, bits), mask(self.constant(b, depth + 1)?, bits));
                    let n = match op.as_str() {
                        "add" => a.wrapping_add(b),
                        "sub" => a.wrapping_sub(b),
                        "mul" => a.wrapping_mul(b),
                        "and" => a & b,
                        "or" => a | b,
                        "xor" => a ^ b,
                        "shl" => a.checked_shl(b as u32).unwrap_or(0),
                        "lshr" => a.checked_shr(b as u32).unwrap_or(0),
                        "ashr" => (sign_extend(a, bits) as i64).checked_shr(b as u32).unwrap_or(0) as u64,
                        _ => return None,
                    };
                    Some(mask(n, bits))
                }
            },
            _ => None,
        }
    }

    /// The address of a global variable or function.
    pub fn global_address(&mut self, name: &str) -> Option<u64> {
        if let Some(&address) = self.addresses.get(name) {
            return Some(address);
        }
        if self.is_absent(name) {
            return Some(0);
        }
        let index = *self.module.function_index.get(name)?;
        let id = self.function(&self.module.functions[index].name);
        Some(ProgramBuilder::function_address(id))
    }
}

/// Keeps the low bits.
pub fn mask(value: u64, bits: u8) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

fn sign_extend(value: u64, bits: u8) -> u64 {
    let unused = 64 - u32::from(bits.clamp(1, 64));
    ((value << unused) as i64 >> unused) as u64
}
