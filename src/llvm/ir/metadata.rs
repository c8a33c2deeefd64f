//! Debug information: source positions, variable names, and the fields of types.
//!
//! Nodes are kept as they are written and interpreted when asked for; unknown kinds and fields are harmless.

use super::lex::{Kind, unescape};
use super::parse::{Parsed, Parser};
use crate::program::Cell;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::OnceLock;

/// A field's value.
#[derive(Clone, PartialEq, Debug)]
enum Field {
    Node(u32),
    Text(String),
    Int(i64),
    Word(String),
    Other,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// `DILocation`, …; empty for a tuple.
    kind: String,
    fields: Vec<(String, Field)>,
}

impl Node {
    fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    fn node(&self, key: &str) -> Option<u32> {
        match self.field(key) {
            Some(Field::Node(id)) => Some(*id),
            _ => None,
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        match self.field(key) {
            Some(Field::Text(text) | Field::Word(text)) => Some(text),
            _ => None,
        }
    }

    fn int(&self, key: &str) -> Option<i64> {
        match self.field(key) {
            Some(Field::Int(n)) => Some(*n),
            _ => None,
        }
    }
}

/// A source position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// File name as the compiler saw it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 is unknown.
    pub column: u32,
}

/// The metadata of a module.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    nodes: FxHashMap<u32, Node>,
    /// The directories in which the compiler ran, once somebody has asked.
    directories: OnceLock<Vec<String>>,
}

const MAX_CHAIN: u32 = 64;
/// Largest number of cells that an object is described with.
const MAX_CELLS: usize = 65_536;

impl Metadata {
    fn get(&self, id: u32) -> Option<&Node> {
        self.nodes.get(&id)
    }

    /// The position of a `DILocation` (or of a function, by its `DISubprogram`, or of a global).
    pub fn place(&self, id: u32) -> Option<Place> {
        let node = self.global(id)?;
        let line = node.int("line")? as u32;
        let column = node.int("column").unwrap_or(0) as u32;
        let file = match node.node("file") {
            Some(file) => self.file(file)?,
            None => self.scope_file(node.node("scope")?)?,
        };
        Some(Place { file, line, column })
    }

    /// Where what stands at a place was inlined.
    pub fn inlined_at(&self, id: u32) -> Option<u32> {
        self.get(id)?.node("inlinedAt")
    }

    /// The name of the function that a place is in, whoever it was inlined into.
    pub fn function_name(&self, id: u32) -> Option<&str> {
        let mut node = self.get(id)?;
        for _ in 0..MAX_CHAIN {
            if node.kind == "DISubprogram" {
                return node.text("name");
            }
            node = self.get(node.node("scope")?)?;
        }
        None
    }

    fn scope_file(&self, mut id: u32) -> Option<String> {
        for _ in 0..MAX_CHAIN {
            let node = self.get(id)?;
            match node.node("file") {
                Some(file) => return self.file(file),
                None => id = node.node("scope")?,
            }
        }
        None
    }

    /// A file as the user may open it. The compiler names one outside of its working directory from the folder that both have in common.
    fn file(&self, id: u32) -> Option<String> {
        let node = self.get(id)?;
        let name = node.text("filename")?;
        let directory = node.text("directory").filter(|own| !own.is_empty() && !self.directories().contains(own));
        match directory.map(|directory| Path::new(directory).join(name)) {
            Some(path) => Some(without_detours(&path.to_string_lossy())),
            None => Some(without_detours(name)),
        }
    }

    fn directories(&self) -> Vec<&str> {
        let all = self.directories.get_or_init(|| {
            let units = self.nodes.values().filter(|node| node.kind == "DICompileUnit");
            let files = units.filter_map(|unit| self.get(unit.node("file")?)?.text("directory"));
            files.map(str::to_owned).collect()
        });
        all.iter().map(String::as_str).collect()
    }

    /// The name of a local variable (`DILocalVariable`) or function (`DISubprogram`).
    pub fn name(&self, id: u32) -> Option<&str> {
        self.get(id)?.text("name")
    }

    /// The variable behind a global's `!dbg` attachment.
    fn global(&self, id: u32) -> Option<&Node> {
        let node = self.get(id)?;
        match node.kind.as_str() {
            "DIGlobalVariableExpression" => self.get(node.node("var")?),
            _ => Some(node),
        }
    }

    /// The source name of a global.
    pub fn global_name(&self, id: u32) -> Option<&str> {
        self.global(id)?.text("name")
    }

    /// The scalars of a global's type with their paths.
    pub fn global_cells(&self, id: u32) -> Option<Vec<Cell>> {
        let mut cells = Vec::new();
        let ty = self.global(id)?.node("type")?;
        self.cells(ty, 0, "", 0, &mut cells)?;
        cells.sort_by_key(|c| c.offset);
        Some(cells)
    }

    /// The scalars of the structure type of a name, with their paths.
    pub fn structure_cells(&self, name: &str) -> Option<Vec<Cell>> {
        let named = |node: &Node| {
            let is_type = matches!(node.text("tag"), Some("DW_TAG_structure_type" | "DW_TAG_typedef"));
            is_type && node.text("name") == Some(name)
        };
        let mut found: Vec<u32> = self.nodes.iter().filter(|(_, node)| named(node)).map(|(&id, _)| id).collect();
        found.sort_unstable();
        found.into_iter().find_map(|id| {
            let mut cells = Vec::new();
            self.cells(id, 0, "", 0, &mut cells)?;
            cells.sort_by_key(|c| c.offset);
            (!cells.is_empty()).then_some(cells)
        })
    }

    fn cells(&self, id: u32, at: u64, path: &str, depth: u32, out: &mut Vec<Cell>) -> Option<()> {
        let node = self.get(id)?;
        if depth > MAX_CHAIN || out.len() > MAX_CELLS {
            return None;
        }
        let size = node.int("size").unwrap_or(0) as u64 / 8;
        match node.text("tag").unwrap_or("") {
            "DW_TAG_array_type" => {
                let element = node.node("baseType")?;
                let count: u64 = self.tuple(node.node("elements")?).iter().try_fold(1u64, |n, &dimension| {
                    n.checked_mul(u64::try_from(self.get(dimension)?.int("count")?).ok()?)
                })?;
                let stride = self.type_size(element)?;
                let count = if stride == 0 { 0 } else { count };
                (0..count).try_for_each(|i| {
                    self.cells(
                        element,
                        at.wrapping_add(i.wrapping_mul(stride)),
                        &format!("{path}[{i}]"),
                        depth + 1,
                        out,
                    )
                })
            }
            "DW_TAG_structure_type" | "DW_TAG_class_type" => {
                let members = self.tuple(node.node("elements")?);
                members.iter().try_for_each(|&member| self.member(member, at, path, depth, out))
            }
            "DW_TAG_union_type" => {
                // A union is described by its largest member.
                let members = self.tuple(node.node("elements")?);
                let largest = members.into_iter().rev().max_by_key(|&m| self.type_size(m).unwrap_or(0))?;
                self.member(largest, at, path, depth, out)
            }
            "DW_TAG_typedef"
            | "DW_TAG_const_type"
            | "DW_TAG_volatile_type"
            | "DW_TAG_atomic_type"
            | "DW_TAG_restrict_type" => self.cells(node.node("baseType")?, at, path, depth + 1, out),
            _ => {
                let size = if size == 0 { 8 } else { size };
                out.push(Cell { offset: at, size: u8::try_from(size).ok()?, path: path.to_owned() });
                Some(())
            }
        }
    }

    fn member(&self, id: u32, at: u64, path: &str, depth: u32, out: &mut Vec<Cell>) -> Option<()> {
        let member = self.get(id)?;
        if member.text("tag") != Some("DW_TAG_member")
            || member.text("flags").is_some_and(|f| f.contains("StaticMember"))
        {
            return Some(());
        }
        let offset = member.int("offset").unwrap_or(0) as u64 / 8;
        let path = match member.text("name") {
            Some(name) => format!("{path}.{name}"),
            None => path.to_owned(),
        };
        self.cells(member.node("baseType")?, at.wrapping_add(offset), &path, depth + 1, out)
    }

    fn tuple(&self, id: u32) -> Vec<u32> {
        let fields = self.get(id).map(|n| n.fields.as_slice()).unwrap_or_default();
        fields.iter().filter_map(|(_, v)| if let Field::Node(id) = v { Some(*id) } else { None }).collect()
    }

    fn type_size(&self, mut id: u32) -> Option<u64> {
        for _ in 0..MAX_CHAIN {
            let node = self.get(id)?;
            match node.int("size") {
                Some(bits) if bits > 0 => return Some(bits as u64 / 8),
                _ => id = node.node("baseType")?,
            }
        }
        None
    }
}

/// The path without `dir/../` in it (includes by relative paths pile them up).
fn without_detours(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("..", Some(last)) if !matches!(*last, "" | "." | "..") => {
                parts.pop();
            }
            (".", _) => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

impl<'a> Parser<'a> {
    /// After `!name` at the top level.
    pub fn metadata_definition(&mut self, name: &str) -> Parsed<()> {
        self.demand(b'=')?;
        let Ok(id) = name.parse::<u32>() else {
            self.skip_line();
            return Ok(());
        };
        self.eat_word("distinct");
        let mut node = Node::default();
        match self.advance() {
            Kind::Meta(kind) if self.is_mark(b'(') => {
                self.advance();
                node.kind = kind.to_owned();
                while let Kind::Label(key) = self.kind() {
                    self.advance();
                    let value = self.metadata_field();
                    node.fields.push((key.to_owned(), value));
                    self.eat(b',');
                }
            }
            Kind::Mark(b'!') if self.eat(b'{') => {
                while !self.is_mark(b'}') && self.kind() != Kind::End {
                    let value = self.metadata_field();
                    node.fields.push((String::new(), value));
                    self.eat(b',');
                }
            }
            _ => {}
        }
        self.module.metadata.nodes.insert(id, node);
        self.skip_line();
        Ok(())
    }

    fn metadata_field(&mut self) -> Field {
        let value = match self.advance() {
            Kind::Meta(name) => {
                if self.is_mark(b'(') {
                    self.skip_group();
                }
                name.parse().map_or(Field::Other, Field::Node)
            }
            Kind::Text(text) | Kind::MetaText(text) => {
                Field::Text(String::from_utf8_lossy(&unescape(text)).into_owned())
            }
            Kind::Int(n) => n.parse().map_or(Field::Other, Field::Int),
            Kind::Word(word) => Field::Word(word.to_owned()),
            _ => Field::Other,
        };
        // Flag lists (`A | B`), typed constants (`i32 7`) and the like.
        while !matches!(self.kind(), Kind::Mark(b',' | b')' | b'}') | Kind::End | Kind::Label(_)) {
            if matches!(self.kind(), Kind::Mark(b'(' | b'[' | b'{')) {
                self.skip_group();
            } else {
                self.advance();
            }
        }
        value
    }
}
