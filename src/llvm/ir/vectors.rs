//! Vectors, taken apart: an instruction on vectors becomes one for each element, and a vector is a structure of its elements.
//!
//! Loads and stores of vectors stay: they are as many accesses as there are elements, side by side. What cannot be taken apart (addresses in vectors, masked and
//! scattered accesses, vectors of bits in memory, integers of more than 64 bits) becomes an instruction that is not supported.

use super::*;

/// Takes the vectors of a module apart.
pub(super) fn expand(module: &mut Module) {
    if !module.types.has_vectors() {
        return;
    }
    let Module { types, functions, .. } = module;
    for function in functions {
        for block in &mut function.blocks {
            let instructions = std::mem::take(&mut block.instructions);
            let mut expander = Expander { types, locals: &mut function.locals, out: Vec::new(), debug: None };
            for instruction in instructions {
                expander.instruction(instruction);
            }
            block.instructions = expander.out;
        }
    }
}

struct Expander<'m> {
    types: &'m mut Types,
    locals: &'m mut Vec<String>,
    out: Vec<Instruction>,
    debug: Option<u32>,
}

/// Why something is not taken apart.
type Refused = &'static str;

impl Expander<'_> {
    fn instruction(&mut self, instruction: Instruction) {
        self.debug = instruction.debug;
        match self.elementwise(&instruction) {
            Ok(Some((ty, elements))) => self.assemble(instruction.result, ty, elements),
            Ok(None) => self.out.push(instruction),
            Err(what) => self.out.push(Instruction { op: Op::Unsupported(what.to_owned()), ..instruction }),
        }
    }

    /// The type of a result that is taken apart, and its elements; nothing for an instruction that stays.
    fn elementwise(&mut self, instruction: &Instruction) -> Result<Option<(TypeId, Vec<Value>)>, Refused> {
        let (ty, elements) = match &instruction.op {
            Op::Bin { op, signed, ty, a, b } => {
                let Some((n, element)) = self.types.lanes(*ty) else { return Ok(None) };
                let bin = |(a, b)| Op::Bin { op: op.clone(), signed: *signed, ty: element, a, b };
                (*ty, self.pairs(n, *ty, a, b, bin))
            }
            Op::FNeg { ty, a } => {
                let Some((n, element)) = self.types.lanes(*ty) else { return Ok(None) };
                let each = (0..n).map(|i| {
                    let a = self.element(*ty, a, i);
                    self.emit(Op::FNeg { ty: element, a })
                });
                (*ty, each.collect())
            }
            Op::Compare { float, predicate, ty, a, b } => {
                let Some((n, element)) = self.types.lanes(*ty) else { return Ok(None) };
                let compare = |(a, b)| Op::Compare { float: *float, predicate: predicate.clone(), ty: element, a, b };
                let elements = self.pairs(n, *ty, a, b, compare);
                let bit = self.types.add(Type::Int(1));
                (self.types.add(Type::Vector(n, bit)), elements)
            }
            Op::Select { cond_ty, cond, ty, a, b } => {
                let Some((n, _)) = self.types.lanes(*cond_ty) else { return Ok(None) };
                let Some((_, element)) = self.types.lanes(*ty) else { return Err("select") };
                let each = (0..n).map(|i| {
                    let cond = self.element(*cond_ty, cond, i);
                    let (a, b) = (self.element(*ty, a, i), self.element(*ty, b, i));
                    self.select(cond, element, a, b)
                });
                (*ty, each.collect())
            }
            Op::Cast { op, from, value, to } => return self.cast(op, *from, value, *to),
            Op::ExtractElement { ty, value, index_ty, index } => {
                let Some((n, element)) = self.types.lanes(*ty) else { return Err("extractelement") };
                let found = match constant(index) {
                    Some(i) => self.element(*ty, value, i.min(n - 1)),
                    None => {
                        let mut found = self.element(*ty, value, 0);
                        for i in 1..n {
                            let cond = self.is(*index_ty, index, i);
                            let this = self.element(*ty, value, i);
                            found = self.select(cond, element, this, found);
                        }
                        found
                    }
                };
                (element, vec![found])
            }
            Op::InsertElement { ty, value, part, index_ty, index } => {
                let Some((n, element)) = self.types.lanes(*ty) else { return Err("insertelement") };
                let each = (0..n).map(|i| {
                    let old = self.element(*ty, value, i);
                    match constant(index) {
                        Some(at) if at == i => part.clone(),
                        Some(_) => old,
                        None => {
                            let cond = self.is(*index_ty, index, i);
                            self.select(cond, element, part.clone(), old)
                        }
                    }
                });
                (*ty, each.collect())
            }
            Op::Shuffle { ty, a, b, mask_ty, mask } => {
                let Some((n, element)) = self.types.lanes(*ty) else { return Err("shufflevector") };
                let Some((m, _)) = self.types.lanes(*mask_ty) else { return Err("shufflevector") };
                let each = (0..m).map(|i| match constant_element(mask, i) {
                    Some(from) if from < n => self.element(*ty, a, from),
                    Some(from) => self.element(*ty, b, from - n),
                    None => Value::Undef,
                });
                let elements: Vec<Value> = each.collect();
                (self.types.add(Type::Vector(m, element)), elements)
            }
            Op::Call { ret, callee: Value::Global(name), args } if name.starts_with("llvm.") => {
                return self.intrinsic(*ret, name, args);
            }
            Op::Load { ty, .. } | Op::Store { ty, .. } => match self.types.lanes(*ty) {
                Some((_, element)) if self.types.scalar_bits(element).is_some_and(|bits| bits % 8 != 0) => {
                    return Err("load or store of a vector of bits");
                }
                _ => return Ok(None),
            },
            Op::Gep { indices, .. } => match indices.iter().any(|(ty, _)| self.types.lanes(*ty).is_some()) {
                true => return Err("getelementptr of a vector"),
                false => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some((ty, elements)))
    }

    fn pairs(&mut self, n: u64, ty: TypeId, a: &Value, b: &Value, op: impl Fn((Value, Value)) -> Op) -> Vec<Value> {
        let each = (0..n).map(|i| {
            let pair = (self.element(ty, a, i), self.element(ty, b, i));
            self.emit(op(pair))
        });
        each.collect()
    }

    fn cast(
        &mut self,
        op: &str,
        from: TypeId,
        value: &Value,
        to: TypeId,
    ) -> Result<Option<(TypeId, Vec<Value>)>, Refused> {
        let (source, target) = (self.types.lanes(from), self.types.lanes(to));
        if source.is_none() && target.is_none() {
            return Ok(None);
        }
        let ((n, source), (m, target)) = (source.unwrap_or((1, from)), target.unwrap_or((1, to)));
        let elements: Vec<Value> = (0..n).map(|i| self.element(from, value, i)).collect();
        if n == m {
            let each = elements
                .into_iter()
                .map(|value| self.emit(Op::Cast { op: op.to_owned(), from: source, value, to: target }));
            return Ok(Some((to, each.collect())));
        }
        let (Some(narrow), Some(wide)) = (self.types.scalar_bits(source), self.types.scalar_bits(target)) else {
            return Err("bitcast of a vector");
        };
        let (narrow, wide) = (u64::from(narrow), u64::from(wide));
        let (source_int, target_int) =
            (self.types.add(Type::Int(narrow as u32)), self.types.add(Type::Int(wide as u32)));
        let bits: Vec<Value> =
            elements.into_iter().map(|value| self.reinterpreted(source, value, source_int)).collect();
        let out: Vec<Value> = if wide > narrow {
            let together = bits.chunks((wide / narrow) as usize).map(|parts| {
                let mut all = Value::Zero;
                for (i, part) in parts.iter().enumerate() {
                    let (from, value, to) = (source_int, part.clone(), target_int);
                    let part = self.emit(Op::Cast { op: "zext".to_owned(), from, value, to });
                    let part = self.integer("shl", target_int, part, narrow * i as u64);
                    all = self.emit(bin("or", target_int, all, part));
                }
                all
            });
            together.collect()
        } else {
            let mut parts = Vec::new();
            for value in bits {
                for i in 0..narrow / wide {
                    let value = self.integer("lshr", source_int, value.clone(), wide * i);
                    let (from, to) = (source_int, target_int);
                    parts.push(self.emit(Op::Cast { op: "trunc".to_owned(), from, value, to }));
                }
            }
            parts
        };
        let out = out.into_iter().map(|value| self.reinterpreted(target_int, value, target)).collect();
        Ok(Some((to, out)))
    }

    /// The same bits as another type of the same width.
    fn reinterpreted(&mut self, from: TypeId, value: Value, to: TypeId) -> Value {
        match from == to {
            true => value,
            false => self.emit(Op::Cast { op: "bitcast".to_owned(), from, value, to }),
        }
    }

    /// Reductions, and functions that are computed element by element.
    fn intrinsic(&mut self, ret: TypeId, name: &str, args: &[Arg]) -> Result<Option<(TypeId, Vec<Value>)>, Refused> {
        let vector = args.iter().find(|arg| self.types.lanes(arg.ty).is_some());
        let Some((n, element, vector)) = vector.and_then(|arg| {
            let (n, element) = self.types.lanes(arg.ty)?;
            Some((n, element, arg.clone()))
        }) else {
            return Ok(None);
        };
        let elements: Vec<Value> = (0..n).map(|i| self.element(vector.ty, &vector.value, i)).collect();
        if let Some(reduction) = name.strip_prefix("llvm.vector.reduce.") {
            let word = reduction.split('.').next().unwrap_or_default();
            let start = args.first().filter(|arg| arg.ty == element).map(|arg| arg.value.clone());
            let mut all = start.into_iter().chain(elements);
            let Some(first) = all.next() else { return Err("reduction of an empty vector") };
            let mut value = first;
            for next in all {
                value = match word {
                    "add" | "mul" | "and" | "or" | "xor" | "fadd" | "fmul" => {
                        self.emit(bin(word, element, value, next))
                    }
                    "smax" | "smin" | "umax" | "umin" => {
                        let name = format!("llvm.{word}.{}", self.suffix(element));
                        self.call(element, name, element, [value, next])
                    }
                    "fmax" | "fmin" => {
                        let name = format!("llvm.{}num.{}", &word[1..], self.suffix(element));
                        self.call(element, name, element, [value, next])
                    }
                    _ => return Err("reduction of a vector"),
                };
            }
            return Ok(Some((ret, vec![value])));
        }
        let Some((m, ret_element)) = self.types.lanes(ret) else { return Err("call on a vector") };
        let same = args.iter().all(|arg| self.types.lanes(arg.ty).is_none_or(|(k, _)| k == n));
        if m != n || !same || name.starts_with("llvm.masked.") {
            return Err("call on a vector");
        }
        let scalar = name.replace(&format!(".v{n}"), ".");
        let each = (0..n).map(|i| {
            let args = args.iter().map(|arg| match self.types.lanes(arg.ty) {
                Some((_, ty)) => Arg { ty, value: self.element(arg.ty, &arg.value, i), ..arg.clone() },
                None => arg.clone(),
            });
            let args = args.collect();
            self.emit(Op::Call { ret: ret_element, callee: Value::Global(scalar.clone()), args })
        });
        Ok(Some((ret, each.collect())))
    }

    /// How the name of an intrinsic function calls a type.
    fn suffix(&self, ty: TypeId) -> String {
        match self.types.get(ty) {
            Type::Float(bits) => format!("f{bits}"),
            _ => format!("i{}", self.types.scalar_bits(ty).unwrap_or_default()),
        }
    }

    fn call(&mut self, ret: TypeId, name: String, ty: TypeId, values: [Value; 2]) -> Value {
        let args = values.map(|value| Arg { ty, value, align: 1 }).into();
        self.emit(Op::Call { ret, callee: Value::Global(name), args })
    }

    fn integer(&mut self, op: &str, ty: TypeId, value: Value, by: u64) -> Value {
        if by == 0 { value } else { self.emit(bin(op, ty, value, Value::Int(by))) }
    }

    fn is(&mut self, ty: TypeId, value: &Value, n: u64) -> Value {
        let (a, b) = (value.clone(), Value::Int(n));
        self.emit(Op::Compare { float: false, predicate: "eq".to_owned(), ty, a, b })
    }

    fn select(&mut self, cond: Value, ty: TypeId, a: Value, b: Value) -> Value {
        let cond_ty = self.types.add(Type::Int(1));
        self.emit(Op::Select { cond_ty, cond, ty, a, b })
    }

    /// An element of a vector; of a scalar, itself.
    fn element(&mut self, ty: TypeId, value: &Value, i: u64) -> Value {
        match value {
            _ if self.types.lanes(ty).is_none() => value.clone(),
            Value::Zero | Value::Undef | Value::Unsupported(_) => value.clone(),
            Value::Aggregate(parts) => parts.get(i as usize).map_or(Value::Undef, |(_, part)| part.clone()),
            Value::Bytes(bytes) => bytes.get(i as usize).map_or(Value::Undef, |&byte| Value::Int(u64::from(byte))),
            _ => self.emit(Op::ExtractValue { ty, value: value.clone(), path: vec![i as u32] }),
        }
    }

    fn emit(&mut self, op: Op) -> Value {
        let local = self.locals.len() as Local;
        self.locals.push(String::new());
        self.out.push(Instruction { result: Some(local), op, debug: self.debug });
        Value::Local(local)
    }

    /// Gives a result its elements.
    fn assemble(&mut self, result: Option<Local>, ty: TypeId, elements: Vec<Value>) {
        let Some(result) = result else { return };
        let debug = self.debug;
        let Some((_, part_ty)) = self.types.lanes(ty) else {
            let value = elements.into_iter().next().unwrap_or(Value::Undef);
            self.out.push(Instruction { result: Some(result), op: Op::Freeze { ty, value }, debug });
            return;
        };
        let mut value = Value::Undef;
        let last = elements.len().saturating_sub(1);
        for (i, part) in elements.into_iter().enumerate() {
            let op = Op::InsertValue { ty, value: value.clone(), part_ty, part, path: vec![i as u32] };
            if i == last {
                self.out.push(Instruction { result: Some(result), op, debug });
            } else {
                value = self.emit(op);
            }
        }
    }
}

fn bin(op: &str, ty: TypeId, a: Value, b: Value) -> Op {
    Op::Bin { op: op.to_owned(), signed: false, ty, a, b }
}

fn constant(value: &Value) -> Option<u64> {
    match value {
        Value::Int(n) => Some(*n),
        Value::Zero => Some(0),
        _ => None,
    }
}

/// An element of a constant mask; nothing where any will do.
fn constant_element(mask: &Value, i: u64) -> Option<u64> {
    match mask {
        Value::Aggregate(parts) => constant(&parts.get(i as usize)?.1),
        _ => constant(mask),
    }
}
