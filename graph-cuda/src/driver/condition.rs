//! Loops and branches in recorded work: conditional nodes of CUDA graphs, which the driver has from version 12.4 on. So a GPU repeats and chooses
//! without the host.

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use cust::sys;

use super::arena;
use super::error::{Failed, check};
use super::gpu::{Gpu, LEVELS};
use super::module::{Kernel, Launch};

/// A kernel that gives a condition the truth value at an address, or makes it false if a word isn't 0 at one of two others, as far as these aren't 0
/// themselves. The driver itself defines `cudaGraphSetConditional`.
const SET: &str = "\
.version 8.3
.target sm_75
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry set_condition(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)
{
  .reg .pred %q<4>;
  .reg .b32 %w<3>;
  .reg .b64 %d<7>;
  ld.param.u64 %d0, [p0];
  ld.param.u64 %d1, [p1];
  ld.param.u64 %d3, [p2];
  ld.param.u64 %d4, [p3];
  cvta.to.global.u64 %d2, %d1;
  ld.global.u8 %w0, [%d2];
  setp.ne.u64 %q0, %d3, 0;
  setp.ne.u64 %q1, %d4, 0;
  cvta.to.global.u64 %d5, %d3;
  cvta.to.global.u64 %d6, %d4;
  mov.b32 %w1, 0;
  mov.b32 %w2, 0;
  @%q0 ld.volatile.global.u32 %w1, [%d5];
  @%q1 ld.volatile.global.u32 %w2, [%d6];
  or.b32 %w1, %w1, %w2;
  setp.ne.u32 %q2, %w1, 0;
  @%q2 mov.b32 %w0, 0;
  {
    .param .b64 a0;
    .param .b32 a1;
    st.param.b64 [a0], %d0;
    st.param.b32 [a1], %w0;
    call.uni cudaGraphSetConditional, (a0, a1);
  }
  ret;
}
";

/// `CU_GRAPH_NODE_TYPE_CONDITIONAL`.
const CONDITIONAL: u32 = 13;
/// `CU_GRAPH_COND_TYPE_IF` and `CU_GRAPH_COND_TYPE_WHILE`.
const IF: u32 = 0;
const WHILE: u32 = 1;
/// `CU_STREAM_SET_CAPTURE_DEPENDENCIES`.
const REPLACE: u32 = 1;

/// `CUgraphNodeParams` of `cuda.h`, with its member for conditional nodes only.
#[repr(C)]
struct NodeParameters {
    kind: u32,
    reserved: [u32; 3],
    handle: u64,
    test: u32,
    size: u32,
    bodies: *mut sys::CUgraph,
    context: sys::CUcontext,
    rest: [u64; 25],
    last: u64,
}
const _: () = assert!(size_of::<NodeParameters>() == 256);

type Create =
    unsafe extern "C" fn(*mut u64, sys::CUgraph, sys::CUcontext, u32, u32) -> sys::CUresult;
type AddNode = unsafe extern "C" fn(
    *mut sys::CUgraphNode,
    sys::CUgraph,
    *const sys::CUgraphNode,
    usize,
    *mut NodeParameters,
) -> sys::CUresult;
type BeginToGraph = unsafe extern "C" fn(
    sys::CUstream,
    sys::CUgraph,
    *const sys::CUgraphNode,
    *const c_void,
    usize,
    u32,
) -> sys::CUresult;

/// The driver's functions for conditional nodes, and the kernel that sets conditions.
pub struct Conditional {
    gpu: &'static Gpu,
    set: Kernel,
    create: Create,
    add: AddNode,
    begin: BeginToGraph,
}

/// A condition that a kernel sets and a node tests.
#[derive(Clone, Copy)]
pub struct Condition(u64);

fn function(name: &'static CStr) -> Result<*mut c_void, Failed> {
    graph_cuda_shim::symbol(name).ok_or(Failed::new("a driver without conditional nodes", 801))
}

impl Conditional {
    /// Finds the functions.
    ///
    /// # Errors
    /// If the driver is older.
    pub fn find(gpu: &'static Gpu) -> Result<Conditional, Failed> {
        let create = function(c"cuGraphConditionalHandleCreate")?;
        let add = function(c"cuGraphAddNode")?;
        let begin = function(c"cuStreamBeginCaptureToGraph")?;
        // SAFETY: the types are those of `cuda.h` from CUDA 12.4 to 13.0 for these names.
        let (create, add, begin) = unsafe {
            (
                std::mem::transmute::<*mut c_void, Create>(create),
                std::mem::transmute::<*mut c_void, AddNode>(add),
                std::mem::transmute::<*mut c_void, BeginToGraph>(begin),
            )
        };
        Ok(Conditional {
            gpu,
            set: Kernel::load(gpu, SET, "set_condition", 1)?,
            create,
            add,
            begin,
        })
    }

    /// A condition for a node that will be added to the work that this thread records now.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn condition(&self) -> Result<Condition, Failed> {
        let mut handle = 0;
        let (now, context) = (self.recorded_now()?, self.gpu.enter()?.context());
        // SAFETY: the graph is the one that is recorded now, and the handle is an output.
        let code = unsafe { (self.create)(&mut handle, now.graph, context, 0, 0) };
        check("cuGraphConditionalHandleCreate", code)?;
        Ok(Condition(handle))
    }

    /// Queues that a condition gets the truth value at an address, but is false if one of two words isn't 0. An address of 0 stands for no word.
    ///
    /// # Safety
    /// A truth value is at the address when this runs, and the words are at theirs.
    ///
    /// # Errors
    /// If the driver refuses.
    pub unsafe fn set(
        &self,
        condition: Condition,
        address: u64,
        [first, second]: [u64; 2],
    ) -> Result<(), Failed> {
        let launch = Launch {
            blocks: (1, 1),
            parameters: &[condition.0, address, first, second],
        };
        // SAFETY: the kernel takes the condition, the address of a byte, and those of words.
        unsafe { self.set.launch(&launch) }
    }

    /// Records a loop: the work of `body` runs while the condition holds, which `body` sets again.
    ///
    /// # Errors
    /// If the driver refuses, and what `body` returns.
    pub fn repeat<E: From<Failed>>(
        &self,
        condition: Condition,
        body: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        let bodies = self.node(condition, WHILE, 1)?;
        self.record(bodies[0], body)
    }

    /// Records a branch: the first work runs if the condition holds, else the second.
    ///
    /// # Errors
    /// If the driver refuses, and what `then` and `otherwise` return.
    pub fn choose<T, E: From<Failed>>(
        &self,
        condition: Condition,
        then: impl FnOnce() -> Result<T, E>,
        otherwise: impl FnOnce(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let bodies = self.node(condition, IF, 2)?;
        let first = self.record(bodies[0], then)?;
        self.record(bodies[1], || otherwise(first))
    }

    /// Adds a node behind what this thread has recorded, and returns the graphs of its bodies.
    fn node(
        &self,
        condition: Condition,
        test: u32,
        size: u32,
    ) -> Result<Vec<sys::CUgraph>, Failed> {
        let now = self.recorded_now()?;
        let mut parameters = NodeParameters {
            kind: CONDITIONAL,
            reserved: [0; 3],
            handle: condition.0,
            test,
            size,
            bodies: null_mut(),
            context: self.gpu.enter()?.context(),
            rest: [0; 25],
            last: 0,
        };
        let mut node = null_mut();
        // SAFETY: the parameters are as `cuda.h` says; the dependencies are the driver's own list.
        unsafe {
            let code = (self.add)(&mut node, now.graph, now.after, now.count, &mut parameters);
            check("cuGraphAddNode", code)?;
            let code = sys::cuStreamUpdateCaptureDependencies(now.stream, &mut node, 1, REPLACE);
            check("cuStreamUpdateCaptureDependencies", code)?;
            // The driver has set the pointer to as many graphs.
            Ok((0..size as usize)
                .map(|i| *parameters.bodies.add(i))
                .collect())
        }
    }

    /// Records work into the graph of a body.
    fn record<T, E: From<Failed>>(
        &self,
        body: sys::CUgraph,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if arena::depth() + 1 >= LEVELS {
            return Err(Failed::new("conditional nodes that are nested deeper", 801).into());
        }
        arena::deeper(|| {
            let stream = self.gpu.enter()?.stream().as_inner();
            let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED as u32;
            // SAFETY: only this thread uses the stream, and the body has no nodes yet.
            check("cuStreamBeginCaptureToGraph", unsafe {
                (self.begin)(stream, body, null(), null(), 0, mode)
            })?;
            let result = work();
            let mut ended = null_mut();
            // SAFETY: the graph is an output, which is the body again.
            let code = unsafe { sys::cuStreamEndCapture(stream, &mut ended) };
            let result = result?;
            check("cuStreamEndCapture", code)?;
            Ok(result)
        })
    }

    /// What this thread records now.
    fn recorded_now(&self) -> Result<Now, Failed> {
        let stream = self.gpu.enter()?.stream().as_inner();
        let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        let (mut id, mut graph, mut after, mut count) = (0, null_mut(), null(), 0);
        // SAFETY: all but the stream are outputs.
        check("cuStreamGetCaptureInfo", unsafe {
            sys::cuStreamGetCaptureInfo_v2(
                stream,
                &mut status,
                &mut id,
                &mut graph,
                &mut after,
                &mut count,
            )
        })?;
        Ok(Now {
            stream,
            graph,
            after,
            count,
        })
    }
}

/// The work that is recorded on a stream: its graph, and the nodes after which the next one comes.
struct Now {
    stream: sys::CUstream,
    graph: sys::CUgraph,
    after: *const sys::CUgraphNode,
    count: usize,
}
