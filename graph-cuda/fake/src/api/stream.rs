//! Streams and captures.

use super::memory::submit;
use super::{Handle, api, put};
use crate::driver::graph::{HostCall, Node};
use crate::driver::queue;
use crate::driver::stream::Mode;
use crate::driver::{Answer, code, driver, ready};
use std::ffi::{c_int, c_void};

fn mode(number: u32) -> Answer<Mode> {
    Mode::of(number).ok_or(code::INVALID_VALUE)
}

api! {
    fn cuStreamCreate(to: *mut Handle, flags: u32) {
        let stream = ready()?.new_stream(flags, 0);
        put(to, stream as Handle)
    }

    fn cuStreamCreateWithPriority(to: *mut Handle, flags: u32, priority: c_int) {
        let stream = ready()?.new_stream(flags, priority);
        put(to, stream as Handle)
    }

    fn cuStreamDestroy_v2(stream: Handle) {
        // Its work is done first; a fault is no reason to keep it.
        let _ = queue::finish(stream as usize);
        let mut d = driver();
        d.queues.remove(&(stream as usize));
        match d.streams.remove(&(stream as usize)) {
            Some(_) => Ok(()),
            None => d.refuse(code::INVALID_HANDLE, "not a stream"),
        }
    }

    fn cuStreamGetFlags(stream: Handle, to: *mut u32) {
        let flags = ready()?.stream(stream as usize)?.flags;
        put(to, flags)
    }

    fn cuStreamGetPriority(stream: Handle, to: *mut c_int) {
        let priority = ready()?.stream(stream as usize)?.priority;
        put(to, priority)
    }

    fn cuStreamSynchronize(stream: Handle) {
        let mut d = ready()?;
        d.wait(stream as usize, "cuStreamSynchronize")?;
        d.count.synchronizations += 1;
        drop(d);
        queue::finish(stream as usize)
    }

    fn cuStreamQuery(stream: Handle) {
        ready()?.wait(stream as usize, "cuStreamQuery")?;
        let done = queue::advance(stream as usize);
        drop(ready()?);
        if done { Ok(()) } else { Err(code::NOT_READY) }
    }

    fn cuStreamWaitEvent(stream: Handle, event: Handle, _flags: u32) { ready()?.wait_event(stream as usize, event as usize) }

    fn cuStreamIsCapturing(stream: Handle, to: *mut u32) {
        let status = match ready()?.stream(stream as usize)?.capture {
            None => 0,
            Some(c) => 1 + u32::from(c.invalid),
        };
        put(to, status)
    }

    fn cuStreamBeginCapture_v2(stream: Handle, number: u32) {
        let mut d = ready()?;
        let mode = mode(number)?;
        let graph = d.new_graph(false);
        d.begin(stream as usize, graph, mode)
    }

    fn cuStreamBeginCaptureToGraph(stream: Handle, graph: Handle, _on: *const Handle, _edges: *const c_void, _count: usize, number: u32) {
        let mut d = ready()?;
        let mode = mode(number)?;
        if d.settings.version < 12030 || !d.graphs.contains_key(&(graph as usize)) {
            return d.refuse(code::INVALID_VALUE, "not a graph");
        }
        d.begin(stream as usize, graph as usize, mode)
    }

    fn cuStreamGetCaptureInfo_v2(stream: Handle, status: *mut u32, id: *mut u64, graph: *mut Handle, after: *mut *const usize, count: *mut usize) {
        let mut d = ready()?;
        let Some(capture) = d.stream(stream as usize)?.capture else { return put(status, 0) };
        put(status, 1 + u32::from(capture.invalid))?;
        let (last, length) = d.last_node(capture.graph);
        drop(d);
        // The graph's handle is unique, as the number of a capture is.
        if !id.is_null() { put(id, capture.graph as u64)?; }
        if !graph.is_null() { put(graph, capture.graph as Handle)?; }
        if !after.is_null() { put(after, last)?; }
        if count.is_null() { return Ok(()) }
        put(count, length)
    }

    fn cuStreamUpdateCaptureDependencies(stream: Handle, after: *const usize, count: usize, _flags: u32) {
        let mut d = ready()?;
        let Some(capture) = d.stream(stream as usize)?.capture else {
            return d.refuse(code::INVALID_VALUE, "the stream isn't captured");
        };
        let (last, length) = d.last_node(capture.graph);
        // Nodes run in the order in which they were added, so the next one can only come after the last.
        if count != 1 || length != 1 || *after != *last {
            return d.refuse(code::NOT_SUPPORTED, "only the last node of a graph is emulated as the dependency of the next");
        }
        Ok(())
    }

    fn cuStreamEndCapture(stream: Handle, to: *mut Handle) {
        let graph = driver().end(stream as usize);
        put(to, graph.unwrap_or(0) as Handle)?;
        graph.map(|_| ())
    }

    fn cuLaunchHostFunc(stream: Handle, function: Option<unsafe extern "C" fn(*mut c_void)>, data: *mut c_void) {
        let Some(function) = function else { return driver().refuse(code::INVALID_VALUE, "a null pointer for a function") };
        submit(stream, Node::Host(HostCall { function, data }))
    }
}
