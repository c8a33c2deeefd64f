//! What front ends build programs with: interning, labels, and the analyses that close a function.

use super::operation::Operation;
use super::*;
use super::{flow, tidy};
use rustc_hash::FxHashMap;

/// A jump target that may be placed after it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Label(u32);

/// Bytes between objects.
const GAP: u64 = 64;

/// Builds a [`Program`].
#[derive(Default)]
pub struct ProgramBuilder {
    /// The program so far; the parts that need no interning are set directly.
    pub program: Program,
    tags: FxHashMap<String, TagId>,
    tag_sets: FxHashMap<Vec<TagId>, TagSetId>,
    spans: FxHashMap<Span, SpanId>,
    next_address: u64,
}

impl ProgramBuilder {
    /// A program without functions. Objects placed by [`Self::object`] get addresses from `first_address` on.
    pub fn new(name: impl Into<String>, first_address: u64) -> Self {
        let mut builder = ProgramBuilder { next_address: first_address, ..Default::default() };
        builder.program.name = name.into();
        builder.program.tag_sets.push(Vec::new());
        builder.tag_sets.insert(Vec::new(), TagSetId(0));
        builder.program.spans.push(Span::default());
        builder.spans.insert(Span::default(), SpanId(0));
        builder
    }

    /// Interns a tag.
    pub fn tag(&mut self, name: &str) -> TagId {
        if let Some(&id) = self.tags.get(name) {
            return id;
        }
        let id = TagId::at(self.program.tags.len());
        self.program.tags.push(name.to_owned());
        self.tags.insert(name.to_owned(), id);
        id
    }

    /// Interns a set of tags.
    pub fn tag_set<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> TagSetId {
        let mut tags: Vec<TagId> = names.into_iter().map(|n| self.tag(n)).collect();
        tags.sort_unstable();
        tags.dedup();
        if let Some(&id) = self.tag_sets.get(&tags) {
            return id;
        }
        let id = TagSetId::at(self.program.tag_sets.len());
        self.program.tag_sets.push(tags.clone());
        self.tag_sets.insert(tags, id);
        id
    }

    /// Interns a source position.
    pub fn span(&mut self, span: Span) -> SpanId {
        if let Some(&id) = self.spans.get(&span) {
            return id;
        }
        let id = SpanId::at(self.program.spans.len());
        self.program.spans.push(span.clone());
        self.spans.insert(span, id);
        id
    }

    /// The index of a source file.
    pub fn file(&mut self, name: &str) -> u32 {
        match self.program.files.iter().position(|f| f == name) {
            Some(i) => i as u32,
            None => {
                self.program.files.push(name.to_owned());
                self.program.files.len() as u32 - 1
            }
        }
    }

    /// Places a memory object, leaving a gap behind it so that small overruns hit nothing, and returns its address.
    pub fn object(&mut self, mut object: Object, align: u64) -> u64 {
        let align = align.max(8);
        let address = self.next_address.div_ceil(align) * align;
        self.next_address = address + object.bytes.len().max(1) as u64 + GAP;
        object.address = address;
        self.program.objects.push(object);
        address
    }

    /// Has the next object follow the last one as closely as its alignment allows.
    pub fn close_up(&mut self) {
        self.next_address -= GAP;
    }

    /// Reserves a function number, so that calls can be made before the body is known.
    pub fn declare(&mut self, name: &str) -> FuncId {
        self.program.functions.push(Function { name: name.to_owned(), ..Default::default() });
        FuncId::at(self.program.functions.len() - 1)
    }

    /// Gives a declared function its body.
    pub fn define(&mut self, id: FuncId, function: Function) {
        self.program.functions[id.index()] = function;
    }

    /// The address that a function pointer to `id` holds.
    pub fn function_address(id: FuncId) -> u64 {
        FUNCTION_BASE + 16 * u64::from(id.0)
    }
}

/// What is known of the next load, and of the next store.
pub type Announced = (Option<Operation>, Option<Operation>, Option<(u32, u64)>);

/// Builds one [`Function`]. Jump targets given to instructions are label numbers (see [`Self::target`]) until
/// [`Self::finish`] resolves them.
pub struct FunctionBuilder {
    function: Function,
    labels: Vec<Option<Pc>>,
    span: SpanId,
    group: u32,
    load_mark: Option<Operation>,
    part: Option<Part>,
    store_mark: Option<Operation>,
    layout: Option<(u32, u64)>,
}

impl FunctionBuilder {
    /// A function whose parameters are registers `0 .. params`.
    pub fn new(name: impl Into<String>, params: u32) -> Self {
        FunctionBuilder {
            function: Function { name: name.into(), params, regs: params, ..Default::default() },
            labels: Vec::new(),
            span: SpanId(0),
            group: 0,
            load_mark: None,
            part: None,
            store_mark: None,
            layout: None,
        }
    }

    /// A fresh register.
    pub fn reg(&mut self) -> Reg {
        self.function.regs += 1;
        self.function.regs - 1
    }

    /// Names a register for reports.
    pub fn name_reg(&mut self, reg: Reg, name: impl Into<String>) {
        let names = &mut self.function.reg_names;
        if names.len() <= reg as usize {
            names.resize(reg as usize + 1, String::new());
        }
        names[reg as usize] = name.into();
    }

    /// Declares that the final value of a register is observed.
    pub fn observe(&mut self, reg: Reg) {
        self.function.observed.push(reg);
    }

    /// Reserves frame-private memory (aligned to 8) and returns its offset.
    pub fn local(&mut self, bytes: u32) -> u32 {
        let at = self.function.local_bytes.div_ceil(8) * 8;
        self.function.local_bytes = at + bytes;
        self.function.locals.push((at, bytes));
        at
    }

    /// A fresh label.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// The number to put where an instruction wants a [`Pc`].
    pub fn target(label: Label) -> Pc {
        label.0
    }

    /// Places a label here.
    pub fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.function.code.len() as Pc);
    }

    /// Source position of the instructions that follow.
    pub fn at(&mut self, span: SpanId) {
        self.span = span;
    }

    /// Starts a new source instruction (statement): a new group for the events of what follows.
    pub fn next_group(&mut self) {
        self.group += 1;
    }

    /// Marks the next load (for operations that are loads) or store.
    pub fn mark(&mut self, operation: Operation) {
        let mark = if operation.is_load() { &mut self.load_mark } else { &mut self.store_mark };
        *mark = Some(operation);
    }

    /// What the next load and the next store were told to be, so that several of which one runs can be told the same.
    pub fn announced(&self) -> Announced {
        (self.load_mark, self.store_mark, self.layout)
    }

    /// Tells the next load and store the same.
    pub fn announce(&mut self, announced: Announced) {
        (self.load_mark, self.store_mark, self.layout) = announced;
    }

    /// Says into which structure the next load or store goes, and at which offset; `None`: into none that is known.
    pub fn layout(&mut self, layout: Option<(u32, u64)>) {
        self.layout = layout;
    }

    /// The number of a new access that is made in parts.
    pub fn next_access(&mut self) -> u32 {
        self.function.parts.iter().map(|part| part.access).max().unwrap_or(0) + 1
    }

    /// Says which part of an access the next instruction makes.
    pub fn part(&mut self, part: Part) {
        self.part = Some(part);
    }

    /// Appends an instruction.
    pub fn push(&mut self, instr: Instr) {
        let mark = match instr {
            Instr::Load(_) => self.load_mark.take(),
            Instr::Store(_) => self.store_mark.take(),
            _ => None,
        };
        if matches!(instr, Instr::Load(_) | Instr::Store(_))
            && let Some((layout, offset)) = self.layout.take()
        {
            self.function.layouts.push((self.function.code.len() as Pc, layout, offset));
        }
        if let Some(operation) = mark {
            self.function.operations.push((self.function.code.len() as Pc, operation));
        }
        let part = self.part.take();
        // Only functions with such accesses say of each instruction which part it is.
        if part.is_some() || !self.function.parts.is_empty() {
            self.function.parts.resize(self.function.code.len(), Part::default());
            self.function.parts.push(part.unwrap_or_default());
        }
        self.function.code.push(instr);
        self.function.spans.push(self.span);
        self.function.group.push(self.group);
    }

    /// Number of instructions so far.
    pub fn len(&self) -> usize {
        self.function.code.len()
    }

    /// Whether nothing was appended yet.
    pub fn is_empty(&self) -> bool {
        self.function.code.is_empty()
    }

    /// Resolves labels (one that was never placed means "the end"), makes the end a return, finds merge points and loops.
    pub fn finish(mut self) -> Function {
        self.resolve();
        flow::analyse(&mut self.function);
        self.function
    }

    /// The same for a function of which nobody asks what was last in a register: without its copies of values.
    pub fn finish_tidy(mut self) -> Function {
        self.resolve();
        tidy::tidy(&mut self.function);
        flow::analyse(&mut self.function);
        self.function
    }

    fn resolve(&mut self) {
        self.push(Instr::Return { value: None });
        let end = self.function.code.len() as Pc - 1;
        let labels = std::mem::take(&mut self.labels);
        let resolve = |pc: &mut Pc| *pc = labels.get(*pc as usize).copied().flatten().unwrap_or(end);
        self.function.code.iter_mut().for_each(|instr| flow::change_targets(instr, resolve));
    }
}
