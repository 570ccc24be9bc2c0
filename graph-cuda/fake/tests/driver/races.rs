//! Accesses that no barrier orders.

use crate::alone;
use crate::common::*;
use graph_cuda_fake::{control, last_error};

/// Threads write their number at their place of shared memory; what the kernel does then, with the byte offset in `%r1`.
fn shared(body: &str, threads: u32) -> (u32, String) {
    let start =
        ".shared .align 16 .b8 s[1024]; mov.u32 %r0, s; shl.b32 %r1, %i, 2; add.u32 %r1, %r0, %r1;";
    let f = function(load(&kernel("", &format!("{start} {body}"))), "k");
    let out = upload(&[0u32; 64]);
    let code = run(f, 1, threads, &[Arg::U64(out), Arg::U64(out)]);
    (code, last_error())
}

fn races(body: &str, threads: u32) {
    let _alone = alone();
    let (code, message) = shared(body, threads);
    assert!(
        code == 719 && message.contains("a race in shared memory"),
        "`{body}`: {code} {message}"
    );
}

fn is_ordered(body: &str, threads: u32) {
    let _alone = alone();
    let (code, message) = shared(body, threads);
    assert_eq!(code, 0, "`{body}`: {message}");
}

#[test]
fn reading_what_another_thread_wrote_needs_a_barrier() {
    races("st.shared.u32 [%r1], %i; ld.shared.u32 %r2, [%r0];", 2);
    is_ordered(
        "st.shared.u32 [%r1], %i; bar.sync 0; ld.shared.u32 %r2, [%r0];",
        2,
    );
}

#[test]
fn overwriting_what_another_thread_reads_needs_a_barrier() {
    // Each thread reads its right neighbour, which changes its place after that.
    let body = |barrier| {
        format!(
            "st.shared.u32 [%r1], %i; st.shared.u32 [%r1+4], 7; bar.sync 0; ld.shared.u32 %r2, [%r1+4]; {barrier} st.shared.u32 [%r1], 9;"
        )
    };
    let first = "st.shared.u32 [%r1], 1; setp.eq.u32 %p0, %i, 0; @%p0 st.shared.u32 [%r0+64], 1; bar.sync 0;";
    races(
        &format!("{first} xor.b32 %r3, %r1, 4; ld.shared.u32 %r2, [%r3]; st.shared.u32 [%r1], 9;"),
        2,
    );
    is_ordered(
        &format!(
            "{first} xor.b32 %r3, %r1, 4; ld.shared.u32 %r2, [%r3]; bar.sync 0; st.shared.u32 [%r1], 9;"
        ),
        2,
    );
    races(&body(""), 4);
}

#[test]
fn several_threads_may_write_only_the_same_value() {
    races("st.shared.u32 [%r0], %i;", 2);
    is_ordered("st.shared.u32 [%r0], 5;", 4);
}

#[test]
fn neighbouring_bytes_belong_to_different_threads() {
    is_ordered(
        "add.u32 %r1, %r0, %i; st.shared.u8 [%r1], %i; ld.shared.u8 %r2, [%r1];",
        8,
    );
}

#[test]
fn a_synchronized_warp_is_ordered_but_not_others() {
    let body =
        "st.shared.u32 [%r1], %i; bar.warp.sync -1; xor.b32 %r3, %r1, 4; ld.shared.u32 %r2, [%r3];";
    is_ordered(body, 64);
    races(
        "st.shared.u32 [%r1], %i; bar.warp.sync -1; xor.b32 %r3, %r1, 128; ld.shared.u32 %r2, [%r3];",
        64,
    );
    races(
        "st.shared.u32 [%r1], %i; shfl.sync.bfly.b32 %r4, %i, 1, 31, -1; xor.b32 %r3, %r1, 4; ld.shared.u32 %r2, [%r3];",
        32,
    );
}

#[test]
fn atomic_operations_do_not_race_with_each_other() {
    let zero = "setp.eq.u32 %p0, %i, 0; @%p0 st.shared.u32 [%r0], 0; bar.sync 0;";
    is_ordered(
        &format!("{zero} red.shared.add.u32 [%r0], 1; bar.sync 0; ld.shared.u32 %r2, [%r0];"),
        8,
    );
    races(
        &format!("{zero} red.shared.add.u32 [%r0], 1; ld.shared.u32 %r2, [%r0];"),
        8,
    );
    races(
        &format!("{zero} @%p0 st.shared.u32 [%r0], 3; red.shared.add.u32 [%r0], 1;"),
        8,
    );
}

/// Runs a kernel while races in global memory are looked for; whether it has one. `%rd1` has the address of the thread's word.
fn global(body: &str, grid: u32, threads: u32) -> bool {
    let _alone = alone();
    control::check_races(true);
    let start = "mul.wide.u32 %rd0, %i, 4; add.u64 %rd1, %out, %rd0; xor.b32 %r9, %i, 1; mul.wide.u32 %rd0, %r9, 4; add.u64 %rd2, %out, %rd0;";
    let f = function(load(&kernel("", &format!("{start} {body}"))), "k");
    let out = upload(&[0u32; 64]);
    let code = run(f, grid, threads, &[Arg::U64(out), Arg::U64(out)]);
    assert!(
        code == 0 || code == 719 && last_error().contains("a race in global memory"),
        "{}",
        last_error()
    );
    code != 0
}

#[test]
fn threads_of_a_block_race_in_global_memory_unless_a_barrier_orders_them() {
    assert!(global("st.global.u32 [%out], %i;", 1, 2));
    assert!(!global("st.global.u32 [%out], 5;", 1, 2));
    assert!(global(
        "st.global.u32 [%rd1], %i; ld.global.u32 %r0, [%rd2];",
        1,
        2
    ));
    assert!(!global(
        "st.global.u32 [%rd1], %i; bar.sync 0; ld.global.u32 %r0, [%rd2];",
        1,
        2
    ));
    assert!(global(
        "ld.global.u32 %r0, [%rd2]; st.global.u32 [%rd1], %i;",
        1,
        2
    ));
    assert!(!global(
        "ld.global.u32 %r0, [%rd2]; bar.sync 0; st.global.u32 [%rd1], %i;",
        1,
        2
    ));
}

#[test]
fn blocks_race_whatever_their_barriers() {
    assert!(global(
        "mov.u32 %r0, %ctaid.x; bar.sync 0; st.global.u32 [%rd1], %r0;",
        2,
        2
    ));
    assert!(!global("st.global.u32 [%rd1], %i;", 2, 2));
    assert!(!global("red.global.add.u32 [%out], 1;", 3, 4));
    assert!(global(
        "red.global.add.u32 [%out], 1; bar.sync 0; ld.global.u32 %r0, [%out];",
        2,
        4
    ));
}

#[test]
fn races_in_global_memory_are_not_looked_for_unless_asked() {
    let _alone = alone();
    let f = function(load(&kernel("", "st.global.u32 [%out], %i;")), "k");
    let out = upload(&[0u32]);
    assert_eq!(run(f, 1, 2, &[Arg::U64(out), Arg::U64(out)]), 0);
}
