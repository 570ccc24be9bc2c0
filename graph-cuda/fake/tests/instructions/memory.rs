//! Loads, stores and atomic operations in all kinds of memory.

use crate::common::*;
use crate::flow::words;
use crate::ok;

/// Stores a register of 64 bits as two words.
const STORE: &str = "st.global.u64 [%out], %rd0;";

#[test]
fn narrow_loads_extend_by_their_type() {
    let input = [0x8182_8384u32, 0xf1f2_f3f4];
    let loaded = |load: &str| {
        let found = words("", &format!("{load} {STORE}"), 1, &input, 2);
        u64::from(found[0]) | u64::from(found[1]) << 32
    };
    let cases = [
        ("ld.global.u8 %rd0, [%in];", 0x84),
        ("ld.global.s8 %rd0, [%in+1];", 0xffff_ffff_ffff_ff83),
        ("ld.global.b8 %rd0, [%in+3];", 0x81),
        ("ld.global.u16 %rd0, [%in+2];", 0x8182),
        ("ld.global.s16 %rd0, [%in];", 0xffff_ffff_ffff_8384),
        ("ld.global.b16 %rd0, [%in];", 0x8384),
        ("ld.global.u32 %rd0, [%in];", 0x8182_8384),
        ("ld.global.s32 %rd0, [%in];", 0xffff_ffff_8182_8384),
        ("ld.global.nc.b64 %rd0, [%in];", 0xf1f2_f3f4_8182_8384),
        ("ld.u64 %rd0, [%in];", 0xf1f2_f3f4_8182_8384),
        (
            "add.u64 %in, %in, 8; ld.global.u32 %rd0, [%in+-4];",
            0xf1f2_f3f4,
        ),
    ];
    for (load, want) in cases {
        assert_eq!(loaded(load), want, "{load}");
    }
}

#[test]
fn narrow_stores_change_only_their_bytes() {
    let body = "ld.global.u64 %rd0, [%in]; st.global.u64 [%out], -1; st.global.u8 [%out+1], %rd0; st.global.b16 [%out+4], %rd0;";
    assert_eq!(
        words("", body, 1, &[0x1234_5678, 0], 2),
        [0xffff_78ff, 0xffff_5678]
    );
}

#[test]
fn vectors_are_loaded_and_stored_in_order() {
    let body = "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%in]; st.global.v2.f32 [%out], {%f3, %f2}; st.global.v2.b32 [%out+8], {%f1, %f0};";
    assert_eq!(words("", body, 1, &[1, 2, 3, 4], 4), [4, 3, 2, 1]);
    let body = "ld.global.v2.u64 {%rd0, %rd1}, [%in]; st.global.v2.u64 [%out], {%rd1, %rd0};";
    assert_eq!(words("", body, 1, &[1, 2, 3, 4], 4), [3, 4, 1, 2]);
    let body = "ld.global.v4.u8 {%r0, %r1, %r2, %r3}, [%in]; st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};";
    assert_eq!(words("", body, 1, &[0x0403_0201], 4), [1, 2, 3, 4]);
}

#[test]
fn tables_have_their_initial_values() {
    let declared = ".global .align 4 .b8 bytes[8] = {1, 2, 3, 4, 255};\n.const .align 8 .f64 doubles[2] = {0d3FF8000000000000, 2.0};\n.global .u32 one = 7;";
    let body = "mov.u64 %rd0, bytes; ld.global.v2.u32 {%r0, %r1}, [%rd0]; ld.const.f64 %fd0, [doubles+8]; cvt.rzi.s32.f64 %r2, %fd0;
  ld.global.u32 %r3, [one]; st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};";
    assert_eq!(words(declared, body, 1, &[0], 4), [0x0403_0201, 255, 2, 7]);
}

#[test]
fn local_arrays_belong_to_a_thread() {
    let body = ".local .align 8 .b8 depot[32]; mov.u64 %rd0, depot; mul.wide.u32 %rd1, %i, 4; add.u64 %rd2, %rd0, %rd1; st.local.u32 [%rd2], %i;
  ld.local.u32 %r0, [%rd2]; add.u32 %r0, %r0, 100; add.u64 %rd2, %out, %rd1; st.global.u32 [%rd2], %r0;";
    assert_eq!(words("", body, 4, &[0], 4), [100, 101, 102, 103]);
    let generic = ".local .align 4 .b8 depot[4]; mov.u64 %rd0, depot; cvta.local.u64 %rd1, %rd0; st.u32 [%rd1], 5; ld.local.u32 %r0, [depot];
  cvta.to.local.u64 %rd2, %rd1; ld.local.u32 %r1, [%rd2]; st.global.v2.u32 [%out], {%r0, %r1};";
    assert_eq!(words("", generic, 1, &[0], 2), [5, 5]);
}

#[test]
fn shared_memory_belongs_to_a_block() {
    let body = ".shared .align 4 .b8 tile[256]; mov.u32 %r0, tile; shl.b32 %r1, %i, 2; add.u32 %r2, %r0, %r1; st.shared.u32 [%r2], %i; bar.sync 0;
  xor.b32 %r3, %r1, 4; add.u32 %r3, %r3, %r0; ld.shared.u32 %r4, [%r3]; cvt.u64.u32 %rd0, %r1; add.u64 %rd0, %rd0, %out; st.global.u32 [%rd0], %r4;";
    assert_eq!(words("", body, 4, &[0], 4), [1, 0, 3, 2]);
}

#[test]
fn shared_memory_has_generic_addresses() {
    let body = ".shared .align 8 .b64 cell; mov.u64 %rd0, cell; cvta.shared.u64 %rd1, %rd0; st.u32 [%rd1+4], 3; ld.shared.u32 %r0, [cell+4];
  cvta.to.shared.u64 %rd2, %rd1; ld.shared.u32 %r1, [%rd2+4]; st.global.v2.u32 [%out], {%r0, %r1};";
    assert_eq!(words("", body, 1, &[0], 2), [3, 3]);
}

#[test]
fn dynamic_shared_memory_follows_the_declared() {
    open();
    let body = ".shared .align 4 .u32 fixed; mov.u32 %r0, dynamic; shl.b32 %r1, %i, 2; add.u32 %r0, %r0, %r1; st.shared.u32 [fixed], 50; bar.sync 0;
  ld.shared.u32 %r2, [fixed]; add.u32 %r2, %r2, %i; st.shared.u32 [%r0], %r2; ld.shared.u32 %r3, [%r0];
  cvt.u64.u32 %rd0, %r1; add.u64 %rd0, %rd0, %out; st.global.u32 [%rd0], %r3;";
    let f = function(
        load(&kernel(".extern .shared .align 16 .b8 dynamic[];", body)),
        "k",
    );
    let out = alloc(16);
    let launched = try_launch(
        f,
        [1, 1, 1],
        [4, 1, 1],
        16,
        std::ptr::null_mut(),
        &[Arg::U64(out), Arg::U64(out)],
    );
    assert_eq!(launched, 0, "{}", graph_cuda_fake::last_error());
    assert_eq!(download::<u32>(out, 4), [50, 51, 52, 53]);
}

/// Runs an atomic operation of 4 threads on a word that is `first`; the word after it and the sum of the old ones.
fn atomic(space: &str, operation: &str, first: u32) -> (u32, u32) {
    let (declared, place) = if space == "shared" {
        (".shared .align 8 .b64 cell;", "mov.u64 %rd0, cell;")
    } else {
        ("", "add.u64 %rd0, %out, 8;")
    };
    let body = format!(
        "{place} setp.eq.u32 %p0, %i, 0; @%p0 st.{space}.u32 [%rd0], {first}; bar.sync 0;
  atom.{space}.{operation}; bar.sync 0; red.global.add.u32 [%out+4], %r0; ld.{space}.u32 %r1, [%rd0]; st.global.u32 [%out], %r1;"
    );
    let found = words(declared, &body, 4, &[0], 4);
    (found[0], found[1])
}

#[test]
fn atomic_operations_count_every_thread() {
    for space in ["global", "shared"] {
        // The threads have the numbers 0 to 3.
        assert_eq!(
            atomic(space, "add.u32 %r0, [%rd0], %i", 10),
            (16, 10 + 10 + 11 + 13)
        );
        assert_eq!(
            atomic(space, "max.u32 %r0, [%rd0], %i", 2),
            (3, 2 + 2 + 2 + 2)
        );
        assert_eq!(atomic(space, "min.s32 %r0, [%rd0], %i", 2), (0, 2));
        assert_eq!(
            atomic(space, "or.b32 %r0, [%rd0], %i", 4),
            (7, 4 + 4 + 5 + 7)
        );
        assert_eq!(atomic(space, "and.b32 %r0, [%rd0], %i", 7), (0, 7));
        assert_eq!(atomic(space, "xor.b32 %r0, [%rd0], %i", 0), (0, 1 + 3));
        assert_eq!(atomic(space, "exch.b32 %r0, [%rd0], %i", 9), (3, 9 + 1 + 2));
        assert_eq!(
            atomic(space, "cas.b32 %r0, [%rd0], %i, 8", 1),
            (8, 1 + 1 + 8 + 8)
        );
        assert_eq!(atomic(space, "inc.u32 %r0, [%rd0], 2", 1), (2, 1 + 2 + 1));
    }
}

#[test]
fn floats_are_added_atomically() {
    let body = "cvt.rn.f32.u32 %f0, %i; red.global.add.f32 [%out], %f0; atom.global.add.f64 %fd0, [%out+8], 1.5;";
    let found = words("", body, 4, &[0], 4);
    assert_eq!(f32::from_bits(found[0]), 6.0);
    assert_eq!(
        f64::from_bits(u64::from(found[2]) | u64::from(found[3]) << 32),
        6.0
    );
}

#[test]
fn page_locked_memory_is_reached_by_its_address() {
    open();
    let mut host = std::ptr::null_mut();
    ok!(cuMemAllocHost_v2(&mut host => *mut Handle, 16 => usize));
    let f = function(load(&kernel("", "st.global.u32 [%out+4], 77;")), "k");
    assert_eq!(run(f, 1, 1, &[Arg::U64(host as u64), Arg::U64(0)]), 0);
    // SAFETY: the driver allocated it, and nothing runs.
    assert_eq!(unsafe { host.cast::<u32>().add(1).read() }, 77);
    ok!(cuMemFreeHost(host => Handle));
}
