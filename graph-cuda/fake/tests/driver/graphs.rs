//! Captured graphs, conditional nodes, and what a capture forbids.

use crate::common::*;
use crate::{alone, call, ok};
use graph_cuda_fake::{control, last_error};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Adds one to a word, and sets a condition to whether the word is less than the second argument.
const COUNTING: &str = "
.extern .func cudaGraphSetConditional(.param .b64 h, .param .b32 v);
.visible .entry increment(.param .u64 at) {
  .reg .b64 %a; .reg .b32 %x;
  ld.param.u64 %a, [at]; ld.global.u32 %x, [%a]; add.u32 %x, %x, 1; st.global.u32 [%a], %x; ret;
}
.visible .entry test(.param .u64 handle, .param .u64 at, .param .u32 limit) {
  .reg .b64 %a, %h; .reg .b32 %x, %n; .reg .pred %p;
  ld.param.u64 %h, [handle]; ld.param.u64 %a, [at]; ld.param.u32 %n, [limit];
  ld.global.u32 %x, [%a]; setp.lt.u32 %p, %x, %n; selp.u32 %x, 1, 0, %p;
  { .param .b64 a; .param .b32 b; st.param.b64 [a], %h; st.param.b32 [b], %x; call.uni cudaGraphSetConditional, (a, b); }
  ret;
}
";

fn module() -> Handle {
    load(&format!("{HEADER}{COUNTING}"))
}

fn launch(f: Handle, stream: Handle, args: &[Arg]) {
    assert_eq!(
        try_launch(f, [1, 1, 1], [1, 1, 1], 0, stream, args),
        0,
        "{}",
        last_error()
    );
}

/// Captures what `work` does into an existing graph.
fn capture_into(graph: Handle, stream: Handle, work: impl FnOnce()) {
    ok!(cuStreamBeginCaptureToGraph(stream => Handle, graph => Handle, null_mut() => *const Handle, null_mut() => Handle, 0 => usize, 1 => u32));
    work();
    let mut same = null_mut();
    ok!(cuStreamEndCapture(stream => Handle, &mut same => *mut Handle));
    assert_eq!(same, graph);
}

fn instantiate(graph: Handle) -> Handle {
    let mut executable = null_mut();
    ok!(cuGraphInstantiateWithFlags(&mut executable => *mut Handle, graph => Handle, 0 => u64));
    executable
}

fn nodes(graph: Handle) -> Vec<Handle> {
    let mut count = 0;
    ok!(cuGraphGetNodes(graph => Handle, null_mut() => *mut Handle, &mut count => *mut usize));
    let mut found = vec![null_mut(); count];
    ok!(cuGraphGetNodes(graph => Handle, found.as_mut_ptr() => *mut Handle, &mut count => *mut usize));
    found
}

fn new_graph() -> Handle {
    let mut graph = null_mut();
    ok!(cuGraphCreate(&mut graph => *mut Handle, 0 => u32));
    graph
}

fn condition(graph: Handle, default: u32, flags: u32) -> u64 {
    let mut handle = 0;
    ok!(cuGraphConditionalHandleCreate(&mut handle => *mut u64, graph => Handle, null_mut() => Handle, default => u32, flags => u32));
    handle
}

/// Adds a conditional node after all nodes of a graph: 0 is IF, 1 is WHILE. Its bodies, or the code of the failure.
fn add_conditional(graph: Handle, handle: u64, test: u32, count: u32) -> Result<Vec<Handle>, u32> {
    let mut parameters = [0u64; 32];
    parameters[0] = 13;
    parameters[2] = handle;
    parameters[3] = u64::from(test) | u64::from(count) << 32;
    let on = nodes(graph);
    let mut node = null_mut();
    let code = call!(cuGraphAddNode(
        &mut node => *mut Handle, graph => Handle, on.as_ptr() => *const Handle, on.len() => usize, parameters.as_mut_ptr().cast() => *mut c_void,
    ));
    if code != 0 {
        return Err(code);
    }
    let bodies = parameters[4] as *const Handle;
    // SAFETY: the driver pointed it at `count` graphs.
    Ok((0..count as usize)
        .map(|i| unsafe { bodies.add(i).read() })
        .collect())
}

#[test]
fn captured_work_runs_when_the_graph_is_launched() {
    let _alone = alone();
    let (f, stream, at) = (function(module(), "increment"), stream(), alloc(8));
    let mut host = [5u32, 0];
    ok!(cuStreamBeginCapture_v2(stream => Handle, 1 => u32));
    ok!(cuMemcpyHtoDAsync_v2(at => u64, host.as_mut_ptr().cast() => Handle, 4 => usize, stream => Handle));
    launch(f, stream, &[Arg::U64(at)]);
    ok!(cuMemsetD32Async(at + 4 => u64, 9 => u32, 1 => usize, stream => Handle));
    ok!(cuMemcpyDtoDAsync_v2(at + 4 => u64, at => u64, 4 => usize, stream => Handle));
    let mut graph = null_mut();
    ok!(cuStreamEndCapture(stream => Handle, &mut graph => *mut Handle));
    assert_eq!(download::<u32>(at, 2), [u32::MAX; 2], "nothing ran yet");
    assert_eq!(nodes(graph).len(), 4);
    let executable = instantiate(graph);
    for first in [5, 20] {
        host[0] = first;
        ok!(cuGraphLaunch(executable => Handle, stream => Handle));
        assert_eq!(download::<u32>(at, 2), [first + 1; 2]);
    }
    ok!(cuGraphExecDestroy(executable => Handle));
    ok!(cuGraphDestroy(graph => Handle));
}

#[test]
fn a_while_node_repeats_its_body_until_the_condition_is_zero() {
    let _alone = alone();
    let (module, stream, at) = (module(), stream(), upload(&[0u32]));
    let (increment, test) = (function(module, "increment"), function(module, "test"));
    let graph = new_graph();
    let handle = condition(graph, 0, 0);
    let args = [Arg::U64(handle), Arg::U64(at), Arg::U32(7)];
    capture_into(graph, stream, || launch(test, stream, &args));
    let body = add_conditional(graph, handle, 1, 1).unwrap()[0];
    capture_into(body, stream, || {
        launch(increment, stream, &[Arg::U64(at)]);
        launch(test, stream, &args);
    });
    let executable = instantiate(graph);
    control::reset_counts();
    ok!(cuGraphLaunch(executable => Handle, stream => Handle));
    assert_eq!(download::<u32>(at, 1), [7]);
    let counts = control::counts();
    assert_eq!(
        (
            counts.conditional_rounds,
            counts.launches,
            counts.graph_launches
        ),
        (7, 15, 1)
    );
    // The condition is false from the start now.
    ok!(cuGraphLaunch(executable => Handle, stream => Handle));
    assert_eq!(download::<u32>(at, 1), [7]);
}

#[test]
fn an_if_node_runs_one_of_two_bodies() {
    let _alone = alone();
    let (module, stream, at) = (module(), stream(), upload(&[0u32, 0, 0]));
    let (increment, test) = (function(module, "increment"), function(module, "test"));
    let graph = new_graph();
    let handle = condition(graph, 0, 0);
    capture_into(graph, stream, || {
        launch(test, stream, &[Arg::U64(handle), Arg::U64(at), Arg::U32(2)])
    });
    let bodies = add_conditional(graph, handle, 0, 2).unwrap();
    capture_into(bodies[0], stream, || {
        launch(increment, stream, &[Arg::U64(at + 4)])
    });
    capture_into(bodies[1], stream, || {
        launch(increment, stream, &[Arg::U64(at + 8)])
    });
    capture_into(graph, stream, || launch(increment, stream, &[Arg::U64(at)]));
    let executable = instantiate(graph);
    for _ in 0..5 {
        ok!(cuGraphLaunch(executable => Handle, stream => Handle));
    }
    assert_eq!(download::<u32>(at, 3), [5, 2, 3]);
}

#[test]
fn defaults_of_conditions_are_set_by_each_launch_if_asked_for() {
    let _alone = alone();
    let (module, stream, at) = (module(), stream(), upload(&[0u32]));
    let increment = function(module, "increment");
    for (flags, want) in [(1, 1), (0, 3)] {
        let graph = new_graph();
        let handle = condition(graph, 1, flags);
        // The body sets the condition to 0, so without the flag only the first launch runs it; a kernel outside sets it to 1 again.
        let body = add_conditional(graph, handle, 0, 1).unwrap()[0];
        capture_into(body, stream, || launch(increment, stream, &[Arg::U64(at)]));
        let executable = instantiate(graph);
        ok!(cuGraphLaunch(executable => Handle, stream => Handle));
        let f = function(module, "test");
        launch(f, stream, &[Arg::U64(handle), Arg::U64(at), Arg::U32(0)]);
        let before = download::<u32>(at, 1)[0];
        ok!(cuGraphLaunch(executable => Handle, stream => Handle));
        let ran = download::<u32>(at, 1)[0] - before;
        assert_eq!(ran, if want == 1 { 1 } else { 0 });
    }
}

#[test]
fn conditional_nodes_are_nested() {
    let _alone = alone();
    let (module, stream, at) = (module(), stream(), upload(&[0u32, 0]));
    let (increment, test) = (function(module, "increment"), function(module, "test"));
    let graph = new_graph();
    let (outer, inner) = (condition(graph, 1, 1), condition(graph, 0, 0));
    let body = add_conditional(graph, outer, 1, 1).unwrap()[0];
    capture_into(body, stream, || {
        launch(increment, stream, &[Arg::U64(at)]);
        launch(test, stream, &[Arg::U64(inner), Arg::U64(at), Arg::U32(3)]);
    });
    let branch = add_conditional(body, inner, 0, 1).unwrap()[0];
    capture_into(branch, stream, || {
        launch(increment, stream, &[Arg::U64(at + 4)])
    });
    capture_into(body, stream, || {
        launch(test, stream, &[Arg::U64(outer), Arg::U64(at), Arg::U32(6)])
    });
    ok!(cuGraphLaunch(instantiate(graph) => Handle, stream => Handle));
    assert_eq!(download::<u32>(at, 2), [6, 2]);
}

#[test]
fn host_functions_run_in_order_but_not_in_bodies() {
    unsafe extern "C" fn append(data: *mut c_void) {
        // SAFETY: the test passes its vector, and nothing else uses it meanwhile.
        unsafe { (*data.cast::<Vec<u32>>()).push(1) };
    }
    let _alone = alone();
    let stream = stream();
    let mut calls: Vec<u32> = vec![];
    let data = std::ptr::from_mut(&mut calls).cast::<c_void>();
    let function: unsafe extern "C" fn(*mut c_void) = append;
    ok!(cuLaunchHostFunc(stream => Handle, function => unsafe extern "C" fn(*mut c_void), data => Handle));
    assert_eq!(calls.len(), 1);
    ok!(cuStreamBeginCapture_v2(stream => Handle, 1 => u32));
    ok!(cuLaunchHostFunc(stream => Handle, function => unsafe extern "C" fn(*mut c_void), data => Handle));
    let mut graph = null_mut();
    ok!(cuStreamEndCapture(stream => Handle, &mut graph => *mut Handle));
    assert_eq!(calls.len(), 1);
    ok!(cuGraphLaunch(instantiate(graph) => Handle, stream => Handle));
    assert_eq!(calls.len(), 2);
    let handle = condition(graph, 1, 1);
    let body = add_conditional(graph, handle, 0, 1).unwrap()[0];
    capture_into(body, stream, || {
        let code = call!(cuLaunchHostFunc(stream => Handle, function => unsafe extern "C" fn(*mut c_void), data => Handle));
        assert_eq!(code, 801);
    });
}

/// Begins a capture, makes a call that it forbids, and ends it, which fails.
fn forbidden(want: u32, call: impl FnOnce(Handle) -> u32) {
    let stream = stream();
    ok!(cuStreamBeginCapture_v2(stream => Handle, 1 => u32));
    assert_eq!(call(stream), want, "{}", last_error());
    let mut graph = null_mut();
    assert_eq!(
        call!(cuStreamEndCapture(stream => Handle, &mut graph => *mut Handle)),
        901
    );
    assert!(graph.is_null());
}

#[test]
fn captures_forbid_what_the_driver_forbids() {
    let _alone = alone();
    let at = alloc(16);
    let text = std::ffi::CString::new(kernel("", "")).unwrap();
    let mut other = 0u64;
    let mut handle: Handle = null_mut();
    forbidden(
        900,
        |_| call!(cuMemAlloc_v2(&mut other => *mut u64, 4 => usize)),
    );
    forbidden(900, |_| call!(cuMemFree_v2(at => u64)));
    forbidden(900, |s| call!(cuStreamSynchronize(s => Handle)));
    forbidden(900, |s| call!(cuStreamQuery(s => Handle)));
    forbidden(900, |_| call!(cuCtxSynchronize()));
    forbidden(
        900,
        |_| call!(cuModuleLoadData(&mut handle => *mut Handle, text.as_ptr() => *const i8)),
    );
    forbidden(
        900,
        |_| call!(cuMemAllocHost_v2(&mut handle => *mut Handle, 16 => usize)),
    );
    forbidden(
        900,
        |_| call!(cuMemcpyDtoD_v2(at => u64, at + 8 => u64, 4 => usize)),
    );
    free(at);
}

#[test]
fn the_legacy_stream_waits_for_blocking_streams_and_so_cannot_be_used() {
    let _alone = alone();
    let at = alloc(16);
    let mut blocking = null_mut();
    ok!(cuStreamCreate(&mut blocking => *mut Handle, 0 => u32));
    ok!(cuStreamBeginCapture_v2(blocking => Handle, 2 => u32));
    assert_eq!(
        call!(cuMemsetD32Async(at => u64, 0 => u32, 1 => usize, null_mut() => Handle)),
        906
    );
    let mut graph = null_mut();
    assert_eq!(
        call!(cuStreamEndCapture(blocking => Handle, &mut graph => *mut Handle)),
        901
    );
}

#[test]
fn captures_know_their_state() {
    let _alone = alone();
    let (stream, mut status) = (stream(), 9u32);
    ok!(cuStreamIsCapturing(stream => Handle, &mut status => *mut u32));
    assert_eq!(status, 0);
    ok!(cuStreamBeginCapture_v2(stream => Handle, 1 => u32));
    ok!(cuStreamIsCapturing(stream => Handle, &mut status => *mut u32));
    assert_eq!(status, 1);
    assert_eq!(call!(cuCtxSynchronize()), 900);
    ok!(cuStreamIsCapturing(stream => Handle, &mut status => *mut u32));
    assert_eq!(status, 2);
    let mut graph = null_mut();
    assert_eq!(
        call!(cuStreamEndCapture(stream => Handle, &mut graph => *mut Handle)),
        901
    );
    ok!(cuStreamIsCapturing(stream => Handle, &mut status => *mut u32));
    assert_eq!(status, 0);
}

#[test]
fn events_take_other_streams_into_a_capture() {
    let _alone = alone();
    let (first, second, at) = (stream(), stream(), upload(&[0u32]));
    let increment = function(module(), "increment");
    let mut event = null_mut();
    ok!(cuEventCreate(&mut event => *mut Handle, 2 => u32));
    ok!(cuStreamBeginCapture_v2(first => Handle, 1 => u32));
    ok!(cuEventRecord(event => Handle, first => Handle));
    ok!(cuStreamWaitEvent(second => Handle, event => Handle, 0 => u32));
    launch(increment, second, &[Arg::U64(at)]);
    assert_eq!(call!(cuEventQuery(event => Handle)), 907);
    let mut graph = null_mut();
    assert_eq!(
        call!(cuStreamEndCapture(second => Handle, &mut graph => *mut Handle)),
        903
    );
    ok!(cuStreamEndCapture(first => Handle, &mut graph => *mut Handle));
    assert_eq!(download::<u32>(at, 1), [0]);
    ok!(cuGraphLaunch(instantiate(graph) => Handle, first => Handle));
    assert_eq!(download::<u32>(at, 1), [1]);
    // Outside of a capture, events are done at once.
    ok!(cuEventRecord(event => Handle, first => Handle));
    ok!(cuEventQuery(event => Handle));
    ok!(cuEventSynchronize(event => Handle));
    ok!(cuEventDestroy_v2(event => Handle));
}

#[test]
fn a_fault_in_a_graph_ends_its_loops() {
    let _alone = alone();
    let (stream, at) = (stream(), alloc(4));
    let graph = new_graph();
    let handle = condition(graph, 1, 1);
    let body = add_conditional(graph, handle, 1, 1).unwrap()[0];
    let bad = function(
        load(&kernel("", "mov.u64 %rd0, 16; ld.u32 %r0, [%rd0];")),
        "k",
    );
    capture_into(body, stream, || {
        launch(bad, stream, &[Arg::U64(at), Arg::U64(at)])
    });
    ok!(cuGraphLaunch(instantiate(graph) => Handle, stream => Handle));
    assert_eq!(call!(cuStreamSynchronize(stream => Handle)), 700);
}
