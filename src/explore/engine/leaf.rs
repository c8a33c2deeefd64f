//! What is done where no thread can run: the execution is judged in full and shown, or said to be blocked.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::ending;
use crate::explore::engine::failures::Failures;
use crate::explore::engine::search::Search;
use crate::explore::reduction::coherence;
use crate::explore::reduction::coherence::Lasts;
use crate::explore::visitor::{Execution, Go, Problem};
use crate::graph::event::Kind;
use crate::graph::{Lane, Place, Status};
use crate::ids::{EventId, LocId, SpanId, ThreadId};
use crate::program::fault::Fault;
use crate::program::thread::{Action, Thread};
use crate::sequential;
use smallvec::SmallVec;

impl<J: Checker> Search<'_, '_, J> {
    /// No thread can run.
    pub(in crate::explore) fn end(&mut self) {
        let ending = self.ends.ending.take();
        if self.is_any_stuck() {
            return;
        }
        let (shown, stands_for) = self.orbit();
        self.symmetry.stands_for = stands_for;
        if !shown {
            return;
        }
        let mut waiting = Vec::new();
        let mut awaited: Option<Vec<EventId>> = Some(Vec::new());
        let mut complete = true;
        let mut cut = false;
        let mut fault = None;
        let mut exited = false;
        let mut without_reads = SmallVec::<[ThreadId; 4]>::new();
        for (t, lane) in self.graph.lanes().iter().enumerate() {
            match &lane.status {
                Status::Absent | Status::Finished | Status::Stuck(_) => continue,
                Status::Exited => {
                    exited = true;
                    continue;
                }
                // The first thread of a C program runs its end alone, below.
                Status::Running if t == 0 && ending.is_some() => continue,
                // It waits for a thread to end, or at a barrier.
                Status::Running => waiting.push(ThreadId::at(t)),
                // A thread that is alone from the start and waits has no reads of the graph.
                Status::Waiting(reads) if reads.is_empty() && !self.graph.is_empty() => {
                    waiting.push(ThreadId::at(t));
                    without_reads.push(ThreadId::at(t));
                }
                Status::Waiting(reads) => {
                    waiting.push(ThreadId::at(t));
                    awaited.iter_mut().for_each(|all| all.extend(reads));
                }
                Status::Assumed => awaited = None,
                Status::Cut => {
                    awaited = None;
                    cut = true;
                }
                Status::Faulted(f) => {
                    awaited = None;
                    fault.get_or_insert((ThreadId::at(t), f.clone()));
                }
            }
            complete = false;
        }
        // Where a thread has ended the program, others need not come to their ends.
        complete |= exited && fault.is_none() && !cut && !self.has_assumed() && !self.has_holes();
        if self.was_found(complete) {
            return;
        }
        let size = self.graph.len();
        self.statistics.events_max = self.statistics.events_max.max(size);
        let failures = Failures::of(&self.graph);
        if failures.are_there() {
            for (thread, failure) in failures.that_happen(&self.graph, &self.world.deps) {
                if !self.stop {
                    self.show_fault_at(thread, failure.span, Fault::Assertion(failure.message.clone()));
                }
            }
            if !failures.are_passed(&self.graph) {
                self.show_cut_short();
            }
        } else if complete && self.sections.are_witnessed() {
            self.complete_with_witness(ending.as_ref());
        } else if complete {
            self.complete(ending.as_ref(), &mut Lasts::new());
        } else if let Some((thread, fault)) = fault {
            self.show_fault(thread, fault);
            self.show_cut_short();
        } else if cut {
            self.show_cut();
            self.show_cut_short();
        } else {
            self.statistics.blocked += 1;
            self.statistics.assumed += u64::from(self.has_assumed());
            self.statistics.locked += u64::from(!self.has_assumed() && self.has_stopped_to_wait());
            self.show_unfinished();
            if self.stop {
                return;
            }
            let all_go_round = without_reads.into_iter().all(|t| self.reads_nothing_for_ever(t));
            let is_known = all_go_round && !waiting.is_empty() && !self.has_holes();
            if let Some(reads) = awaited.filter(|_| is_known) {
                self.show_stuck(waiting, &reads);
            }
        }
    }

    /// Shows that a thread was cut.
    pub(in crate::explore) fn show_cut(&mut self) {
        if self.stop_is_due() {
            // What cut the thread may have been that.
            self.stop = true;
            return;
        }
        self.statistics.cut += 1;
        self.stop |= self.visitor.cut() == Go::Stop;
    }

    fn has_assumed(&self) -> bool {
        self.graph.lanes().iter().any(|lane| lane.status == Status::Assumed)
    }

    /// Shows an error of a thread, when the graph satisfies the model in full, no access is made in part, and has no holes: until a hole is filled it is
    /// not known that the events kept behind it can happen.
    pub(in crate::explore) fn show_fault(&mut self, thread: ThreadId, fault: Fault) {
        if !Failures::of(&self.graph).let_come(&self.graph, &self.world.deps, thread) {
            return;
        }
        let runner = self.graph.lane(thread).thread.as_ref();
        let (span, fault) = match runner.map(|t| (t, t.failed.clone())) {
            Some((_, Some(failure))) => (failure.span, Fault::Assertion(failure.message.clone())),
            Some((t, None)) => (t.place(self.world.program).span, fault),
            None => (SpanId::default(), fault),
        };
        self.show_fault_at(thread, span, fault);
    }

    fn show_fault_at(&mut self, thread: ThreadId, span: SpanId, fault: Fault) {
        if self.filling.lookahead.is_some() || self.sharing.is_walking || self.has_holes() {
            return;
        }
        if self.graph.lanes().iter().any(|lane| self.graph.is_tearing(lane, lane.done)) {
            return;
        }
        let problem = Problem::Fault(thread, span, fault);
        self.with_coherence(&Lasts::new(), &mut |search| {
            let consistent = search.checker().is_consistent_when_complete();
            if consistent {
                search.show(&problem);
            }
            consistent
        });
    }

    /// Whether the first thread, the only one left, can run to the program's end without an event: it joins all others
    /// before it accesses memory, and creates no more. Asked once for a graph; the answer is kept with what it took to find it.
    pub(in crate::explore) fn can_end_alone(&mut self) -> bool {
        if self.world.program.persistence.is_explored {
            return false;
        }
        let Some(Lane { thread: Some(thread), .. }) = self.graph.lanes().first() else { return false };
        if let Some(known) = self.ends.endings.get(&self.graph, thread) {
            self.ends.ending.clone_from(known);
            return known.is_some();
        }
        let thread = thread.clone();
        if self.creates_another(&thread) {
            self.ends.endings.insert(&self.graph, thread, None);
            return false;
        }
        let order = &self.graph.lane(ThreadId(0)).order;
        let joined = order.iter().map(|&e| self.graph.event(e)).filter(|e| e.kind == Kind::Join).map(|e| e.value);
        let mut ending = ending::Ending::new(thread.clone(), joined.collect());
        let can = ending.join_all(&mut self.world, &self.graph) && !self.world.may_create(&ending.thread);
        self.ends.ending = can.then_some(ending);
        self.ends.endings.insert(&self.graph, thread, self.ends.ending.clone());
        can
    }

    /// Whether the first thread, which has just created another one, comes to the next creation before anything else. (A failed assertion on the way
    /// would be the end of a thread that is alone.)
    fn creates_another(&mut self, thread: &Thread) -> bool {
        let Lane { order, done, .. } = self.graph.lane(ThreadId(0));
        if order.last().is_none_or(|&e| self.graph.event(e).kind != Kind::Spawn) {
            return false;
        }
        let (ahead, action) = self.world.foresee(ThreadId(0), thread, *done as u32);
        matches!(action, Action::Spawn { .. }) && ahead.failed.is_none()
    }

    /// Every thread has ended (or the first thread of a C program runs on alone). Where coherence is not explored, one execution is
    /// shown for each choice of the last writes that somebody looks at, beyond those already chosen.
    fn complete(&mut self, ending: Option<&ending::Ending>, lasts: &mut Lasts) {
        let mut undecided = None;
        let chosen = lasts.clone();
        self.with_coherence(&chosen, &mut |search| {
            if !search.checker().is_consistent_when_complete() {
                return false;
            }
            undecided = search.undecided(ending, &chosen);
            if undecided.is_none() && !search.was_shown(ending) {
                search.show_complete(ending);
            }
            true
        });
        if let Some(loc) = undecided {
            let writes = self.graph.place(loc).map_or(Vec::new(), |place| place.co[1..].to_vec());
            for write in writes {
                lasts.push((loc, write));
                self.complete(ending, lasts);
                lasts.pop();
                if self.stop {
                    return;
                }
            }
        }
    }

    /// A location whose last write somebody looks at, though it is open which one that is.
    fn undecided(&mut self, ending: Option<&ending::Ending>, lasts: &Lasts) -> Option<LocId> {
        let is_undecided =
            |loc: LocId, place: &Place| coherence::is_open(place) && !lasts.iter().any(|(l, _)| *l == loc);
        if !self.graph.places().any(|(loc, place)| is_undecided(loc, place)) {
            return None;
        }
        let looked_at = self.looked_at(ending);
        let is_seen = |loc: LocId| self.is_seen(loc, looked_at.as_deref());
        // Numbers of locations depend on what was explored before.
        let undecided = self.graph.places().filter(|&(loc, place)| is_undecided(loc, place) && is_seen(loc));
        undecided.map(|(loc, _)| loc).min_by_key(|&loc| self.world.locs.get(loc))
    }

    /// Addresses and sizes of the memory of which somebody looks at the last writes; `None`: all.
    pub(in crate::explore) fn looked_at(&mut self, ending: Option<&ending::Ending>) -> Option<Vec<(u64, u64)>> {
        let observed = self.world.options.observed.clone();
        let read = ending.map(|ending| self.read_at_end(ending));
        match (read, observed) {
            (None, None) => None,
            (read, observed) => {
                Some(read.into_iter().flatten().chain(observed.iter().flat_map(|all| all.iter().copied())).collect())
            }
        }
    }

    /// Whether a location is among this memory.
    pub(in crate::explore) fn is_seen(&self, loc: LocId, looked_at: Option<&[(u64, u64)]>) -> bool {
        let (address, size) = self.world.locs.get(loc);
        let touches = |&(a, s): &(u64, u64)| a < address + u64::from(size) && address < a.saturating_add(s);
        looked_at.is_none_or(|all| all.iter().any(touches))
    }

    /// Addresses and sizes of what the end of a C program reads.
    fn read_at_end(&mut self, ending: &ending::Ending) -> Vec<(u64, u64)> {
        let mut all = Vec::new();
        let mut choices = sequential::Choices::default();
        while !ending.is_over() {
            let mut alone = ending::last(&self.world, &self.graph, ending.thread.clone());
            alone.reads = Some(Default::default());
            alone.run(self.world.program, &self.world.options.limits(), &mut self.world.deps, &mut choices);
            all.extend(alone.reads.into_iter().flatten());
            if !choices.advance() {
                break;
            }
        }
        all
    }

    /// Runs the end of a program, if a thread is left to do so, and shows the execution.
    pub(in crate::explore) fn show_complete(&mut self, ending: Option<&ending::Ending>) {
        self.statistics.graphs = self.statistics.graphs.saturating_add(self.symmetry.stands_for);
        let mut choices = sequential::Choices::default();
        loop {
            let mut last = None;
            let mut end = sequential::End::Finished;
            if let Some(ending) = ending.filter(|e| !e.is_over()) {
                let mut alone = ending::last(&self.world, &self.graph, ending.thread.clone());
                end = alone.run(self.world.program, &self.world.options.limits(), &mut self.world.deps, &mut choices);
                last = Some(alone);
            }
            self.show_end(end, last.as_ref(), ending.is_some());
            if self.stop || !choices.advance() {
                return;
            }
        }
    }

    fn show_end(&mut self, end: sequential::End, last: Option<&sequential::Solo>, all_joined: bool) {
        let stands_for = self.symmetry.stands_for;
        match end {
            sequential::End::Finished | sequential::End::Spawn | sequential::End::Survives => {
                self.statistics.complete += 1;
                self.statistics.in_all = self.statistics.in_all.saturating_add(stands_for);
                let mut flags = Vec::new();
                self.checker().flags(&mut flags);
                let execution =
                    Execution { graph: &self.graph, world: &self.world, flags: &flags, last, all_joined, stands_for };
                self.stop |= self.visitor.complete(&execution) == Go::Stop;
                return;
            }
            sequential::End::Stuck => {
                self.statistics.blocked += 1;
                self.show_at_end(&Problem::Stuck(vec![ThreadId(0)]), last);
            }
            sequential::End::Assumed => {
                self.statistics.blocked += 1;
                self.statistics.assumed += 1;
                return;
            }
            sequential::End::Cut | sequential::End::Asks(..) | sequential::End::Chooses(_) => self.show_cut(),
            sequential::End::Fault(fault) => {
                let span = last.map(|l| l.thread.place(self.world.program).span).unwrap_or_default();
                self.show_at_end(&Problem::Fault(ThreadId(0), span, fault), last);
            }
        }
        // What the threads have done is all there.
        self.show_flags_of(false, last);
    }

    /// Shows what is wrong with the end of a program.
    fn show_at_end(&mut self, problem: &Problem, last: Option<&sequential::Solo>) {
        let (graph, world, stands_for) = (&self.graph, &self.world, self.symmetry.stands_for);
        let execution = Execution { graph, world, flags: &[], last, all_joined: true, stands_for };
        self.stop |= self.visitor.problem(&execution, problem) == Go::Stop;
    }
}
