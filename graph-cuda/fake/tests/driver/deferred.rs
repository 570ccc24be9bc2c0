//! Work that is done as late as possible: a program that forgets to wait finds nothing there.

use crate::common::*;
use crate::{alone, call, ok};
use graph_cuda_fake::{control, last_error};
use std::ptr::null_mut;

/// `out[i] = in[i] + 1` for words.
const INCREMENT: &str = "mul.wide.u32 %rd0, %i, 4; add.u64 %rd1, %in, %rd0; ld.global.u32 %r0, [%rd1]; add.u32 %r0, %r0, 1;
  add.u64 %rd1, %out, %rd0; st.global.u32 [%rd1], %r0;";

fn launch(stream: Handle, out: u64, input: u64) {
    let f = function(load(&kernel("", INCREMENT)), "k");
    let code = try_launch(
        f,
        [1, 1, 1],
        [1, 1, 1],
        0,
        stream,
        &[Arg::U64(out), Arg::U64(input)],
    );
    assert_eq!(code, 0, "{}", last_error());
}

/// A word of page-locked memory.
fn pinned(value: u32) -> *mut u32 {
    let mut at: Handle = null_mut();
    ok!(cuMemAllocHost_v2(&mut at => *mut Handle, 4 => usize));
    // SAFETY: the driver allocated four bytes.
    unsafe { at.cast::<u32>().write(value) };
    at.cast()
}

fn word(at: *mut u32) -> u32 {
    // SAFETY: `pinned` made it.
    unsafe { at.read_volatile() }
}

fn copy_to_host(to: *mut u32, from: u64, stream: Handle) {
    ok!(cuMemcpyDtoHAsync_v2(to.cast() => Handle, from => u64, 4 => usize, stream => Handle));
}

fn copy_to_device(to: u64, from: *mut u32, stream: Handle) {
    ok!(cuMemcpyHtoDAsync_v2(to => u64, from.cast() => Handle, 4 => usize, stream => Handle));
}

fn synchronize(stream: Handle) -> u32 {
    call!(cuStreamSynchronize(stream => Handle))
}

#[test]
fn results_are_there_only_after_the_program_waited() {
    let _alone = alone();
    control::defer_work(true);
    let (stream, at, host) = (stream(), upload(&[1u32]), pinned(77));
    launch(stream, at, at);
    copy_to_host(host, at, stream);
    assert_eq!(word(host), 77, "nobody waited yet");
    assert_eq!(synchronize(stream), 0);
    assert_eq!(word(host), 2);
    control::defer_work(false);
    launch(stream, at, at);
    copy_to_host(host, at, stream);
    assert_eq!(word(host), 3, "without the switch, work is done at once");
}

#[test]
fn uploads_beside_kernels_are_counted() {
    let _alone = alone();
    control::defer_work(true);
    let mut event = null_mut();
    ok!(cuEventCreate(&mut event => *mut Handle, 2 => u32));
    let (uploads, work, busy, at, host) = (stream(), stream(), alloc(4), alloc(4), pinned(5));
    let before = control::counts();
    let counted = |get: fn(&control::Counts) -> u64| get(&control::counts()) - get(&before);
    // Nothing else is to be done.
    copy_to_device(busy, host, uploads);
    ok!(cuEventRecord(event => Handle, uploads => Handle));
    ok!(cuStreamWaitEvent(work => Handle, event => Handle, 0 => u32));
    assert_eq!(
        [counted(|c| c.pinned_uploads), counted(|c| c.early_uploads)],
        [1, 0]
    );
    launch(work, busy, busy);
    // A copy beside that kernel, and a kernel that doesn't wait for the copy.
    copy_to_device(at, host, uploads);
    ok!(cuEventRecord(event => Handle, uploads => Handle));
    launch(work, busy, busy);
    ok!(cuStreamWaitEvent(work => Handle, event => Handle, 0 => u32));
    launch(work, at, at);
    assert_eq!(
        [
            counted(|c| c.early_uploads),
            counted(|c| c.overtaking_launches)
        ],
        [1, 1]
    );
    // A copy among the kernels, and one of memory that isn't page-locked.
    copy_to_device(at, host, work);
    let mut word = 7u32;
    copy_to_device(at, &mut word, uploads);
    let all = [
        counted(|c| c.pinned_uploads),
        counted(|c| c.separate_uploads),
    ];
    assert_eq!(all, [3, 2]);
    assert_eq!(synchronize(work), 0);
    control::defer_work(false);
}

#[test]
fn streams_need_an_event_to_wait_for_each_other() {
    let _alone = alone();
    control::defer_work(true);
    let mut event = null_mut();
    ok!(cuEventCreate(&mut event => *mut Handle, 2 => u32));
    for with_event in [false, true] {
        let (uploads, work, at, host) = (stream(), stream(), alloc(4), pinned(5));
        copy_to_device(at, host, uploads);
        ok!(cuEventRecord(event => Handle, uploads => Handle));
        if with_event {
            ok!(cuStreamWaitEvent(work => Handle, event => Handle, 0 => u32));
        }
        launch(work, at, at);
        copy_to_host(host, at, work);
        assert_eq!(synchronize(work), 0);
        // Without the event, the kernel reads memory that nothing was written to yet.
        assert_eq!(word(host), if with_event { 6 } else { 0 });
    }
}

#[test]
fn page_locked_memory_is_read_when_the_copy_runs_and_other_memory_at_once() {
    let _alone = alone();
    control::defer_work(true);
    let (stream, at, locked) = (stream(), alloc(8), pinned(1));
    let mut plain = 1u32;
    copy_to_device(at, locked, stream);
    copy_to_device(at + 4, &mut plain, stream);
    // SAFETY: nothing else uses it: the copy that will read it hasn't run.
    unsafe { locked.write(2) };
    plain = 2;
    assert_eq!(synchronize(stream), 0);
    assert_eq!((download::<u32>(at, 2), plain), (vec![2, 1], 2));
    // A copy to memory that isn't page-locked is there when the call returns.
    copy_to_host(&mut plain, at + 4, stream);
    assert_eq!(plain, 1);
}

#[test]
fn work_without_a_stream_waits_for_blocking_streams_only() {
    let _alone = alone();
    control::defer_work(true);
    let (free_stream, mut blocking) = (stream(), null_mut());
    ok!(cuStreamCreate(&mut blocking => *mut Handle, 0 => u32));
    for (stream, want) in [(blocking, 2), (free_stream, 1)] {
        let at = upload(&[1u32]);
        launch(stream, at, at);
        assert_eq!(download::<u32>(at, 1), [want]);
        assert_eq!(synchronize(stream), 0);
        assert_eq!(download::<u32>(at, 1), [2]);
    }
}

#[test]
fn queries_make_progress() {
    let _alone = alone();
    control::defer_work(true);
    let (stream, at) = (stream(), upload(&[0u32]));
    let mut event = null_mut();
    ok!(cuEventCreate(&mut event => *mut Handle, 0 => u32));
    launch(stream, at, at);
    ok!(cuEventRecord(event => Handle, stream => Handle));
    launch(stream, at, at);
    let query = || call!(cuEventQuery(event => Handle));
    assert_eq!([query(), query(), query()], [600, 600, 0]);
    let query = || call!(cuStreamQuery(stream => Handle));
    assert_eq!([query(), query()], [0, 0]);
    assert_eq!(download::<u32>(at, 1), [2]);
}

#[test]
fn memory_is_freed_in_its_turn() {
    let _alone = alone();
    control::defer_work(true);
    let (stream, at) = (stream(), upload(&[0u32]));
    launch(stream, at, at);
    ok!(cuMemFreeAsync(at => u64, stream => Handle));
    assert_eq!(synchronize(stream), 0, "{}", last_error());
    // Freed too early: the kernel comes after it.
    let at = upload(&[0u32]);
    ok!(cuMemFreeAsync(at => u64, stream => Handle));
    launch(stream, at, at);
    assert_eq!(synchronize(stream), 700);
    assert!(last_error().contains("was freed"), "{}", last_error());
}

#[test]
fn graphs_wait_in_their_streams() {
    let _alone = alone();
    control::defer_work(true);
    let (stream, at) = (stream(), upload(&[0u32]));
    ok!(cuStreamBeginCapture_v2(stream => Handle, 2 => u32));
    launch(stream, at, at);
    let (mut graph, mut executable) = (null_mut(), null_mut());
    ok!(cuStreamEndCapture(stream => Handle, &mut graph => *mut Handle));
    ok!(cuGraphInstantiateWithFlags(&mut executable => *mut Handle, graph => Handle, 0 => u64));
    ok!(cuGraphLaunch(executable => Handle, stream => Handle));
    ok!(cuGraphLaunch(executable => Handle, stream => Handle));
    assert_eq!(download::<u32>(at, 1), [0]);
    ok!(cuCtxSynchronize());
    assert_eq!(download::<u32>(at, 1), [2]);
}
