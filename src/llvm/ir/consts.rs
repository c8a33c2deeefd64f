//! Types, values and constant expressions of textual IR.

use super::instrs::{BINARY, CASTS};
use super::lex::{Kind, unescape};
use super::parse::{Parsed, Parser};
use super::*;

/// Words that start a value rather than name an attribute.
const VALUE_WORDS: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "undef",
    "poison",
    "zeroinitializer",
    "getelementptr",
    "icmp",
    "fcmp",
    "select",
    "extractelement",
    "insertelement",
    "shufflevector",
    "blockaddress",
    "dso_local_equivalent",
    "no_cfi",
    "asm",
    "splat",
];

/// Whether a word is a value, or begins a constant expression.
fn is_value(word: &str) -> bool {
    VALUE_WORDS.contains(&word) || BINARY.contains(&word) || CASTS.contains(&word)
}

fn starts_type(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "half"
            | "bfloat"
            | "float"
            | "double"
            | "fp128"
            | "x86_fp80"
            | "x86_mmx"
            | "x86_amx"
            | "ppc_fp128"
            | "ptr"
            | "label"
            | "metadata"
            | "token"
            | "opaque"
            | "target"
    ) || word.strip_prefix('i').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// What attributes between a type and a value say.
pub struct Attributes {
    /// The type of a `byval`.
    pub byval: Option<TypeId>,
    /// What an address is a multiple of; 1 when nothing is said.
    pub align: u64,
}

impl<'a> Parser<'a> {
    /// Skips linkage, calling convention, attributes and fast-math flags in front of a type.
    pub fn skip_attributes(&mut self) {
        loop {
            match self.kind() {
                Kind::Word(word) if !starts_type(word) => {
                    self.advance();
                    if self.is_mark(b'(') {
                        self.skip_group();
                    }
                }
                Kind::Int(_) | Kind::Text(_) | Kind::Hash(_) | Kind::Mark(b'=') => {
                    self.advance();
                }
                _ => return,
            }
        }
    }

    /// Reads attributes between a type and a value.
    pub fn argument_attributes(&mut self) -> Parsed<Attributes> {
        let mut found = Attributes { byval: None, align: 1 };
        loop {
            match self.kind() {
                Kind::Word(word) if !is_value(word) && !starts_type(word) => {
                    self.advance();
                    if word == "byval" && self.eat(b'(') {
                        found.byval = Some(self.ty()?);
                        self.demand(b')')?;
                    } else if word == "align" {
                        let in_brackets = self.is_mark(b'(');
                        if let Kind::Int(n) = self.ahead(usize::from(in_brackets)) {
                            found.align = n.parse().unwrap_or(1);
                        }
                        if in_brackets {
                            self.skip_group();
                        } else {
                            self.advance();
                        }
                    } else if self.is_mark(b'(') {
                        self.skip_group();
                    }
                }
                Kind::Text(_) => {
                    self.advance();
                    if self.eat(b'=') {
                        self.advance();
                    }
                }
                _ => return Ok(found),
            }
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Parsed<TypeId> {
        let mut ty = self.nested(Self::base_type)?;
        loop {
            match self.kind() {
                Kind::Mark(b'*') => {
                    self.advance();
                    ty = self.module.types.add(Type::Ptr);
                }
                Kind::Word("addrspace") => {
                    self.advance();
                    self.skip_group();
                }
                Kind::Mark(b'(') => {
                    self.advance();
                    let mut varargs = false;
                    while !self.eat(b')') {
                        match self.kind() {
                            Kind::Dots => {
                                self.advance();
                                varargs = true;
                            }
                            Kind::Mark(b',') => {
                                self.advance();
                            }
                            Kind::End => return Err("`)` of a function type is missing".into()),
                            _ => {
                                self.nested(Self::ty)?;
                            }
                        }
                    }
                    ty = self.module.types.add(Type::Function { ret: ty, varargs });
                }
                _ => return Ok(ty),
            }
        }
    }

    fn base_type(&mut self) -> Parsed<TypeId> {
        let unsupported = |name: &str, size| Type::Unsupported(name.to_owned(), size);
        let ty = match self.kind() {
            Kind::Word(word) => {
                if !starts_type(word) {
                    return Err(format!("a type is expected here, found `{word}`"));
                }
                self.advance();
                match word {
                    "void" => Type::Void,
                    "float" => Type::Float(32),
                    "double" => Type::Float(64),
                    "ptr" => Type::Ptr,
                    "half" | "bfloat" => unsupported(word, 2),
                    "fp128" | "x86_fp80" | "ppc_fp128" => unsupported(word, 16),
                    "x86_mmx" => unsupported(word, 8),
                    "x86_amx" => unsupported(word, 1024),
                    "label" | "metadata" | "token" | "opaque" => Type::Other,
                    "target" => {
                        self.skip_group();
                        unsupported("a target type", 0)
                    }
                    _ => match word[1..].parse::<u32>() {
                        Ok(bits) if bits > 0 && bits < 1 << 23 => Type::Int(bits),
                        _ => return Err(format!("`{word}` is no integer type")),
                    },
                }
            }
            Kind::Local(name) => {
                self.advance();
                Type::Named(name.to_owned())
            }
            Kind::Mark(b'[') => {
                self.advance();
                let n = self.count()?;
                let element = self.ty()?;
                self.demand(b']')?;
                Type::Array(n, element)
            }
            Kind::Mark(b'<') => {
                self.advance();
                if self.is_mark(b'{') {
                    let ty = self.structure(true)?;
                    self.demand(b'>')?;
                    ty
                } else {
                    let is_scalable = self.eat_word("vscale") && self.eat_word("x");
                    let n = self.count()?;
                    let element = self.ty()?;
                    self.demand(b'>')?;
                    let types = &self.module.types;
                    let size = types.size(element).saturating_mul(n);
                    match types.scalar_bits(element).is_none() || is_scalable || n == 0 {
                        true => Type::Unsupported(format!("<{n} x {}>", types.name(element)), size),
                        false => Type::Vector(n, element),
                    }
                }
            }
            Kind::Mark(b'{') => self.structure(false)?,
            _ => return Err(format!("a type is expected here, found {}", self.found())),
        };
        Ok(self.module.types.add(ty))
    }

    /// `N x`
    fn count(&mut self) -> Parsed<u64> {
        match (self.advance(), self.advance()) {
            (Kind::Int(n), Kind::Word("x")) => n.parse().map_err(|_| format!("`{n}` is no array length")),
            _ => Err("an array length is expected here".into()),
        }
    }

    fn structure(&mut self, packed: bool) -> Parsed<Type> {
        self.demand(b'{')?;
        let mut fields = Vec::new();
        while !self.eat(b'}') {
            fields.push(self.ty()?);
            if !self.eat(b',') && !self.is_mark(b'}') {
                return Err(format!("`,` or `}}` expected in a structure type, found {}", self.found()));
            }
        }
        Ok(Type::Struct { fields, packed })
    }

    /// A type and a value of it.
    pub fn typed_value(&mut self) -> Parsed<(TypeId, Value)> {
        let ty = self.ty()?;
        self.argument_attributes()?;
        Ok((ty, self.value(ty)?))
    }

    /// A value of a known type.
    pub fn value(&mut self, ty: TypeId) -> Parsed<Value> {
        self.nested(|p| p.value_inner(ty))
    }

    fn value_inner(&mut self, ty: TypeId) -> Parsed<Value> {
        if matches!(self.module.types.get(ty), Type::Other) && self.starts_wrapped_value() {
            let (_, value) = self.typed_value()?;
            return Ok(Value::Metadata(Some(Box::new(value)), None));
        }
        Ok(match self.kind() {
            Kind::Local(name) => {
                self.advance();
                Value::Local(self.local(name))
            }
            Kind::Global(name) => {
                self.advance();
                Value::Global(name.to_owned())
            }
            Kind::Int(digits) => {
                self.advance();
                integer(digits).ok_or_else(|| format!("`{digits}` is too large"))?
            }
            Kind::Number(text) => {
                self.advance();
                number(text)
            }
            Kind::Bytes(text) => {
                self.advance();
                Value::Bytes(unescape(text))
            }
            Kind::Mark(b'[') => self.aggregate(b']')?,
            Kind::Mark(b'{') => self.aggregate(b'}')?,
            Kind::Mark(b'<') => {
                self.advance();
                if self.is_mark(b'{') {
                    let value = self.aggregate(b'}')?;
                    self.demand(b'>')?;
                    value
                } else {
                    self.parts(b'>')?
                }
            }
            Kind::Meta(_) | Kind::MetaText(_) | Kind::Mark(b'!') => self.metadata_operand(),
            Kind::Word("splat") => {
                self.advance();
                self.demand(b'(')?;
                let part = self.typed_value()?;
                self.demand(b')')?;
                let (n, _) = self.module.types.lanes(ty).ok_or("`splat` is a constant of vectors")?;
                Value::Aggregate(vec![part; n.min(types::MAX_LEAVES as u64) as usize])
            }
            Kind::Word(word) => {
                self.advance();
                self.word_value(word)?
            }
            _ => return Err(format!("a value is expected here, found {}", self.found())),
        })
    }

    /// Whether a metadata operand is a value with its type.
    fn starts_wrapped_value(&self) -> bool {
        match self.kind() {
            Kind::Word(word) => starts_type(word),
            Kind::Mark(b'[' | b'{' | b'<') => true,
            Kind::Local(_) => matches!(self.ahead(1), Kind::Mark(b'*') | Kind::Local(_)),
            _ => false,
        }
    }

    fn metadata_operand(&mut self) -> Value {
        match self.advance() {
            Kind::Meta(name) => {
                if self.is_mark(b'(') {
                    self.skip_group();
                }
                Value::Metadata(None, name.parse().ok())
            }
            Kind::Mark(b'!') => {
                self.skip_group();
                Value::Metadata(None, None)
            }
            _ => Value::Metadata(None, None),
        }
    }

    fn aggregate(&mut self, close: u8) -> Parsed<Value> {
        self.advance();
        self.parts(close)
    }

    /// The parts of a constant behind its opening bracket.
    fn parts(&mut self, close: u8) -> Parsed<Value> {
        let mut parts = Vec::new();
        while !self.eat(close) {
            parts.push(self.typed_value()?);
            if !self.eat(b',') && !self.is_mark(close) {
                return Err(format!("`,` or `{}` expected in a constant, found {}", close as char, self.found()));
            }
        }
        Ok(Value::Aggregate(parts))
    }

    fn word_value(&mut self, word: &str) -> Parsed<Value> {
        Ok(match word {
            "true" => Value::Int(1),
            "false" => Value::Int(0),
            "null" | "none" | "zeroinitializer" => Value::Zero,
            "undef" | "poison" => Value::Undef,
            "asm" => {
                let mut texts = Vec::new();
                loop {
                    match self.kind() {
                        Kind::Word(_) | Kind::Mark(b',') => {}
                        Kind::Text(text) => texts.push(String::from_utf8_lossy(&unescape(text)).into_owned()),
                        _ => break,
                    }
                    self.advance();
                }
                let mut texts = texts.into_iter();
                Value::Asm(texts.next().unwrap_or_default(), texts.next().unwrap_or_default())
            }
            "dso_local_equivalent" | "no_cfi" => match self.advance() {
                Kind::Global(name) => Value::Global(name.to_owned()),
                _ => return Err("a function is expected here".into()),
            },
            "getelementptr" => {
                while let Kind::Word(_) = self.kind() {
                    self.advance();
                    if self.is_mark(b'(') && matches!(self.ahead(1), Kind::Int(_)) {
                        self.skip_group();
                    }
                }
                self.demand(b'(')?;
                let source = self.ty()?;
                self.demand(b',')?;
                let (_, base) = self.typed_value()?;
                let mut indices = Vec::new();
                while self.eat(b',') {
                    self.eat_word("inrange");
                    indices.push(self.typed_value()?);
                }
                self.demand(b')')?;
                Value::Expr(Box::new(ConstExpr::Gep { source, base, indices }))
            }
            "bitcast" | "inttoptr" | "ptrtoint" | "addrspacecast" | "trunc" | "zext" | "sext" => {
                self.demand(b'(')?;
                let (from, value) = self.typed_value()?;
                if !self.eat_word("to") {
                    return Err(format!("`to` expected here, found {}", self.found()));
                }
                let to = self.ty()?;
                self.demand(b')')?;
                Value::Expr(Box::new(ConstExpr::Cast { op: word.to_owned(), from, value, to }))
            }
            "add" | "sub" | "mul" | "shl" | "lshr" | "ashr" | "and" | "or" | "xor" => {
                while let Kind::Word(_) = self.kind() {
                    self.advance();
                }
                self.demand(b'(')?;
                let (ty, a) = self.typed_value()?;
                self.demand(b',')?;
                let (_, b) = self.typed_value()?;
                self.demand(b')')?;
                Value::Expr(Box::new(ConstExpr::Bin { op: word.to_owned(), ty, a, b }))
            }
            _ if is_value(word) => {
                while let Kind::Word(_) = self.kind() {
                    self.advance();
                }
                if self.is_mark(b'(') {
                    self.skip_group();
                }
                Value::Unsupported(format!("a constant `{word}` expression"))
            }
            _ => return Err(format!("a value is expected here, found `{word}`")),
        })
    }
}

fn integer(digits: &str) -> Option<Value> {
    match digits.parse::<i128>() {
        Ok(n) => Some(match i64::try_from(n) {
            Ok(n) => Value::Int(n as u64),
            Err(_) => Value::Wide(n as u128),
        }),
        Err(_) if digits.len() < 400 => Some(Value::Unsupported("an integer of more than 128 bits".into())),
        Err(_) => None,
    }
}

fn number(text: &str) -> Value {
    if let Some(hex) = text.strip_prefix("0x") {
        return match u64::from_str_radix(hex, 16) {
            Ok(bits) => Value::Float(f64::from_bits(bits)),
            Err(_) => Value::Unsupported(format!("the floating-point constant `{text}`")),
        };
    }
    match text.parse::<f64>() {
        Ok(value) => Value::Float(value),
        Err(_) => Value::Unsupported(format!("the constant `{text}`")),
    }
}
