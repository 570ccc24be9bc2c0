//! CUDA graphs: queued work that is recorded instead, and then launched as a whole any number of times. `cust` has no graphs, so these are calls of its
//! `sys` module.

use std::ptr::null_mut;

use cust::sys;

use super::error::{Failed, check};
use super::gpu::Gpu;

/// Work that was recorded, ready to launch.
pub struct Graph {
    gpu: &'static Gpu,
    graph: sys::CUgraph,
    executable: sys::CUgraphExec,
}

// SAFETY: the driver's handles may be used from any thread in which their context is current, and `launch` makes it current. A graph isn't launched
// by two threads at a time, because whoever launches it holds the lock of the program that it belongs to.
unsafe impl Send for Graph {}

impl Graph {
    /// Records what `work` queues from this thread, which [records](super::recording) meanwhile. Nothing runs, and nothing may be waited for.
    ///
    /// # Errors
    /// If the driver can't record something, and what `work` returns.
    pub fn record<T, E: From<Failed>>(
        gpu: &'static Gpu,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<(Graph, T), E> {
        let (_right, stream) = gpu.enter()?.recorder();
        // Memory may be allocated and freed meanwhile, on another stream.
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: only this thread uses the stream; the recording is ended below, whatever `work` returns.
        check("cuStreamBeginCapture", unsafe {
            sys::cuStreamBeginCapture_v2(stream, mode)
        })?;
        let result = work();
        let mut graph = null_mut();
        // SAFETY: the graph is an output.
        let ended = check("cuStreamEndCapture", unsafe {
            sys::cuStreamEndCapture(stream, &mut graph)
        });
        let mut recorded = Graph {
            gpu,
            graph,
            executable: null_mut(),
        };
        let result = result?;
        ended?;
        // SAFETY: the graph is complete, and the executable an output.
        check("cuGraphInstantiateWithFlags", unsafe {
            sys::cuGraphInstantiateWithFlags(&mut recorded.executable, graph, 0)
        })?;
        Ok((recorded, result))
    }

    /// Queues the recorded work.
    ///
    /// # Safety
    /// The memory that the work uses is still there, and nobody else uses it in another way.
    ///
    /// # Errors
    /// If the driver refuses.
    pub unsafe fn launch(&self) -> Result<(), Failed> {
        let stream = self.gpu.enter()?.main_stream();
        // SAFETY: the executable is complete; the caller says that its memory is there.
        check("cuGraphLaunch", unsafe {
            sys::cuGraphLaunch(self.executable, stream)
        })
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.gpu.enter().is_err() {
            return;
        }
        // SAFETY: the handles came from the driver and are destroyed once. Work that was launched is finished first by the driver.
        unsafe {
            if !self.executable.is_null() {
                let _ = sys::cuGraphExecDestroy(self.executable);
            }
            if !self.graph.is_null() {
                let _ = sys::cuGraphDestroy(self.graph);
            }
        }
    }
}
