//! Streams, events, and the capture of work into graphs.

use super::graph::Node;
use super::{Answer, Driver, code, device};
use std::thread::ThreadId;
use std::time::Instant;

/// What calls of other threads a capture forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Global,
    ThreadLocal,
    Relaxed,
}

impl Mode {
    pub(crate) fn of(number: u32) -> Option<Self> {
        [Self::Global, Self::ThreadLocal, Self::Relaxed]
            .get(number as usize)
            .copied()
    }
}

/// A capture that a stream began or joined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capture {
    pub graph: usize,
    /// The stream that began it.
    pub origin: usize,
    pub mode: Mode,
    pub thread: ThreadId,
    pub invalid: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stream {
    pub flags: u32,
    pub priority: i32,
    pub capture: Option<Capture>,
}

/// An event. Each record has a number, the ticket.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Event {
    /// The ticket of the last record that was asked for, and of the last that has happened.
    pub recorded: u64,
    pub done: u64,
    /// When that happened.
    pub at: Option<Instant>,
    /// The stream that records it.
    pub stream: usize,
    /// The capture in which it was recorded.
    pub capture: Option<Capture>,
}

impl Event {
    pub(crate) fn happen(&mut self, ticket: u64) {
        (self.done, self.at) = (ticket, Some(Instant::now()));
    }
}

/// The number of the legacy stream. It waits for all blocking streams, and they for it. 0 is the same stream.
pub(crate) const LEGACY: usize = 1;
/// The number of a thread's default stream.
const PER_THREAD: usize = 2;

impl Stream {
    /// Whether the legacy stream waits for it.
    pub(crate) fn is_blocking(&self) -> bool {
        const NON_BLOCKING: u32 = 1;
        self.flags & NON_BLOCKING == 0
    }
}

impl Driver {
    pub(crate) fn new_stream(&mut self, flags: u32, priority: i32) -> usize {
        let handle = self.handle();
        self.streams.insert(
            handle,
            Stream {
                flags,
                priority,
                capture: None,
            },
        );
        handle
    }

    pub(crate) fn stream(&mut self, handle: usize) -> Answer<Stream> {
        match self.streams.get(&handle) {
            Some(s) => Ok(*s),
            None if handle <= PER_THREAD => Ok(Stream::default()),
            None => self.refuse(code::INVALID_HANDLE, "not a stream"),
        }
    }

    /// Adds a node to the graph that a stream captures, or hands it back.
    pub(crate) fn captured(&mut self, stream: usize, node: Node) -> Answer<Option<Node>> {
        match self.stream(stream)?.capture {
            Some(Capture { invalid: true, .. }) => self.refuse(
                code::STREAM_CAPTURE_INVALIDATED,
                "the capture failed before",
            ),
            Some(capture) => {
                self.add_node(capture.graph, node)?;
                Ok(None)
            }
            None => {
                if stream <= LEGACY {
                    self.implicit()?;
                }
                Ok(Some(node))
            }
        }
    }

    /// A call that uses the legacy stream, on which blocking streams wait.
    pub(crate) fn implicit(&mut self) -> Answer {
        let blocking = |s: &Stream| s.is_blocking() && s.capture.is_some();
        if self.streams.values().any(blocking) {
            self.streams
                .values_mut()
                .filter(|s| blocking(s))
                .filter_map(|s| s.capture.as_mut())
                .for_each(|c| c.invalid = true);
            return self.refuse(
                code::STREAM_CAPTURE_IMPLICIT,
                "a call without a stream while a stream is capturing",
            );
        }
        Ok(())
    }

    /// A call that isn't allowed while a stream captures.
    pub(crate) fn not_in_capture(&mut self, what: &str) -> Answer {
        let me = std::thread::current().id();
        let mut found = false;
        for capture in self.streams.values_mut().filter_map(|s| s.capture.as_mut()) {
            if capture.mode == Mode::Global
                || capture.mode == Mode::ThreadLocal && capture.thread == me
            {
                capture.invalid = true;
                found = true;
            }
        }
        if found {
            self.refuse(
                code::STREAM_CAPTURE_UNSUPPORTED,
                format!("`{what}` while a stream is capturing"),
            )
        } else {
            Ok(())
        }
    }

    /// A call that waits for a stream.
    pub(crate) fn wait(&mut self, stream: usize, what: &str) -> Answer {
        if self.stream(stream)?.capture.is_some() {
            if let Some(capture) = self
                .streams
                .get_mut(&stream)
                .and_then(|s| s.capture.as_mut())
            {
                capture.invalid = true;
            }
            return self.refuse(
                code::STREAM_CAPTURE_UNSUPPORTED,
                format!("`{what}` of a stream that is capturing"),
            );
        }
        if stream <= LEGACY {
            self.implicit()?;
        }
        Ok(())
    }

    /// Begins to capture into a graph.
    pub(crate) fn begin(&mut self, stream: usize, graph: usize, mode: Mode) -> Answer {
        device()?;
        if self.stream(stream)?.capture.is_some() || stream <= LEGACY {
            return self.refuse(
                code::STREAM_CAPTURE_UNSUPPORTED,
                "the stream can't begin a capture",
            );
        }
        let capture = Capture {
            graph,
            origin: stream,
            mode,
            thread: std::thread::current().id(),
            invalid: false,
        };
        self.streams.entry(stream).or_default().capture = Some(capture);
        Ok(())
    }

    /// Ends a capture; the graph's handle.
    pub(crate) fn end(&mut self, stream: usize) -> Answer<usize> {
        let Some(capture) = self.stream(stream)?.capture else {
            return self.refuse(code::INVALID_VALUE, "the stream isn't capturing");
        };
        if capture.origin != stream {
            return self.refuse(
                code::STREAM_CAPTURE_UNMATCHED,
                "another stream began this capture",
            );
        }
        if capture.mode != Mode::Relaxed && capture.thread != std::thread::current().id() {
            return self.refuse(
                code::STREAM_CAPTURE_WRONG_THREAD,
                "another thread began this capture",
            );
        }
        for s in self
            .streams
            .values_mut()
            .filter(|s| s.capture.is_some_and(|c| c.origin == stream))
        {
            s.capture = None;
        }
        if capture.invalid {
            return self.refuse(
                code::STREAM_CAPTURE_INVALIDATED,
                "a call during the capture wasn't allowed",
            );
        }
        Ok(capture.graph)
    }

    pub(crate) fn record(&mut self, event: usize, stream: usize) -> Answer {
        let capture = self.stream(stream)?.capture;
        let Some(e) = self.events.get_mut(&event) else {
            return self.refuse(code::INVALID_HANDLE, "not an event");
        };
        match capture {
            Some(_) => e.capture = capture,
            None => self.record_in(event, stream),
        }
        Ok(())
    }

    /// Makes a stream wait for an event: it joins the capture in which the event was recorded.
    pub(crate) fn wait_event(&mut self, stream: usize, handle: usize) -> Answer {
        let mine = self.stream(stream)?.capture;
        let Some(event) = self.events.get(&handle) else {
            return self.refuse(code::INVALID_HANDLE, "not an event");
        };
        match (event.capture, mine) {
            (Some(theirs), None)
                if self
                    .streams
                    .get(&theirs.origin)
                    .is_some_and(|s| s.capture.is_some()) =>
            {
                self.streams.entry(stream).or_default().capture = Some(theirs);
                Ok(())
            }
            (None, Some(_)) if event.recorded > 0 => self.refuse(
                code::STREAM_CAPTURE_UNSUPPORTED,
                "a capturing stream waits for an event from outside of the capture",
            ),
            (_, Some(_)) => Ok(()),
            _ => {
                self.wait_in(stream, handle);
                Ok(())
            }
        }
    }

    /// Whether an event may be asked for.
    pub(crate) fn may_ask(&mut self, event: usize) -> Answer {
        match self.events.get(&event) {
            Some(e)
                if e.capture.is_some_and(|c| {
                    self.streams
                        .get(&c.origin)
                        .is_some_and(|s| s.capture.is_some())
                }) =>
            {
                self.refuse(code::CAPTURED_EVENT, "the event was recorded in a capture")
            }
            Some(_) => Ok(()),
            None => self.refuse(code::INVALID_HANDLE, "not an event"),
        }
    }
}
