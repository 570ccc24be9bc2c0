//! Shuffles, votes and barriers.

use crate::flow::words;

/// The value that each thread of a block stores in `%r0`.
fn each(threads: u32, body: &str) -> Vec<u32> {
    let body = format!(
        "{body} mul.wide.u32 %rd0, %i, 4; add.u64 %rd0, %rd0, %out; st.global.u32 [%rd0], %r0;"
    );
    words("", &body, threads, &[0], threads as usize)
}

fn lanes(f: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(f).collect()
}

#[test]
fn shuffles_read_other_lanes() {
    let shuffled = |kind: &str, b: u32, c: u32| {
        each(
            32,
            &format!("mul.lo.u32 %r1, %i, 10; shfl.sync.{kind}.b32 %r0, %r1, {b}, {c}, -1;"),
        )
    };
    assert_eq!(shuffled("bfly", 5, 31), lanes(|l| 10 * (l ^ 5)));
    assert_eq!(
        shuffled("down", 4, 31),
        lanes(|l| 10 * if l + 4 < 32 { l + 4 } else { l })
    );
    assert_eq!(
        shuffled("up", 4, 0),
        lanes(|l| 10 * if l >= 4 { l - 4 } else { l })
    );
    assert_eq!(shuffled("idx", 7, 31), lanes(|_| 70));
    // Segments of eight lanes: the mask of the segment is in the second byte.
    assert_eq!(
        shuffled("down", 3, 0x181f),
        lanes(|l| 10 * if l % 8 + 3 < 8 { l + 3 } else { l })
    );
    assert_eq!(
        shuffled("up", 3, 0x1800),
        lanes(|l| 10 * if l % 8 >= 3 { l - 3 } else { l })
    );
    assert_eq!(shuffled("idx", 2, 0x181f), lanes(|l| 10 * (l / 8 * 8 + 2)));
}

#[test]
fn shuffles_tell_whether_the_lane_was_in_range() {
    let found = each(
        32,
        "shfl.sync.down.b32 %r1|%p0, %i, 30, 31, -1; selp.u32 %r0, 1, 0, %p0;",
    );
    assert_eq!(found, lanes(|l| u32::from(l + 30 < 32)));
}

#[test]
fn parts_of_a_warp_shuffle_apart() {
    let body = "setp.lt.u32 %p0, %i, 16; @%p0 bra LOW;
  shfl.sync.bfly.b32 %r0, %i, 1, 31, 0xffff0000; bra DONE;
LOW: shfl.sync.bfly.b32 %r0, %i, 2, 31, 0xffff;
DONE:";
    assert_eq!(
        each(32, body),
        lanes(|l| if l < 16 { l ^ 2 } else { l ^ 1 })
    );
}

#[test]
fn votes_see_all_lanes() {
    let vote = |what: &str| {
        each(
            32,
            &format!(
                "setp.ge.u32 %p0, %i, 20; vote.sync.{what}.pred %p1, %p0, -1; selp.u32 %r0, 1, 0, %p1;"
            ),
        )
    };
    assert_eq!(vote("any"), [1; 32]);
    assert_eq!(vote("all"), [0; 32]);
    assert_eq!(vote("uni"), [0; 32]);
    assert_eq!(
        each(
            32,
            "setp.ge.u32 %p0, %i, 20; vote.sync.ballot.b32 %r0, %p0, -1;"
        ),
        [0xfff0_0000; 32]
    );
}

#[test]
fn the_active_lanes_of_a_short_warp_are_known() {
    assert_eq!(each(40, "activemask.b32 %r0;")[35], 0xff);
}

#[test]
fn warps_synchronize_their_accesses() {
    let body = ".shared .align 4 .b8 tile[128]; mov.u32 %r1, tile; shl.b32 %r2, %i, 2; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %i; bar.warp.sync -1;
  mov.u32 %r3, tile; xor.b32 %r2, %r2, 4; add.u32 %r3, %r3, %r2; ld.shared.u32 %r0, [%r3];";
    assert_eq!(each(32, body), lanes(|l| l ^ 1));
}
