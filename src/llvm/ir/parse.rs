//! The module level of textual IR: types, globals, functions, metadata. Also the cursor that the other parsers share.
//!
//! Each top-level entity that cannot be read gives one error and is skipped to the next line, so that several errors come
//! back from one run.

use super::lex::{self, Kind, Token};
use super::*;
use crate::llvm::error::{Error, ErrorKind};

/// Errors after which reading stops.
const MAX_ERRORS: usize = 20;
/// Deepest nesting of types and constants.
const MAX_NESTING: u32 = 128;

/// Why something could not be read; the place is that of the current token.
pub(super) type Parsed<T> = Result<T, String>;

pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    nesting: u32,
    pub module: Module,
    /// Locals of the function that is being read.
    pub locals: Vec<String>,
    pub local_index: FxHashMap<&'a str, Local>,
    /// What the instruction that was read last is followed by.
    pub(super) behind: Vec<(Option<Local>, super::Op)>,
}

/// Reads a module. `file` is used in error messages.
pub fn parse(text: &str, file: &str) -> Result<Module, Vec<Error>> {
    let placed = |(line, message)| Error { line, file: file.to_owned(), ..Error::new(ErrorKind::BadInput, message) };
    parse_tokens(lex::tokens(text)).map_err(|errors| errors.into_iter().map(placed).collect())
}

/// Reads a module from its tokens. An error is a line and a sentence.
pub(super) fn parse_tokens(tokens: Vec<Token<'_>>) -> Result<Module, Vec<(u32, String)>> {
    let mut parser = Parser {
        tokens,
        at: 0,
        nesting: 0,
        module: Module::default(),
        locals: Vec::new(),
        local_index: FxHashMap::default(),
        behind: Vec::new(),
    };
    let mut errors = Vec::new();
    while parser.kind() != Kind::End {
        let start = parser.at;
        if let Err(message) = parser.top_level() {
            let line = parser.tokens[parser.at].line;
            errors.push((line, message));
            if errors.len() >= MAX_ERRORS {
                break;
            }
            parser.at = parser.at.max(start);
            parser.skip_to_definition();
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    vectors::expand(&mut parser.module);
    Ok(parser.module)
}

impl<'a> Parser<'a> {
    pub fn kind(&self) -> Kind<'a> {
        self.tokens[self.at].kind
    }

    pub fn ahead(&self, n: usize) -> Kind<'a> {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)].kind
    }

    pub fn line(&self) -> u32 {
        self.tokens[self.at].line
    }

    pub fn advance(&mut self) -> Kind<'a> {
        let kind = self.kind();
        if kind != Kind::End {
            self.at += 1;
        }
        kind
    }

    /// Skips to the first token of a later line; returns whether a `!dbg` attachment was passed, and its number.
    pub fn skip_line(&mut self) -> Option<u32> {
        let line = self.tokens[self.at.saturating_sub(1)].line.max(1);
        let line = if self.at == 0 { self.line() } else { line };
        let mut debug = None;
        while self.kind() != Kind::End && self.line() <= line {
            if let (Kind::Meta("dbg"), Kind::Meta(number)) = (self.kind(), self.ahead(1)) {
                debug = number.parse().ok();
            }
            self.module.streams |= self.kind() == Kind::Meta("nontemporal");
            self.at += 1;
        }
        debug
    }

    /// After an error: to the next line that can start a definition.
    fn skip_to_definition(&mut self) {
        if self.at == 0 || self.line() == self.tokens[self.at - 1].line || self.kind() != Kind::End {
            self.at += usize::from(self.at == 0);
            self.skip_line();
        }
        loop {
            match self.kind() {
                Kind::End | Kind::Global(_) | Kind::Meta(_) | Kind::Comdat => return,
                Kind::Word("define" | "declare" | "target" | "attributes" | "source_filename") => return,
                Kind::Local(_) if self.ahead(2) == Kind::Word("type") => return,
                _ => {
                    self.at += 1;
                    self.skip_line();
                }
            }
        }
    }

    pub fn is_mark(&self, mark: u8) -> bool {
        self.kind() == Kind::Mark(mark)
    }

    pub fn eat(&mut self, mark: u8) -> bool {
        let found = self.is_mark(mark);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.kind(), Kind::Word(w) if w == word);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn demand(&mut self, mark: u8) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { Err(format!("`{}` expected here, found {}", mark as char, self.found())) }
    }

    pub fn found(&self) -> String {
        match self.kind() {
            Kind::End => "the end of the file".into(),
            Kind::Local(n) => format!("`%{n}`"),
            Kind::Global(n) => format!("`@{n}`"),
            Kind::Word(n) | Kind::Int(n) | Kind::Number(n) => format!("`{n}`"),
            Kind::Label(n) => format!("`{n}:`"),
            Kind::Mark(m) => format!("`{}`", m as char),
            Kind::Meta(n) => format!("`!{n}`"),
            Kind::Text(_) | Kind::Bytes(_) | Kind::MetaText(_) => "a quoted text".into(),
            Kind::Dots => "`...`".into(),
            Kind::Hash(n) => format!("`#{n}`"),
            Kind::Comdat => "a comdat name".into(),
            Kind::Bad => "a character that starts no token".into(),
        }
    }

    /// Runs a parser one level deeper.
    pub fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            return Err(format!("nested more than {MAX_NESTING} deep"));
        }
        self.nesting += 1;
        let result = run(self);
        self.nesting -= 1;
        result
    }

    /// Skips a parenthesised (bracketed, …) group, the cursor standing on its opening mark.
    pub fn skip_group(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.kind() {
                Kind::End => return,
                Kind::Mark(b'(' | b'[' | b'{') => depth += 1,
                Kind::Mark(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    pub fn local(&mut self, name: &'a str) -> Local {
        if let Some(&id) = self.local_index.get(name) {
            return id;
        }
        let id = self.locals.len() as Local;
        self.locals.push(name.to_owned());
        self.local_index.insert(name, id);
        id
    }

    fn top_level(&mut self) -> Parsed<()> {
        match self.advance() {
            Kind::Word("target") => {
                let triple = self.eat_word("triple");
                if let (true, Kind::Text(text)) = (triple, self.ahead(1)) {
                    self.module.triple = text.to_owned();
                }
                self.skip_line();
                Ok(())
            }
            Kind::Word("define") => self.function(true),
            Kind::Word("declare") => self.function(false),
            Kind::Local(name) => self.type_definition(name),
            Kind::Global(name) => self.global(name),
            Kind::Meta(name) => self.metadata_definition(name),
            Kind::Word(word @ ("source_filename" | "module" | "attributes" | "uselistorder" | "uselistorder_bb")) => {
                self.module.assembly |= word == "module";
                self.skip_line();
                Ok(())
            }
            Kind::Comdat => {
                self.skip_line();
                Ok(())
            }
            _ => {
                self.at -= 1;
                Err(format!("this is not LLVM IR: {} starts no definition", self.found()))
            }
        }
    }

    fn type_definition(&mut self, name: &str) -> Parsed<()> {
        self.demand(b'=')?;
        if !self.eat_word("type") {
            return Err(format!("`type` expected here, found {}", self.found()));
        }
        let body = self.ty()?;
        self.module.types.define(name, body);
        Ok(())
    }

    fn global(&mut self, name: &str) -> Parsed<()> {
        self.demand(b'=')?;
        let (mut external, mut private, mut thread_local) = (false, false, false);
        let constant = loop {
            match self.advance() {
                Kind::Word("external") => external = true,
                Kind::Word("internal" | "private") => private = true,
                Kind::Word("extern_weak") => {
                    external = true;
                    self.module.weak.insert(name.to_owned());
                }
                Kind::Word("thread_local") => {
                    thread_local = true;
                    if self.is_mark(b'(') {
                        self.skip_group();
                    }
                }
                Kind::Word("addrspace") => self.skip_group(),
                Kind::Word("global") => break false,
                Kind::Word("constant") => break true,
                Kind::Word(word @ ("alias" | "ifunc")) => {
                    self.ty()?;
                    self.demand(b',')?;
                    let ty = self.ty()?;
                    let value = self.value(ty)?;
                    // What another function chooses at run time is not known.
                    if word == "alias" {
                        self.module.aliases.push((name.to_owned(), value));
                    }
                    self.skip_line();
                    return Ok(());
                }
                Kind::Word(_) => {}
                _ => {
                    self.at -= 1;
                    return Err(format!("the definition of `@{name}` is neither `global` nor `constant`"));
                }
            }
        };
        let ty = self.ty()?;
        let next_line = self.line() != self.tokens[self.at.saturating_sub(1)].line;
        let ends = next_line || matches!(self.kind(), Kind::Mark(b',') | Kind::End);
        let init = if external || ends { None } else { Some(self.value(ty)?) };
        let line = self.tokens[self.at.saturating_sub(1)].line;
        let (mut align, mut debug, mut section) = (1, None, None);
        while self.kind() != Kind::End && self.line() == line {
            match (self.advance(), self.kind()) {
                (Kind::Word("section"), Kind::Text(name)) => section = Some(name.to_owned()),
                (Kind::Word("align"), Kind::Int(n)) => align = n.parse().unwrap_or(1),
                (Kind::Meta("dbg"), Kind::Meta(n)) => debug = n.parse().ok(),
                _ => {}
            }
        }
        let name = name.to_owned();
        self.module.globals.push(Global { name, ty, init, constant, thread_local, private, section, align, debug });
        Ok(())
    }

    fn function(&mut self, definition: bool) -> Parsed<()> {
        self.locals.clear();
        self.local_index.clear();
        let mut debug = None;
        while let (Kind::Meta(attachment), Kind::Meta(n)) = (self.kind(), self.ahead(1)) {
            if attachment == "dbg" {
                debug = n.parse().ok();
            }
            self.at += 2;
        }
        let attributes = self.at;
        self.skip_attributes();
        let is_weak = self.tokens[attributes..self.at].iter().any(|t| t.kind == Kind::Word("extern_weak"));
        let ret = self.ty()?;
        let Kind::Global(name) = self.advance() else {
            return Err("the name of the function is missing".into());
        };
        if is_weak {
            self.module.weak.insert(name.to_owned());
        }
        self.demand(b'(')?;
        let (mut params, mut varargs) = (Vec::new(), false);
        while !self.eat(b')') {
            if self.kind() == Kind::Dots {
                self.at += 1;
                varargs = true;
                continue;
            }
            let ty = self.ty()?;
            let byval = self.argument_attributes()?.byval;
            let local = match self.kind() {
                Kind::Local(n) => {
                    self.at += 1;
                    self.local(n)
                }
                _ => {
                    // An unnamed parameter is called by its number.
                    self.locals.push(params.len().to_string());
                    self.locals.len() as Local - 1
                }
            };
            params.push(Param { ty, local, byval });
            if !self.eat(b',') && !self.is_mark(b')') {
                return Err(format!("`,` or `)` expected after a parameter, found {}", self.found()));
            }
        }
        let mut blocks = Vec::new();
        if definition {
            while !self.is_mark(b'{') {
                match (self.advance(), self.kind()) {
                    (Kind::Meta("dbg"), Kind::Meta(n)) => debug = n.parse().ok(),
                    (Kind::End, _) => return Err(format!("`@{name}` has no body")),
                    _ => {}
                }
            }
            self.at += 1;
            let unnamed = params.iter().filter(|p| self.locals[p.local as usize].parse::<u32>().is_ok()).count();
            blocks = self.body(unnamed)?;
        } else {
            self.skip_line();
        }
        let locals = std::mem::take(&mut self.locals);
        self.module.function_index.insert(name.to_owned(), self.module.functions.len());
        self.module.functions.push(Function { name: name.to_owned(), ret, params, varargs, blocks, locals, debug });
        Ok(())
    }

    /// The blocks of a function, up to and with the closing brace. An entry block without a label is called by the number
    /// that follows those of the unnamed parameters.
    fn body(&mut self, unnamed: usize) -> Parsed<Vec<Block>> {
        let mut blocks: Vec<Block> = Vec::new();
        loop {
            match self.kind() {
                Kind::Mark(b'}') => {
                    self.at += 1;
                    return Ok(blocks);
                }
                Kind::End => return Err("a function's closing brace is missing".into()),
                Kind::Label(name) => {
                    self.at += 1;
                    let label = self.local(name);
                    blocks.push(Block { label, instructions: Vec::new() });
                }
                _ => {
                    if blocks.is_empty() {
                        let label = self.entry_label(unnamed);
                        blocks.push(Block { label, instructions: Vec::new() });
                    }
                    let instruction = self.instruction()?;
                    if let (Some(instruction), Some(block)) = (instruction, blocks.last_mut()) {
                        let debug = instruction.debug;
                        block.instructions.push(instruction);
                        let behind = self.behind.drain(..);
                        block.instructions.extend(behind.map(|(result, op)| Instruction { result, op, debug }));
                    }
                }
            }
        }
    }

    fn entry_label(&mut self, number: usize) -> Local {
        let name = number.to_string();
        // Later uses find it by comparing names: find the text in the tokens, if it is used at all.
        let used = self.tokens[self.at..].iter().find_map(|t| match t.kind {
            Kind::Local(n) if n == name => Some(n),
            _ => None,
        });
        match used {
            Some(n) => self.local(n),
            None => {
                self.locals.push(name);
                self.locals.len() as Local - 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_typed_and_opaque_pointers_alike() {
        let typed = "define i32 @f(i32* %p) {\nentry:\n %0 = load i32, i32* %p, align 4, !dbg !7\n ret i32 %0\n}\n";
        let opaque = typed.replace("i32*", "ptr");
        let a = parse(typed, "a.ll").unwrap();
        let b = parse(&opaque, "b.ll").unwrap();
        assert_eq!(a.functions[0].blocks[0].instructions.len(), 2);
        assert_eq!(format!("{:?}", a.functions[0].blocks.len()), format!("{:?}", b.functions[0].blocks.len()));
        assert_eq!(a.functions[0].blocks[0].instructions[0].debug, Some(7));
    }

    #[test]
    fn errors_have_lines_and_several_come_back() {
        let errors = parse("hello\n@x = strange 5\ndefine i32 f()\n", "x.ll").unwrap_err();
        assert_eq!(errors.iter().map(|e| e.line).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let text = format!("@x = global {}i32{} zeroinitializer\n", "[1 x ".repeat(10_000), "]".repeat(10_000));
        assert!(parse(&text, "x.ll").unwrap_err()[0].message.contains("deep"));
    }

    #[test]
    fn damaged_text_never_panics() {
        let text = "define { i32, i64 } @f(i32 %a, ...) #0 !dbg !3 {\n %1 = phi i32 [ 0, %0 ], [ %a, %2 ]\n switch i32 %1, label %2 [\n i32 1, label %2\n ]\n2:\n store atomic i32 getelementptr (i8, ptr @x, i64 4), ptr @y release, align 4\n ret { i32, i64 } zeroinitializer\n}\n!3 = !DIFile(filename: \"a\", directory: \"b\")\n!4 = !{!3, null}\n";
        assert!(parse(text, "x.ll").is_ok());
        for cut in 0..text.len() {
            let _ = parse(&text[..cut], "x.ll");
            let _ = parse(&text[cut..], "x.ll");
        }
    }
}
