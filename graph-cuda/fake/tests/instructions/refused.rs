//! Texts that aren't modules. The message names the line; NVIDIA's assembler refuses them, too, where it is there.

use crate::common::*;
use crate::table::assembles;

/// Statements that aren't valid in a kernel, and what the message says.
const BODIES: [(&str, &str); 38] = [
    ("foo.u32 %r0, %r1;", "`foo` isn't a known instruction"),
    ("add.u32 %r0, %r1;", "2 operands are needed, not 1"),
    (
        "add.u32 %r0, %r1, %r2, %r3;",
        "2 operands are needed, not 3",
    ),
    ("add.u32 %r0, %r1, %r99;", "`%r99` isn't a register"),
    ("add.u32 %r0, %r1, %rd1;", "`%rd1` has another type"),
    ("add.f32 %f0, %h1, %f1;", "`%h1` has another type"),
    ("add.u64 %r0, %rd1, %rd2;", "`%r0` has another type"),
    ("add.s32 %f0, %f1, %f2;", "`%f0` has another type"),
    (
        "add.b32 %r0, %r1, %r2;",
        "`add` doesn't exist for this type",
    ),
    (
        "add.foo.u32 %r0, %r1, %r2;",
        "the modifier `.foo` isn't known",
    ),
    ("add.ftz.f64 %fd0, %fd1, %fd2;", "`.ftz`"),
    (
        "mul.u32 %r0, %r1, %r2;",
        "`.lo`, `.hi` or `.wide` is missing",
    ),
    ("mul.wide.u64 %rd0, %rd1, %rd2;", "128 bits"),
    (
        "fma.f32 %f0, %f1, %f2, %f3;",
        "needs a direction of rounding",
    ),
    (
        "div.f32 %f0, %f1, %f2;",
        "needs either a direction of rounding",
    ),
    (
        "sqrt.f64 %fd0, %fd1;",
        "needs either a direction of rounding",
    ),
    ("sin.f32 %f0, %f1;", "needs `.approx`"),
    ("tanh.approx.f64 %fd0, %fd1;", "`tanh`"),
    ("neg.u32 %r0, %r1;", "needs a signed type"),
    (
        "and.u32 %r0, %r1, %r2;",
        "`and` doesn't exist for this type",
    ),
    ("popc.b16 %r0, %h1;", "`popc` doesn't exist for 16 bits"),
    ("setp.lt.b32 %p0, %r1, %r2;", "bits have no order"),
    ("setp.ltu.s32 %p0, %r1, %r2;", "a comparison is missing"),
    (
        "setp.lt.and.s32 %p0, %r1, %r2;",
        "too many or too few operands",
    ),
    (
        "cvt.f32.s32 %f0, %r1;",
        "`.rn`, `.rz`, `.rm` or `.rp` is needed",
    ),
    (
        "cvt.s32.f32 %r0, %f1;",
        "`.rni`, `.rzi`, `.rmi` or `.rpi` is needed",
    ),
    ("cvt.rn.f64.f32 %fd0, %f1;", "there is no rounding"),
    ("cvt.u32.b32 %r0, %r1;", "it needs integers or floats"),
    ("ld.global.u32 %r0, [%r1];", "has 64 bits"),
    (
        "ld.global.v3.u32 {%r0, %r1, %r2}, [%rd1];",
        "`.v2` or `.v4` is missing",
    ),
    (
        "ld.global.v4.u64 {%rd0, %rd1, %rd2, %rd3}, [%rd4];",
        "at most 16 bytes",
    ),
    (
        "ld.global.v2.u32 {%r0, %r1, %r2}, [%rd1];",
        "2 registers are needed",
    ),
    ("bra NOWHERE;", "there is no label `NOWHERE`"),
    (
        "L: mov.u32 %r0, 0; L: mov.u32 %r0, 0;",
        "the label `L` is set twice",
    ),
    ("{ L: mov.u32 %r0, 0; } bra L;", "there is no label `L`"),
    (".reg .u33 %x;", "isn't a type"),
    ("mov.u32 %r0, 0f3F800000;", "isn't of the operand's type"),
    ("@%r1 mov.u32 %r0, 0;", "`%r1` has another type"),
];

#[test]
fn bad_instructions_are_refused_with_their_line() {
    open();
    for (body, want) in BODIES {
        let ptx = kernel("", body);
        let Err((code, message)) = try_load(&ptx) else {
            panic!("`{body}` is accepted")
        };
        assert_eq!(code, 218, "{message}");
        assert!(message.contains(want), "`{body}`: {message}");
        // The body stands in line 8 of the text.
        assert!(message.contains("line 8"), "`{body}`: {message}");
        assert!(
            !matches!(assembles(&ptx), Some(Ok(()))),
            "the assembler accepts `{body}`"
        );
    }
}

#[test]
fn bad_modules_are_refused() {
    open();
    let k = ".visible .entry k() { ret; }";
    let texts = [
        (k.to_owned(), "`.version` or `.target` is missing"),
        (format!("{HEADER}{k}\n{k}"), "`k` is defined twice"),
        (
            format!("{HEADER}.visible .entry k() {{ ret;"),
            "not the end",
        ),
        (format!("{HEADER}.foo 3;"), "`.foo` isn't known here"),
        (
            format!("{HEADER}.global .u32 a; .global .u32 a;"),
            "`a` is declared twice",
        ),
        (
            format!("{HEADER}.global .u32 a[2] = {{1, 2, 3}};"),
            "longer than the variable",
        ),
        (
            format!("{HEADER}.extern .func f();\n.visible .entry k() {{ call f; ret; }}"),
            "`f` is called but has no body",
        ),
        (
            format!("{HEADER}.visible .entry k() {{ call f; ret; }}"),
            "there is no function `f`",
        ),
        (
            ".version 8.6\n.target sm_90\n.address_size 32\n".to_owned(),
            "`.address_size 32` isn't known",
        ),
    ];
    for (text, want) in texts {
        let Err((code, message)) = try_load(&text) else {
            panic!("accepted: {text}")
        };
        assert_eq!(code, 218, "{message}");
        assert!(message.contains(want), "{message}");
    }
}

#[test]
fn some_texts_are_refused_here_only() {
    open();
    let cases = [
        ("ld.param.u64 %rd0, [p_out+8];", "outside of `p_out`"),
        (".reg .b32 %tid;", "the name of a special register"),
        ("mov.u16 %h0, 70000;", "isn't of the operand's type"),
    ];
    for (body, want) in cases {
        let Err((_, message)) = try_load(&kernel("", body)) else {
            panic!("`{body}` is accepted")
        };
        assert!(message.contains(want), "{message}");
    }
}
