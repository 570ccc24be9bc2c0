//! Branches, guards, blocks with names of their own, and calls.

use crate::common::*;
use crate::table::assembles;

/// Runs a kernel with some threads; the first words of its output.
pub fn words(declared: &str, body: &str, threads: u32, input: &[u32], count: usize) -> Vec<u32> {
    open();
    let ptx = kernel(declared, body);
    if let Some(Err(message)) = assembles(&ptx) {
        panic!("{message}");
    }
    let (input, out) = (upload(input), upload(&vec![0u32; count]));
    let code = run(
        function(load(&ptx), "k"),
        1,
        threads,
        &[Arg::U64(out), Arg::U64(input)],
    );
    assert_eq!(code, 0, "{}", graph_cuda_fake::last_error());
    let found = download(out, count);
    free(input);
    free(out);
    found
}

#[test]
fn loops_run_until_their_condition_fails() {
    let body = "mov.u32 %r0, 0; mov.u32 %r1, 0;
L: add.u32 %r0, %r0, %r1; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 10; @%p0 bra L;
  st.global.u32 [%out], %r0;";
    assert_eq!(words("", body, 1, &[0], 1), [45]);
}

#[test]
fn guards_skip_instructions() {
    let body =
        "setp.eq.u32 %p0, %i, 1; mov.u32 %r0, 7; @%p0 mov.u32 %r0, 8; @!%p0 add.u32 %r0, %r0, 10;
  mul.wide.u32 %rd0, %i, 4; add.u64 %rd0, %rd0, %out; st.global.u32 [%rd0], %r0;";
    assert_eq!(words("", body, 3, &[0], 3), [17, 8, 17]);
}

#[test]
fn blocks_have_registers_and_labels_of_their_own() {
    let body = "mov.u32 %r0, 1; mov.u32 %r1, 0;
  { .reg .b32 %r0; mov.u32 %r0, 5; L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 8; @%p0 bra L; add.u32 %r1, %r1, %r0; }
  { .reg .b32 %x; mov.u32 %x, 100; L: add.u32 %x, %x, 1; setp.lt.u32 %p0, %x, 103; @%p0 bra L; add.u32 %r1, %r1, %x; bra END; }
  mov.u32 %r1, 0;
END: add.u32 %r1, %r1, %r0; st.global.u32 [%out], %r1;";
    assert_eq!(words("", body, 1, &[0], 1), [8 + 103 + 1]);
}

#[test]
fn functions_have_frames_of_their_own() {
    let factorial = ".func (.param .b32 r) factorial(.param .b32 n) {
  .reg .b32 %n, %x; .reg .pred %p;
  ld.param.b32 %n, [n]; mov.b32 %x, 1; setp.le.u32 %p, %n, 1; @%p bra DONE;
  sub.u32 %x, %n, 1;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %x; call.uni (b), factorial, (a); ld.param.b32 %x, [b]; }
  mul.lo.u32 %x, %x, %n;
DONE: st.param.b32 [r], %x; ret; }";
    let body = "{ .param .b32 a; .param .b32 b; st.param.b32 [a], 6; call (b), factorial, (a); ld.param.b32 %r0, [b]; }
  st.global.u32 [%out], %r0;";
    assert_eq!(words(factorial, body, 2, &[0], 1), [720]);
}

#[test]
fn structures_are_passed_by_their_bytes() {
    let declared = ".func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 a[16]);
.func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 a[16]) {
  .reg .b64 %x, %y; ld.param.v2.b64 {%x, %y}, [a]; st.param.b64 [r], %y; st.param.b64 [r+8], %x; ret; }";
    let body = "{ .param .align 8 .b8 a[16]; .param .align 8 .b8 b[16]; st.param.b64 [a], 1; st.param.b64 [a+8], 2;
  call (b), swap, (a); ld.param.b32 %r0, [b]; ld.param.b64 %rd0, [b+8]; cvt.u32.u64 %r1, %rd0; }
  st.global.v2.u32 [%out], {%r0, %r1};";
    assert_eq!(words(declared, body, 1, &[0], 2), [2, 1]);
}

#[test]
fn threads_end_early() {
    let body = "setp.ge.u32 %p0, %i, 2; @%p0 exit; mul.wide.u32 %rd0, %i, 4; add.u64 %rd0, %rd0, %out; st.global.u32 [%rd0], 9;";
    assert_eq!(words("", body, 4, &[0], 4), [9, 9, 0, 0]);
}

#[test]
fn threads_know_their_place_in_three_axes() {
    open();
    let ptx = format!(
        "{HEADER}.visible .entry k(.param .u64 p_out) {{
  .reg .b32 %r<16>; .reg .b64 %out;
  ld.param.u64 %out, [p_out];
  mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ntid.x; mov.u32 %r4, %ntid.y; mov.u32 %r5, %ntid.z;
  mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; mov.u32 %r8, %ctaid.z; mov.u32 %r9, %nctaid.x; mov.u32 %r10, %nctaid.y; mov.u32 %r11, %nctaid.z;
  // Each thread counts itself at its place: ((block * threads) + thread).
  mad.lo.u32 %r12, %r8, %r10, %r7; mad.lo.u32 %r12, %r12, %r9, %r6;
  mad.lo.u32 %r12, %r12, %r5, %r2; mad.lo.u32 %r12, %r12, %r4, %r1; mad.lo.u32 %r12, %r12, %r3, %r0;
  {{ .reg .b64 %at; mul.wide.u32 %at, %r12, 4; add.u64 %at, %at, %out; red.global.add.u32 [%at], %r12; }}
  ret; }}"
    );
    assert!(!matches!(assembles(&ptx), Some(Err(_))));
    let (grid, block) = ([2, 3, 4], [3, 2, 5]);
    let count = 2 * 3 * 4 * 3 * 2 * 5;
    let out = upload(&vec![0u32; count as usize]);
    assert_eq!(
        try_launch(
            function(load(&ptx), "k"),
            grid,
            block,
            0,
            std::ptr::null_mut(),
            &[Arg::U64(out)]
        ),
        0
    );
    assert_eq!(
        download::<u32>(out, count as usize),
        (0..count).collect::<Vec<_>>()
    );
}

#[test]
fn lanes_and_warps_are_numbered() {
    let body = "mov.u32 %r0, %laneid; mov.u32 %r1, %warpid; mov.u32 %r2, %lanemask_lt; mov.u32 %r3, %lanemask_ge;
  mul.wide.u32 %rd0, %i, 16; add.u64 %rd0, %rd0, %out; st.global.v4.u32 [%rd0], {%r0, %r1, %r2, %r3};";
    let found = words("", body, 40, &[0], 160);
    assert_eq!(found[4 * 35..4 * 36], [3, 1, 7, !7]);
}

#[test]
fn clocks_run() {
    let body = "mov.u64 %rd0, %clock64; mov.u64 %rd1, %clock64; setp.lt.u64 %p0, %rd0, %rd1; selp.u32 %r0, 1, 0, %p0; st.global.u32 [%out], %r0;";
    assert_eq!(words("", body, 1, &[0], 1), [1]);
}
