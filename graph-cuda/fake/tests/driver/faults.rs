//! What kernels do wrong: each check fires, with the driver's code and a message that names the place.

use crate::common::*;
use crate::{alone, call};
use graph_cuda_fake::{control, last_error};
use std::ptr::null_mut;

/// Runs a kernel that must fail with this code; the message.
fn fault(declared: &str, body: &str, threads: u32, want: u32) -> String {
    let f = function(load(&kernel(declared, body)), "k");
    let (out, input) = (upload(&[0u32; 64]), upload(&[0u32; 64]));
    let code = run(f, 1, threads, &[Arg::U64(out), Arg::U64(input)]);
    let message = last_error();
    assert_eq!(code, want, "`{body}`: {message}");
    control::reset_error();
    free(out);
    free(input);
    message
}

#[test]
fn addresses_outside_of_an_allocation_are_illegal() {
    let _alone = alone();
    let message = fault(
        "",
        "mul.wide.u32 %rd0, %i, 4; add.u64 %rd0, %rd0, %out; st.global.u32 [%rd0+244], %i;",
        4,
        700,
    );
    for part in [
        "kernel `k`",
        "line 8",
        "`st.global.u32 [%rd0+244], %i;`",
        "block (0, 0, 0), thread (3, 0, 0)",
        "256 bytes",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(fault("", "ld.global.u32 %r0, [%in+-4];", 1, 700).contains("begins at byte -4"));
    assert!(
        fault("", "mov.u64 %rd0, 0; ld.global.u32 %r0, [%rd0+8];", 1, 700)
            .contains("isn't device memory")
    );
    assert!(
        fault("", "mov.u64 %rd0, 16; ld.u32 %r0, [%rd0];", 1, 700).contains("isn't device memory")
    );
}

#[test]
fn freed_memory_is_illegal() {
    let _alone = alone();
    let f = function(load(&kernel("", "ld.global.u32 %r0, [%in];")), "k");
    let at = alloc(64);
    free(at);
    assert_eq!(run(f, 1, 1, &[Arg::U64(at), Arg::U64(at)]), 700);
    assert!(last_error().contains("was freed"), "{}", last_error());
}

#[test]
fn misaligned_addresses_have_a_code_of_their_own() {
    let _alone = alone();
    assert!(fault("", "ld.global.u32 %r0, [%in+2];", 1, 716).contains("misaligned"));
    fault(
        "",
        "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%in+8];",
        1,
        716,
    );
    fault(
        ".shared .align 16 .b8 s[64];",
        "st.shared.u64 [s+4], %rd0;",
        1,
        716,
    );
}

#[test]
fn constant_tables_are_not_written() {
    let _alone = alone();
    let message = fault(
        ".const .align 4 .u32 one = 1;",
        "mov.u64 %rd0, one; st.global.u32 [%rd0], 2;",
        1,
        700,
    );
    assert!(message.contains("constant"), "{message}");
}

#[test]
fn shared_and_local_memory_have_ends() {
    let _alone = alone();
    assert!(
        fault(
            ".shared .align 4 .b8 s[64];",
            "st.shared.u32 [s+64], 0;",
            1,
            700
        )
        .contains("64 bytes of shared memory")
    );
    assert!(
        fault(
            "",
            ".local .align 4 .b8 l[8]; st.local.u32 [l+8], 0;",
            1,
            700
        )
        .contains("8 bytes of local memory")
    );
}

#[test]
fn unwritten_shared_and_local_memory_is_not_read() {
    let _alone = alone();
    assert!(
        fault(
            ".shared .align 4 .b8 s[64];",
            "ld.shared.u32 %r0, [s];",
            1,
            719
        )
        .contains("before it is written")
    );
    assert!(
        fault(
            "",
            ".local .align 4 .b8 l[8]; st.local.u16 [l], 0; ld.local.u32 %r0, [l];",
            1,
            719
        )
        .contains("before it is written")
    );
}

#[test]
fn fresh_memory_and_registers_are_poisoned() {
    let _alone = alone();
    let at = alloc(8);
    assert_eq!(download::<u32>(at, 2), [u32::MAX; 2]);
    let f = function(load(&kernel("", "st.global.u32 [%out], %r5;")), "k");
    let out = upload(&[0u32]);
    assert_eq!(run(f, 1, 1, &[Arg::U64(out), Arg::U64(out)]), 0);
    assert_eq!(download::<u32>(out, 1), [u32::MAX]);
}

#[test]
fn all_threads_reach_the_same_barrier() {
    let _alone = alone();
    let skip = "setp.eq.u32 %p0, %i, 3; @%p0 bra END; bar.sync 0; END:";
    assert!(fault("", skip, 4, 719).contains("has ended without the barrier"));
    let other =
        "setp.eq.u32 %p0, %i, 3; @%p0 bra OTHER; bar.sync 0; bra END; OTHER: bar.sync 0; END:";
    let message = fault("", other, 4, 719);
    assert!(
        message.contains("another barrier") && message.contains("thread (3, 0, 0)"),
        "{message}"
    );
}

#[test]
fn all_lanes_of_the_mask_shuffle() {
    let _alone = alone();
    let skip = "setp.eq.u32 %p0, %i, 3; @%p0 bra END; shfl.sync.bfly.b32 %r0, %i, 1, 31, -1; END: bar.sync 0;";
    assert!(fault("", skip, 32, 719).contains("waits for its warp instead of the barrier"));
    let two = "setp.eq.u32 %p0, %i, 3; @%p0 bra OTHER; shfl.sync.bfly.b32 %r0, %i, 1, 31, -1; bra END; OTHER: shfl.sync.bfly.b32 %r0, %i, 1, 31, -1; END:";
    assert!(fault("", two, 32, 719).contains("don't take part"));
    // The lane that ended doesn't count, but nobody may read it.
    let ended = "setp.eq.u32 %p0, %i, 3; @%p0 exit; shfl.sync.bfly.b32 %r0, %i, 1, 31, -1;";
    assert!(fault("", ended, 32, 719).contains("lane 2 reads lane 3"));
    assert!(
        fault(
            "",
            "shfl.sync.bfly.b32 %r0, %i, 1, 31, 0xfffffffe;",
            32,
            719
        )
        .contains("doesn't name the lane 0")
    );
    assert!(
        fault("", "shfl.sync.bfly.b32 %r0, %i, 16, 31, -1;", 48, 719).contains("doesn't take part")
    );
}

#[test]
fn traps_fail_the_launch() {
    let _alone = alone();
    assert!(fault("", "setp.eq.u32 %p0, %i, 1; @%p0 trap;", 2, 719).contains("a trap"));
}

#[test]
fn endless_loops_end() {
    let _alone = alone();
    control::limit_instructions(1000);
    assert!(fault("", "L: add.u32 %r0, %r0, 1; bra L;", 1, 702).contains("without an end"));
}

#[test]
fn endless_recursion_overflows_the_stack() {
    let _alone = alone();
    let declared = ".func f() { call f; ret; }";
    assert!(fault(declared, "call f;", 1, 719).contains("the stack overflows"));
}

#[test]
fn a_fault_is_the_answer_of_every_later_call() {
    let _alone = alone();
    let f = function(
        load(&kernel("", "mov.u64 %rd0, 16; ld.u32 %r0, [%rd0];")),
        "k",
    );
    let at = alloc(4);
    // The launch itself succeeds: the fault comes to light later.
    assert_eq!(
        try_launch(
            f,
            [1, 1, 1],
            [1, 1, 1],
            0,
            null_mut(),
            &[Arg::U64(at), Arg::U64(at)]
        ),
        0
    );
    let mut other = 0u64;
    assert_eq!(call!(cuStreamSynchronize(null_mut() => Handle)), 700);
    assert_eq!(
        call!(cuMemAlloc_v2(&mut other => *mut u64, 4 => usize)),
        700
    );
    assert_eq!(call!(cuMemFree_v2(at => u64)), 700);
    assert_eq!(
        try_launch(
            f,
            [1, 1, 1],
            [1, 1, 1],
            0,
            null_mut(),
            &[Arg::U64(at), Arg::U64(at)]
        ),
        700
    );
    control::reset_error();
    free(at);
}

#[test]
fn launches_have_limits() {
    let _alone = alone();
    let f = function(
        load(&kernel(
            ".shared .align 4 .b8 s[4096];",
            "st.shared.u32 [s], 0;",
        )),
        "k",
    );
    let at = alloc(4);
    let args = [Arg::U64(at), Arg::U64(at)];
    let launch = |grid, block, shared| try_launch(f, grid, block, shared, null_mut(), &args);
    assert_eq!(launch([1, 1, 1], [1025, 1, 1], 0), 1);
    assert_eq!(launch([1, 1, 1], [32, 33, 1], 0), 1);
    assert_eq!(launch([1, 65536, 1], [1, 1, 1], 0), 1);
    assert_eq!(launch([0, 1, 1], [1, 1, 1], 0), 1);
    assert_eq!(launch([1, 1, 1], [1, 1, 1], (48 << 10) + 16), 1);
    assert_eq!(
        call!(cuFuncSetAttribute(f => Handle, 8 => u32, 64 << 10 => i32)),
        0
    );
    assert_eq!(launch([1, 1, 1], [1, 1, 1], (48 << 10) + 16), 0);
}

#[test]
fn copies_stay_in_their_allocations() {
    let _alone = alone();
    let at = alloc(16);
    let mut host = [0u32; 8];
    assert_eq!(
        call!(cuMemcpyDtoH_v2(host.as_mut_ptr().cast() => Handle, at => u64, 20 => usize)),
        1
    );
    assert!(last_error().contains("16 bytes"), "{}", last_error());
    assert_eq!(
        call!(cuMemcpyHtoD_v2(host.as_mut_ptr() as u64 => u64, host.as_mut_ptr().cast() => Handle, 4 => usize)),
        1
    );
    assert_eq!(
        call!(cuMemsetD32Async(at + 2 => u64, 0 => u32, 1 => usize, null_mut() => Handle)),
        1
    );
    assert_eq!(call!(cuMemFree_v2(at + 4 => u64)), 1);
    free(at);
    assert_eq!(call!(cuMemFree_v2(at => u64)), 1);
}
