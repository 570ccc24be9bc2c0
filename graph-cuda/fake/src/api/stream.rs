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
