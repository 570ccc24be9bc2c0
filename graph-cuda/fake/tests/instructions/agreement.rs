//! Whether the interpreter accepts exactly the instructions that NVIDIA's assembler accepts: thousands of combinations of operations,
//! modifiers, types and registers, most of which don't exist. It runs where `PTXAS` names the assembler.

use crate::common::*;
use crate::table::assembles;

const TYPES: [&str; 17] = [
    "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "b8", "b16", "b32", "b64", "f16", "bf16",
    "f32", "f64", "pred",
];

/// The prefixes of the registers that `kernel` declares.
const REGISTERS: [&str; 6] = ["h", "r", "rd", "f", "fd", "p"];

/// What the assembler accepts and the interpreter doesn't know: literals that it cuts off, and forms that nobody writes.
const STRICTER: [&str; 12] = [
    "isn't of the operand's type",
    "carries need 32 or 64 bits",
    "cvt.f16.bf16",
    "cvt.bf16.f16",
    "cvt.rn.f32.bf16",
    "cvt.rn.ftz.f32.bf16",
    "cvt.rn.f64.bf16",
    "must come before the type",
    "prmt.b32.f4e",
    "fma.rz.bf16",
    "cvta.param",
    "%r01",
];

/// The prefix of the registers that hold a type.
fn natural(of: &str) -> &'static str {
    match of {
        "pred" => "p",
        "f32" => "f",
        "f64" => "fd",
        "u16" | "s16" | "b16" | "f16" | "bf16" => "h",
        "u64" | "s64" | "b64" => "rd",
        _ => "r",
    }
}

/// The prefix of registers of twice the size.
fn double(prefix: &str) -> &str {
    match prefix {
        "h" => "r",
        "r" => "rd",
        other => other,
    }
}

/// Registers of these prefixes, numbered from 0.
fn listed(prefixes: &[&str]) -> String {
    prefixes
        .iter()
        .enumerate()
        .map(|(i, p)| format!("%{p}{i}"))
        .collect::<Vec<_>>()
        .join(", ")
}

const ONE: &str = "neg abs not cnot popc clz brev bfind mov rcp.rn rcp.approx rcp.approx.ftz sqrt.rn sqrt.approx rsqrt.approx rsqrt.approx.ftz \
    ex2.approx lg2.approx sin.approx cos.approx tanh.approx neg.ftz abs.ftz ex2.approx.ftz sqrt.approx.ftz sqrt sin rsqrt testp.finite testp.normal";
const TWO: &str = "add sub mul mul.lo mul.hi mul.wide div rem min max and or xor shl shr copysign add.sat min.NaN add.rn add.rz mul.rn div.rn \
    div.approx div.full add.ftz add.sat.ftz add.cc sub.cc addc mul.sat min.ftz max.NaN div.rn.ftz sub.rm";
const THREE: &str = "mad.lo mad.hi mad.wide fma.rn fma.rz fma mad.rn mad sad lop3 prmt fma.rn.ftz fma.rn.sat bfe mad.lo.cc madc.hi selp";
const COMPARISONS: &str = "eq ne lt le lo ls hi hs ltu equ num nan lt.ftz lt.and lt.foo";
const ATOMICS: &str = "add min max and or xor exch cas inc dec sub add.noftz";
const CONVERSIONS: [&str; 9] = [
    "", ".rn", ".rni", ".rzi", ".sat", ".rn.sat", ".ftz", ".rzi.sat", ".rn.ftz",
];
const LITERALS: [&str; 9] = [
    "0",
    "-1",
    "1",
    "300",
    "0x1ffffffff",
    "0f3F800000",
    "0d3FF0000000000000",
    "1.5",
    "3.0e0",
];

/// Instructions on registers, with each type.
fn computations(all: &mut Vec<String>) {
    for of in TYPES {
        let n = natural(of);
        for op in ONE.split_whitespace() {
            let d = match op {
                "popc" | "clz" | "bfind" => "r",
                _ if op.starts_with("testp") => "p",
                _ => n,
            };
            all.push(format!("{op}.{of} {};", listed(&[d, n])));
        }
        for op in TWO.split_whitespace() {
            let d = if op == "mul.wide" { double(n) } else { n };
            let b = if op.starts_with("sh") { "r" } else { n };
            all.push(format!("{op}.{of} {};", listed(&[d, n, b])));
        }
        for op in THREE.split_whitespace() {
            let end = if op == "lop3" { ", 5" } else { "" };
            let list = match op {
                "mad.wide" => [double(n), n, n, double(n)],
                "bfe" => [n, n, "r", "r"],
                "selp" => [n, n, n, "p"],
                _ => [n; 4],
            };
            all.push(format!("{op}.{of} {}{end};", listed(&list)));
        }
        for by in ["s32", "f32", "u32"] {
            all.push(format!(
                "slct.{of}.{by} {};",
                listed(&[n, n, n, natural(by)])
            ));
        }
        for how in COMPARISONS.split_whitespace() {
            let end = if how == "lt.and" { ", %p2" } else { "" };
            all.push(format!("setp.{how}.{of} {}{end};", listed(&["p", n, n])));
            all.push(format!("set.{how}.u32.{of} {}{end};", listed(&["r", n, n])));
        }
    }
}

fn conversions(all: &mut Vec<String>) {
    for d in TYPES {
        for s in TYPES {
            for how in CONVERSIONS {
                all.push(format!(
                    "cvt{how}.{d}.{s} {};",
                    listed(&[natural(d), natural(s)])
                ));
            }
        }
    }
}

/// Which registers may hold which types, and which literals may.
fn agreements(all: &mut Vec<String>) {
    for of in TYPES {
        for r in REGISTERS {
            all.push(format!("ld.global.{of} %{r}0, [%rd1];"));
            all.push(format!("st.global.{of} [%rd1], %{r}1;"));
            all.push(format!("st.shared.{of} [%r1], %{r}1;"));
            all.push(format!("mov.{of} {};", listed(&[r, r])));
            all.push(format!("add.{of} {};", listed(&[r, r, r])));
            all.push(format!("setp.eq.{of} {};", listed(&["p", r, r])));
            all.push(format!("selp.{of} {};", listed(&[r, r, r, "p"])));
            all.push(format!("cvt.u32.{of} {};", listed(&["r", r])));
            all.push(format!("cvt.s64.{of} {};", listed(&["rd", r])));
            all.push(format!("cvt.{of}.s32 {};", listed(&[r, "r"])));
            all.push(format!("cvt.rn.{of}.s32 {};", listed(&[r, "r"])));
        }
        let n = natural(of);
        for literal in LITERALS {
            all.push(format!("mov.{of} %{n}0, {literal};"));
            all.push(format!("add.{of} %{n}0, %{n}1, {literal};"));
            all.push(format!("st.global.{of} [%rd1], {literal};"));
            all.push(format!("setp.eq.{of} %p0, %{n}1, {literal};"));
        }
    }
}

fn accesses(all: &mut Vec<String>) {
    for of in TYPES {
        let n = natural(of);
        for lanes in [2, 4] {
            let list = listed(&vec![n; lanes]);
            all.push(format!("ld.global.v{lanes}.{of} {{{list}}}, [%rd9];"));
            all.push(format!("ld.global.nc.v{lanes}.{of} {{{list}}}, [%rd9];"));
            all.push(format!("st.shared.v{lanes}.{of} [%r9], {{{list}}};"));
        }
        for op in ATOMICS.split_whitespace() {
            let end = if op == "cas" {
                format!(", %{n}2")
            } else {
                String::new()
            };
            for (space, at) in [("global", "%rd9"), ("shared", "%r9")] {
                all.push(format!("atom.{space}.{op}.{of} %{n}0, [{at}], %{n}1{end};"));
                all.push(format!("red.{space}.{op}.{of} [{at}], %{n}1{end};"));
            }
        }
    }
    let orders = [
        "",
        ".weak",
        ".volatile",
        ".relaxed",
        ".acquire",
        ".release",
        ".relaxed.gpu",
        ".acquire.cta",
        ".release.sys",
        ".gpu",
    ];
    let caches = ["", ".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt", ".nc"];
    for space in [".global", ".shared", ".local", ".const", ""] {
        for how in orders
            .iter()
            .map(|o| format!("{o}{space}"))
            .chain(caches.iter().map(|c| format!("{space}{c}")))
        {
            all.push(format!("ld{how}.u32 %r0, [%rd1];"));
            all.push(format!("st{how}.u32 [%rd1], %r0;"));
        }
    }
}

/// Single forms.
const FORMS: &str = "bar.sync 0; bar.sync %r1; bar.sync; bar.warp.sync 0xffffffff; barrier.sync 0; barrier.sync.aligned 0; bar.cta.sync 0;
membar.gl; membar.cta; membar.sys; membar; fence.acq_rel.gpu; fence.sc.cta; fence; trap; exit; ret; ret.uni; exit.uni;
shfl.sync.bfly.b32 %r0, %r1, 1, 31, -1; shfl.sync.bfly.b32 %f0, %f1, 1, 31, -1; shfl.sync.bfly.u32 %r0, %r1, 1, 31, -1;
shfl.sync.idx.b32 %r0|%p1, %r1, %r2, %r3, %r4; shfl.sync.bfly.b32 _|%p0, %r1, 1, 31, -1; shfl.sync.bfly.b32 %r0|_, %r1, 1, 31, -1;
vote.sync.any.pred %p0, %p1, -1; vote.sync.any.pred %p0, !%p1, -1; vote.sync.ballot.b32 %r0, %p1, -1; vote.sync.any.b32 %r0, %p1, -1;
activemask.b32 %r0; activemask.u32 %r0; mov.u32 %r0, %tid.x; mov.u32 %r0, %tid; mov.s32 %r0, %tid.x; mov.b32 %r0, %laneid;
mov.u64 %rd0, %tid.x; mov.u64 %rd0, %clock64; mov.u32 %r0, %clock; mov.f32 %f0, %tid.x; cvt.u64.u32 %rd0, %tid.x;
cvt.rn.f32.u32 %f0, %tid.x; add.u32 %r0, %tid.x, 1; setp.eq.u32 %p0, %tid.x, 0; st.global.u32 [%rd0], %tid.x; mov.b64 %rd0, {%tid.x, %r1};
mov.b64 {%r0, %r1}, %rd0; mov.b64 {%r0, %r1}, %fd0; mov.b64 {%f0, %f1}, %rd0; mov.b64 %rd0, {%r0, %f1}; mov.b32 {%h0, %h1}, %r0;
mov.b32 %r0, {%h0, %h1}; mov.b64 {%h0, %h1, %h2, %h3}, %rd0; mov.u64 {%r0, %r1}, %rd0; mov.b32 {%r0, %r1}, %rd0; mov.b64 {%r0, _}, %rd0;
mov.b64 %rd0, {%r0, 1}; mov.u32 _, %r1; prmt.b32 %r0, %r1, %r2, 0x3210; prmt.b32.f4e %r0, %r1, %r2, %r3;
shf.l.wrap.b32 %r0, %r1, %r2, %r3; shf.r.clamp.b32 %r0, %r1, %r2, 3; shf.l.b32 %r0, %r1, %r2, 3; bfi.b32 %r0, %r1, %r2, 3, 4;
bfi.b64 %rd0, %rd1, %rd2, %r3, %r4; bfi.b64 %rd0, %rd1, %rd2, %rd3, %r4; lop3.b32 %r0, %r1, %r2, %r3, %r4; setp.lt.s32 %p0|%p1, %r0, %r1;
setp.lt.and.s32 %p0|%p1, %r0, %r1, !%p2; setp.lt.s32 _|%p1, %r0, %r1; setp.lt.s32 %p0|_, %r0, %r1; and.pred %p0, %p1, !%p2;
and.pred %p0, !%p1, %p2; not.pred %p0, !%p1; selp.u32 %r0, %r1, %r2, !%p1; mov.pred %p0, 1; mov.pred %p0, !%p1; ld.global.u32 _, [%rd1];
ld.global.v2.u32 {_, %r1}, [%rd1]; add.u32 _, %r1, %r2; atom.global.add.u32 _, [%rd1], %r1; ld.u32 %r0, [%r1]; ld.shared.u32 %r0, [%r1+4];
ld.shared.u32 %r0, [%r1+-4]; ld.shared.u32 %r0, [%r1-4]; ld.shared.u32 %r0, [4]; ld.local.u32 %r0, [4]; ld.global.u32 %r0, [16];
ld.global.u32 %r0, [%f1]; ld.global.u32 %r0, [%rd1+%rd2]; ld.global.nc.L1::no_allocate.u32 %r0, [%rd1]; st.param.u32 [%rd1], %r0;
atom.add.u32 %r0, [%rd1], %r1; atom.relaxed.gpu.global.add.u32 %r0, [%rd1], %r1; atom.acq_rel.gpu.global.cas.b32 %r0, [%rd1], %r1, %r2;
red.relaxed.gpu.global.add.f32 [%rd1], %f1; atom.global.cas.b16 %h0, [%rd1], %h1, %h2; atom.local.add.u32 %r0, [%rd1], %r1;
cvta.to.global.u64 %rd0, %rd1; cvta.global.u64 %rd0, %rd1; cvta.u64 %rd0, %rd1; cvta.to.global.u32 %r0, %r1; cvta.to.global.b64 %rd0, %rd1;
bra.uni NOWHERE; @%p1 mov.u32 %r0, 1; @!%p1 mov.u32 %r0, 1; mov.u32 %r0 1; mov.u32 %r0, ; mov.u32, %r0, 1; add.u32 %r10, %r1, %r2;
add.u32.u32 %r0, %r1, %r2; mul.u32.lo %r0, %r1, %r2; fma.ftz.rn.f32 %f0, %f1, %f2, %f3; neg.s32 %r0, -%r1; call; bra; frob %r0;";

fn statements() -> Vec<String> {
    let mut all = vec![];
    computations(&mut all);
    conversions(&mut all);
    agreements(&mut all);
    accesses(&mut all);
    all.extend(
        FORMS
            .split_inclusive(';')
            .map(|s| s.trim().to_owned())
            .filter(|s| !s.is_empty()),
    );
    all
}

/// For each statement, whether a text with only that statement assembles. Texts of many are tried first.
fn judged(statements: &[String]) -> Vec<bool> {
    let Some(result) = assembles(&kernel("", &statements.join("\n"))) else {
        return vec![];
    };
    match result {
        Ok(()) => vec![true; statements.len()],
        Err(_) if statements.len() == 1 => vec![false],
        Err(_) => {
            let (a, b) = statements.split_at(statements.len() / 2);
            [judged(a), judged(b)].concat()
        }
    }
}

#[test]
fn instructions_exist_if_the_assembler_knows_them() {
    open();
    let (mut lenient, mut strict) = (vec![], vec![]);
    // The refused ones are judged one by one, the accepted ones together.
    let (accepted, refused): (Vec<_>, Vec<_>) = statements()
        .into_iter()
        .map(|s| (try_load(&kernel("", &s)), s))
        .partition(|(r, _)| r.is_ok());
    assert!(
        accepted.len() > 1000 && refused.len() > 3000,
        "{} and {}",
        accepted.len(),
        refused.len()
    );
    if assembles("").is_none() {
        println!("PTXAS isn't set: nothing to compare with");
        return;
    }
    let texts: Vec<String> = accepted.into_iter().map(|(_, s)| s).collect();
    for part in texts.chunks(256) {
        lenient.extend(
            part.iter()
                .zip(judged(part))
                .filter(|(_, known)| !known)
                .map(|(s, _)| s.clone()),
        );
    }
    for (answer, s) in refused {
        let message = answer.map_or_else(|(_, message)| message, |_| String::new());
        let expected = STRICTER.iter().any(|known| message.contains(known));
        if !expected && assembles(&kernel("", &s)) == Some(Ok(())) {
            strict.push(message);
        }
    }
    assert!(
        lenient.is_empty() && strict.is_empty(),
        "accepted here only: {lenient:#?}\nby the assembler only: {strict:#?}"
    );
}
