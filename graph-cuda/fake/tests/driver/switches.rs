//! The switches and counters of `control`.

use crate::common::*;
use crate::{alone, call, ok};
use graph_cuda_fake::{control, last_error, symbol};
use std::ptr::null_mut;

fn attribute(number: u32) -> i32 {
    let mut value = 0;
    ok!(cuDeviceGetAttribute(&mut value => *mut i32, number => u32, 0 => i32));
    value
}

#[test]
fn there_may_be_no_device_or_several() {
    let _alone = alone();
    let mut count = 9;
    control::set_devices(0);
    assert_eq!(call!(cuInit(0 => u32)), 100);
    ok!(cuDeviceGetCount(&mut count => *mut i32));
    assert_eq!(count, 0);
    control::set_devices(2);
    assert_eq!(call!(cuInit(0 => u32)), 0);
    let mut device = 9;
    ok!(cuDeviceGet(&mut device => *mut i32, 1 => i32));
    assert_eq!(call!(cuDeviceGet(&mut device => *mut i32, 2 => i32)), 101);
}

#[test]
fn devices_have_the_facts_that_are_asked_for() {
    let _alone = alone();
    control::set_capability(7, 5);
    control::set_multiprocessors(11);
    assert_eq!(
        [attribute(75), attribute(76), attribute(16), attribute(10)],
        [7, 5, 11, 32]
    );
    let Err((code, message)) = try_load(&kernel("", "")) else {
        panic!("a text for sm_90 is loaded on sm_75")
    };
    assert_eq!(code, 209, "{message}");
}

#[test]
fn old_drivers_lack_conditional_nodes_and_new_texts() {
    let _alone = alone();
    let names = [
        c"cuGraphAddNode",
        c"cuGraphConditionalHandleCreate",
        c"cuStreamBeginCaptureToGraph",
    ];
    assert!(names.iter().all(|n| symbol(n).is_some()));
    control::set_driver_version(12020);
    assert!(names.iter().all(|n| symbol(n).is_none()));
    assert!(symbol(c"cuLaunchKernel").is_some());
    let Err((code, message)) = try_load(&kernel("", "")) else {
        panic!("PTX 8.6 is loaded by a driver of CUDA 12.2")
    };
    assert_eq!(code, 222, "{message}");
    assert!(try_load(&kernel("", "").replace("8.6", "8.2")).is_ok());
}

#[test]
fn memory_has_a_limit() {
    let _alone = alone();
    let (mut free_bytes, mut total) = (0, 0);
    ok!(cuMemGetInfo_v2(&mut free_bytes => *mut usize, &mut total => *mut usize));
    let used = total - free_bytes;
    control::set_memory(used as u64 + 1000);
    let at = alloc(600);
    let mut other = 0;
    assert_eq!(
        call!(cuMemAllocAsync(&mut other => *mut u64, 600 => usize, null_mut() => Handle)),
        2
    );
    assert!(last_error().contains("400 are free"), "{}", last_error());
    ok!(cuMemGetInfo_v2(&mut free_bytes => *mut usize, &mut total => *mut usize));
    assert_eq!((free_bytes, total), (400, used + 1000));
    free(at);
    free(alloc(1000));
}

#[test]
fn a_chosen_launch_fails() {
    let _alone = alone();
    let f = function(load(&kernel("", "")), "k");
    let launch = || {
        try_launch(
            f,
            [1, 1, 1],
            [1, 1, 1],
            0,
            null_mut(),
            &[Arg::U64(0), Arg::U64(0)],
        )
    };
    control::fail_launch(2, 701);
    assert_eq!([launch(), launch(), launch(), launch()], [0, 0, 701, 0]);
    control::fail_launch(0, 719);
    assert_eq!([launch(), launch()], [0, 719]);
    control::reset_error();
    assert_eq!(launch(), 0);
}

#[test]
fn a_chosen_allocation_fails() {
    let _alone = alone();
    let mut at = 0;
    control::fail_allocation(0, 2);
    assert_eq!(call!(cuMemAlloc_v2(&mut at => *mut u64, 4 => usize)), 2);
    free(alloc(4));
}

#[test]
fn everything_is_counted() {
    let _alone = alone();
    let f = function(
        load(&kernel(
            "",
            "ld.global.v2.u32 {%r0, %r1}, [%in]; st.global.u32 [%out], %r0;",
        )),
        "k",
    );
    control::reset_counts();
    let before = control::counts();
    let (a, b) = (upload(&[1u32, 2, 3]), alloc(8));
    assert_eq!(run(f, 2, 3, &[Arg::U64(b), Arg::U64(a + 4 - 4)]), 0);
    ok!(cuMemcpyDtoDAsync_v2(b + 4 => u64, a => u64, 4 => usize, null_mut() => Handle));
    assert_eq!(download::<u32>(b, 2), [1, 1]);
    let c = control::counts();
    assert_eq!(c.launches, 1);
    // Three loads of parameters and %tid, a load, a store and a return, for each of six threads.
    assert_eq!(c.instructions, 6 * 6);
    assert_eq!((c.bytes_read, c.bytes_written), (6 * 8, 6 * 4));
    assert_eq!(
        (c.uploads, c.upload_bytes, c.downloads, c.download_bytes),
        (1, 12, 1, 8)
    );
    assert_eq!((c.device_copies, c.device_copy_bytes), (1, 4));
    // The stream, and the copies that wait.
    assert_eq!(c.synchronizations, 3);
    assert_eq!(
        (c.allocations, c.live_allocations - before.live_allocations),
        (2, 2)
    );
    assert_eq!(c.live_bytes - before.live_bytes, 20);
    free(a);
    free(b);
    assert_eq!(control::counts().live_bytes, before.live_bytes);
}

#[test]
fn blocks_and_threads_go_forwards_or_backwards() {
    let _alone = alone();
    // The last one that writes remains.
    let body = "mov.u32 %r0, %ctaid.x; mad.lo.u32 %r0, %r0, 100, %i; st.global.u32 [%out], %r0;";
    for barrier in ["", "bar.sync 0;"] {
        let f = function(load(&kernel("", &format!("{body} {barrier}"))), "k");
        let out = alloc(4);
        for (backwards, want) in [(false, 102), (true, 0)] {
            control::run_backwards(backwards);
            assert_eq!(run(f, 2, 3, &[Arg::U64(out), Arg::U64(out)]), 0);
            assert_eq!(download::<u32>(out, 1), [want]);
        }
    }
}

#[test]
fn a_context_is_needed_in_each_thread() {
    let _alone = alone();
    let code = std::thread::spawn(|| {
        let mut at = 0u64;
        call!(cuMemAlloc_v2(&mut at => *mut u64, 4 => usize))
    });
    assert_eq!(code.join().unwrap(), 201);
}

#[test]
fn codes_have_names_and_texts() {
    let _alone = alone();
    let mut text = std::ptr::null();
    ok!(cuGetErrorName(700 => u32, &mut text => *mut *const i8));
    // SAFETY: the driver gave a C text.
    assert_eq!(
        unsafe { std::ffi::CStr::from_ptr(text) },
        c"CUDA_ERROR_ILLEGAL_ADDRESS"
    );
    ok!(cuGetErrorString(2 => u32, &mut text => *mut *const i8));
    // SAFETY: as above.
    assert_eq!(unsafe { std::ffi::CStr::from_ptr(text) }, c"out of memory");
    assert_eq!(
        call!(cuGetErrorString(12345 => u32, &mut text => *mut *const i8)),
        1
    );
}

#[test]
fn the_log_of_a_failed_load_has_the_message() {
    let _alone = alone();
    let text = std::ffi::CString::new(kernel("", "foo;")).unwrap();
    let mut log = [1i8; 256];
    let options = [5u32, 6];
    let values: [Handle; 2] = [log.as_mut_ptr().cast(), 256 as Handle];
    let mut module: Handle = null_mut();
    let code = call!(cuModuleLoadDataEx(
        &mut module => *mut Handle, text.as_ptr() => *const i8, 2 => u32, options.as_ptr() => *const u32, values.as_ptr() => *const Handle,
    ));
    assert_eq!(code, 218);
    // SAFETY: the driver ends the text.
    let log = unsafe { std::ffi::CStr::from_ptr(log.as_ptr()) }
        .to_str()
        .unwrap();
    assert!(
        log.contains("line 8: `foo` isn't a known instruction"),
        "{log}"
    );
}
