//! Types of a module: an arena with sizes, offsets and the scalars inside.

use rustc_hash::FxHashMap;

/// Index of a type in [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct TypeId(pub u32);

/// A type. Pointers do not say what they point to.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Type {
    Void,
    Int(u32),
    /// `float` (32) or `double` (64).
    Float(u32),
    Ptr,
    Array(u64, TypeId),
    /// A vector of scalars.
    Vector(u64, TypeId),
    Struct {
        fields: Vec<TypeId>,
        packed: bool,
    },
    /// A named structure; its body is looked up when needed.
    Named(String),
    Function {
        ret: TypeId,
        varargs: bool,
    },
    /// `label`, `metadata`, `token`, `opaque`: no values at run time.
    Other,
    /// A type that this program does not compute with, by name (`x86_fp80`, `half`, …).
    Unsupported(String, u64),
}

/// A scalar inside a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Byte offset.
    pub offset: u64,
    /// Value bits.
    pub bits: u32,
    /// Bytes that an access touches: no more than it takes for the bits.
    pub size: u64,
    /// The scalar's type.
    pub ty: TypeId,
}

/// Largest number of scalars that a value held in registers may have.
pub const MAX_LEAVES: usize = 256;

/// Deepest nesting of types that is followed.
const MAX_DEPTH: u32 = 64;

fn align_up(at: u64, align: u64) -> u64 {
    at.checked_next_multiple_of(align).unwrap_or(u64::MAX)
}

/// The type arena.
#[derive(Clone, Debug, Default)]
pub struct Types {
    all: Vec<Type>,
    index: FxHashMap<Type, TypeId>,
    named: FxHashMap<String, TypeId>,
}

impl Types {
    /// Interns a type.
    pub fn add(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = TypeId(self.all.len() as u32);
        self.all.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// Gives a named structure its body.
    pub fn define(&mut self, name: &str, body: TypeId) {
        self.named.insert(name.to_owned(), body);
    }

    /// The type behind an index, names followed.
    pub fn get(&self, id: TypeId) -> &Type {
        let mut id = id;
        for _ in 0..MAX_DEPTH {
            match &self.all[id.0 as usize] {
                Type::Named(name) => match self.named.get(name) {
                    Some(&body) => id = body,
                    None => return &Type::Other,
                },
                other => return other,
            }
        }
        &Type::Other
    }

    /// How to call a type in a message.
    pub fn name(&self, id: TypeId) -> String {
        match &self.all[id.0 as usize] {
            Type::Int(bits) => format!("i{bits}"),
            Type::Float(32) => "float".into(),
            Type::Float(_) => "double".into(),
            Type::Ptr => "ptr".into(),
            Type::Named(name) => format!("%{name}"),
            Type::Array(..) => "an array".into(),
            Type::Vector(n, element) => format!("<{n} x {}>", self.name(*element)),
            Type::Struct { .. } => "a structure".into(),
            Type::Unsupported(name, _) => name.clone(),
            Type::Void => "void".into(),
            Type::Function { .. } => "a function".into(),
            Type::Other => "an opaque type".into(),
        }
    }

    /// Size in memory and alignment.
    pub fn size_align(&self, id: TypeId) -> (u64, u64) {
        self.size_align_at(id, 0)
    }

    fn size_align_at(&self, id: TypeId, depth: u32) -> (u64, u64) {
        if depth > MAX_DEPTH {
            return (0, 1);
        }
        match self.get(id) {
            Type::Int(bits) => {
                let bytes = u64::from(*bits).div_ceil(8).max(1).next_power_of_two();
                (bytes, bytes.min(16))
            }
            Type::Float(bits) => (u64::from(*bits / 8), u64::from(*bits / 8)),
            Type::Ptr => (8, 8),
            // Vectors are read and written element by element.
            Type::Array(n, element) | Type::Vector(n, element) => {
                let (size, align) = self.size_align_at(*element, depth + 1);
                (size.saturating_mul(*n), align)
            }
            Type::Struct { fields, packed } => {
                let (mut at, mut most) = (0u64, 1);
                for &field in fields {
                    let (size, align) = self.size_align_at(field, depth + 1);
                    let align = if *packed { 1 } else { align };
                    at = align_up(at, align).saturating_add(size);
                    most = most.max(align);
                }
                (align_up(at, most), most)
            }
            Type::Unsupported(_, size) => (*size, (*size).clamp(1, 16)),
            _ => (0, 1),
        }
    }

    /// Size in memory.
    pub fn size(&self, id: TypeId) -> u64 {
        self.size_align(id).0
    }

    /// Offset and type of a structure's field, or of an array's element.
    pub fn element(&self, id: TypeId, index: u64) -> Option<(u64, TypeId)> {
        match self.get(id) {
            Type::Array(_, element) | Type::Vector(_, element) => {
                Some((self.size(*element).wrapping_mul(index), *element))
            }
            Type::Struct { fields, packed } => {
                let mut at = 0u64;
                for (i, &field) in fields.iter().enumerate() {
                    let (size, align) = self.size_align(field);
                    at = align_up(at, if *packed { 1 } else { align });
                    if i as u64 == index {
                        return Some((at, field));
                    }
                    at = at.saturating_add(size);
                }
                None
            }
            _ => None,
        }
    }

    /// The scalars of a type in order; `None` when there are more than `limit`, or one that cannot be computed with.
    pub fn leaves(&self, id: TypeId, limit: usize) -> Option<Vec<Leaf>> {
        let mut out = Vec::new();
        self.collect(id, 0, limit, 0, &mut out).then_some(out)
    }

    fn collect(&self, id: TypeId, at: u64, limit: usize, depth: u32, out: &mut Vec<Leaf>) -> bool {
        if depth > MAX_DEPTH || out.len() >= limit {
            return false;
        }
        let mut scalar = |bits: u32, size: u64| {
            out.push(Leaf { offset: at, bits, size, ty: id });
            true
        };
        match self.get(id) {
            Type::Int(bits) if *bits <= 64 => scalar(*bits, u64::from(*bits).div_ceil(8).max(1)),
            Type::Int(bits) if *bits <= 128 => {
                let mut word = |offset: u64, bits: u32| {
                    let size = u64::from(bits).div_ceil(8);
                    out.push(Leaf { offset: at.saturating_add(offset), bits, size, ty: id });
                };
                word(0, 64);
                word(8, *bits - 64);
                true
            }
            Type::Float(bits) => scalar(*bits, u64::from(*bits / 8)),
            Type::Ptr => scalar(64, 8),
            Type::Array(n, element) | Type::Vector(n, element) => {
                let size = self.size(*element);
                // Elements without contents need no loop, however many there are.
                let n = if size == 0 { 0 } else { *n };
                (0..n).all(|i| self.collect(*element, at.saturating_add(i.saturating_mul(size)), limit, depth + 1, out))
            }
            Type::Struct { fields, .. } => (0..fields.len() as u64).all(|i| {
                self.element(id, i).is_some_and(|(offset, field)| {
                    self.collect(field, at.saturating_add(offset), limit, depth + 1, out)
                })
            }),
            Type::Void => true,
            _ => false,
        }
    }

    /// The scalar's width in bits, when the type is one that can be computed with.
    pub fn scalar_bits(&self, id: TypeId) -> Option<u8> {
        match self.get(id) {
            Type::Int(bits) if *bits <= 64 => Some(*bits as u8),
            Type::Float(bits) => Some(*bits as u8),
            Type::Ptr => Some(64),
            _ => None,
        }
    }

    /// Number and type of the elements of a vector.
    pub fn lanes(&self, id: TypeId) -> Option<(u64, TypeId)> {
        match self.get(id) {
            Type::Vector(n, element) => Some((*n, *element)),
            _ => None,
        }
    }

    /// Whether there are vectors.
    pub fn has_vectors(&self) -> bool {
        self.all.iter().any(|ty| matches!(ty, Type::Vector(..)))
    }

    /// Number of scalars before the part that `path` selects, and that part's type.
    pub fn leaf_path(&self, id: TypeId, path: &[u32]) -> Option<(usize, TypeId)> {
        let (mut ty, mut before) = (id, 0);
        for &index in path {
            for i in 0..index {
                let (_, sibling) = self.element(ty, u64::from(i))?;
                before += self.leaves(sibling, MAX_LEAVES)?.len();
            }
            ty = self.element(ty, u64::from(index))?.1;
        }
        Some((before, ty))
    }

    /// All structures that have a name, with their bodies.
    pub fn structures(&self) -> impl Iterator<Item = TypeId> {
        self.named.values().copied()
    }
}
