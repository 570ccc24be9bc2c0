//! Work of streams. It runs when it is asked for, or, if a test wants that, as late as a program allows: when something waits for it. Then a
//! program that forgets to wait reads what isn't there yet.

use super::graph::{Executable, Node, play, run_now};
use super::memory::Copy;
use super::stream::{Event, LEGACY};
use super::{Answer, Driver, code, driver, ready};
use crate::exec::{Fault, Memory};
use std::sync::{Mutex, PoisonError};

/// Something that a stream does in its turn.
#[derive(Debug)]
pub(crate) enum Work {
    Node(Node),
    /// A copy of host memory that isn't page-locked: the driver takes its bytes when it is asked for the copy.
    Upload {
        to: u64,
        bytes: Vec<u8>,
    },
    Graph(Executable),
    Free(u64),
    /// An event has happened as often as `ticket` says.
    Record {
        event: usize,
        ticket: u64,
    },
    Wait {
        event: usize,
        ticket: u64,
    },
}

/// Held by the thread that runs queued work, so that the work of a stream stays in order.
static RUNNING: Mutex<()> = Mutex::new(());

/// Takes work for a stream. A capturing stream adds it to its graph.
pub(crate) fn submit(stream: usize, node: Node) -> Answer {
    let mut d = ready()?;
    let Some(node) = d.captured(stream, node)? else {
        return Ok(());
    };
    match &node {
        Node::Kernel(_) => {
            d.launched_in(stream);
            if !d.may_launch()? {
                return Ok(());
            }
        }
        Node::Product(_) => d.launched_in(stream),
        Node::Copy(copy) => d.count_upload(stream, *copy),
        _ => {}
    }
    if !d.defers(stream) {
        drop(d);
        finish_before(stream);
        return run_now(&node);
    }
    let (work, waits) = d.deferred(node)?;
    d.push(stream, work);
    drop(d);
    // The host reads memory that isn't page-locked after the call.
    if waits { finish(stream) } else { Ok(()) }
}

/// Launches a graph in a stream.
pub(crate) fn submit_graph(stream: usize, executable: usize) -> Answer {
    let mut d = ready()?;
    if d.stream(stream)?.capture.is_some() {
        return d.refuse(code::NOT_SUPPORTED, "child graphs aren't emulated");
    }
    let Some(found) = d.executables.get(&executable).cloned() else {
        return d.refuse(code::INVALID_HANDLE, "not an executable graph");
    };
    d.count.graph_launches += 1;
    d.launched_in(stream);
    if d.defers(stream) {
        d.push(stream, Work::Graph(found));
        return Ok(());
    }
    drop(d);
    finish_before(stream);
    run_graph(&found)
}

/// Frees memory in a stream's turn.
pub(crate) fn submit_free(stream: usize, at: u64) -> Answer {
    let mut d = ready()?;
    if !d.defers(stream) {
        return d.free(at);
    }
    if d.memory.find(at).is_none_or(|(start, _)| start != at) {
        return d.refuse(
            code::INVALID_VALUE,
            format!("{at:#x} isn't the address of an allocation"),
        );
    }
    d.push(stream, Work::Free(at));
    Ok(())
}

fn run_graph(graph: &Executable) -> Answer {
    driver().set_defaults(graph.graph);
    match play(&graph.actions) {
        // A fault is the answer of later calls.
        Err(code) if driver().failed == Some(code) => Ok(()),
        other => other,
    }
}

/// Runs all work of a stream; the error of a fault.
pub(crate) fn finish(stream: usize) -> Answer {
    {
        let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        while step(stream) {}
    }
    finish_before(stream);
    ready().map(|_| ())
}

/// Runs all work of all streams; the error of a fault. Later streams go first, so that nothing depends on the order in which they were made.
pub(crate) fn finish_all() -> Answer {
    finish_streams(|_| true);
    ready().map(|_| ())
}

/// Runs the work of blocking streams, before work of the legacy stream.
pub(crate) fn finish_before(stream: usize) {
    if stream <= LEGACY {
        finish_streams(|s| s);
    }
}

/// Runs the work of the streams for which `which` holds, given whether they are blocking.
fn finish_streams(which: impl Fn(bool) -> bool) {
    let mut streams: Vec<usize> = {
        let d = driver();
        let blocking = |s: &usize| d.streams.get(s).is_none_or(|s| s.is_blocking());
        d.queues
            .keys()
            .copied()
            .filter(|s| which(blocking(s)))
            .collect()
    };
    streams.sort_unstable_by(|a, b| b.cmp(a));
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for stream in streams {
        while step(stream) {}
    }
}

/// Runs work until an event has happened.
pub(crate) fn finish_event(event: usize) -> Answer {
    let ticket = driver().events.get(&event).map_or(0, |e| e.recorded);
    {
        let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        reach(event, ticket);
    }
    ready().map(|_| ())
}

/// Lets a stream that is asked for its state do one thing; whether it has nothing left.
pub(crate) fn advance(stream: usize) -> bool {
    let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    step(stream);
    driver().queues.get(&stream).is_none_or(|q| q.is_empty())
}

/// Whether an event has happened; if it hasn't, its stream does one thing.
pub(crate) fn advance_event(event: usize) -> bool {
    let Some(e) = driver().events.get(&event).copied() else {
        return true;
    };
    e.done >= e.recorded || {
        advance(e.stream);
        false
    }
}

/// Runs the first work of a stream; `false` if there is none.
fn step(stream: usize) -> bool {
    let Some(work) = driver().queues.get_mut(&stream).and_then(|q| q.pop_front()) else {
        return false;
    };
    if let Work::Wait { event, ticket } = work {
        reach(event, ticket);
        return true;
    }
    let failed = driver().failed;
    if let (None, Err(code)) = (failed, perform(work)) {
        let mut d = driver();
        let message = d.last_error.clone();
        d.fail(Fault { code, message });
    }
    true
}

fn perform(work: Work) -> Answer {
    match work {
        Work::Node(node) => run_now(&node),
        Work::Upload { to, bytes } => driver().copy(Copy {
            to,
            from: bytes.as_ptr() as u64,
            bytes: bytes.len(),
        }),
        Work::Graph(graph) => run_graph(&graph),
        Work::Free(at) => driver().free(at),
        Work::Record { event, ticket } => {
            if let Some(e) = driver().events.get_mut(&event) {
                e.happen(ticket);
            }
            Ok(())
        }
        Work::Wait { .. } => Ok(()),
    }
}

/// Runs the stream of an event until it has happened this many times. Nothing is done for a destroyed event.
fn reach(event: usize, ticket: u64) {
    loop {
        let Some(e) = driver().events.get(&event).copied() else {
            return;
        };
        if e.done >= ticket || !step(e.stream) {
            return;
        }
    }
}

impl Driver {
    /// Whether work of a stream waits until it is needed.
    fn defers(&self, stream: usize) -> bool {
        self.settings.defer && stream > LEGACY
    }

    fn push(&mut self, stream: usize, work: Work) {
        self.queues.entry(stream).or_default().push_back(work);
    }

    /// A node as it waits in a stream, and whether the call waits for it.
    fn deferred(&mut self, node: Node) -> Answer<(Work, bool)> {
        let Node::Copy(c) = node else {
            return Ok((Work::Node(node), false));
        };
        if self.is_pageable(c.from, c.bytes) {
            let bytes = self.source(c)?;
            return Ok((Work::Upload { to: c.to, bytes }, false));
        }
        Ok((Work::Node(node), self.is_pageable(c.to, c.bytes)))
    }

    /// Whether bytes are of the host and aren't page-locked.
    fn is_pageable(&self, at: u64, bytes: usize) -> bool {
        !Memory::is_device(at) && self.memory.bytes(at, bytes).is_err()
    }

    /// Counts a launch that a stream is asked for.
    fn launched_in(&mut self, stream: usize) {
        self.working.insert(stream);
        self.submitted += 1;
    }

    /// Counts a copy from page-locked memory that a stream is asked for.
    fn count_upload(&mut self, stream: usize, copy: Copy) {
        let is_upload = Memory::is_device(copy.to) && !Memory::is_device(copy.from);
        if !is_upload || self.is_pageable(copy.from, copy.bytes) {
            return;
        }
        self.count.pinned_uploads += 1;
        if self.working.contains(&stream) {
            return;
        }
        self.count.separate_uploads += 1;
        self.at_upload.insert(stream, self.submitted);
        let mut queues = self.queues.iter();
        let others_work = queues.any(|(other, queue)| *other != stream && !queue.is_empty());
        let own = self.queues.get(&stream);
        let waits = own.is_some_and(|own| own.iter().any(|work| matches!(work, Work::Wait { .. })));
        self.count.early_uploads += u64::from(others_work && !waits);
    }

    /// Records an event in a stream that isn't capturing.
    pub(crate) fn record_in(&mut self, event: usize, stream: usize) {
        let defers = self.defers(stream);
        let Some(e) = self.events.get_mut(&event) else {
            return;
        };
        let ticket = e.recorded + 1;
        *e = Event {
            recorded: ticket,
            stream,
            capture: None,
            ..*e
        };
        if defers {
            self.push(stream, Work::Record { event, ticket });
        } else {
            e.happen(ticket);
        }
    }

    /// Makes a stream that isn't capturing wait for the last record of an event.
    pub(crate) fn wait_in(&mut self, stream: usize, event: usize) {
        let of = self.events.get(&event).map(|event| event.stream);
        if let Some(before) = of.and_then(|of| self.at_upload.remove(&of)) {
            self.count.overtaking_launches += self.submitted - before;
        }
        let ticket = self.events.get(&event).map_or(0, |e| e.recorded);
        if self.defers(stream) {
            self.push(stream, Work::Wait { event, ticket });
        }
    }
}
