//! Runs one instruction on all combinations of some values.

use crate::common::*;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The header of every text.
pub const HEADER: &str = ".version 8.6\n.target sm_90\n.address_size 64\n";

/// The bits of a type's name.
pub fn bits(of: &str) -> u32 {
    of.trim_start_matches(|c: char| c.is_ascii_alphabetic())
        .parse()
        .unwrap_or(1)
}

pub fn mask(of: &str) -> u64 {
    u64::MAX >> (64 - bits(of))
}

fn is_float(of: &str) -> bool {
    of.starts_with('f') || of.starts_with("bf")
}

/// Values of a type at which instructions tend to go wrong.
pub fn values(of: &str) -> Vec<u64> {
    let m = mask(of);
    match of {
        "f32" => [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            3.0e38,
            -7.25e-3,
            1.2e-38,
            1e-45,
            16777217.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ]
        .map(|x: f32| u64::from(x.to_bits()))
        .to_vec(),
        "f64" => [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1.7e308,
            -7.25e-3,
            2.3e-308,
            5e-324,
            9007199254740993.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ]
        .map(f64::to_bits)
        .to_vec(),
        // Zero, one, a subnormal, the largest, infinity, NaN and others.
        "f16" => vec![
            0, 0x8000, 0x3c00, 0xbe00, 0x2e66, 0x7bff, 1, 0x03ff, 0x5640, 0x7c00, 0xfc00, 0x7e00,
        ],
        "bf16" => vec![
            0, 0x8000, 0x3f80, 0xbfc0, 0x3dcd, 0x7f7f, 1, 0x007f, 0x4580, 0x7f80, 0xff80, 0x7fc0,
        ],
        _ => {
            let top = 1 << (bits(of) - 1);
            [
                0,
                1,
                2,
                3,
                7,
                31,
                33,
                m,
                m - 1,
                top,
                top - 1,
                top + 1,
                0x5555_5555_5555_5555 & m,
                0x9234_5678_9abc_def1 & m,
            ]
            .to_vec()
        }
    }
}

/// All combinations of one value from each list.
fn combinations(lists: &[Vec<u64>]) -> Vec<Vec<u64>> {
    lists.iter().fold(vec![vec![]], |rows, list| {
        rows.iter()
            .flat_map(|row| list.iter().map(move |v| [&row[..], &[*v]].concat()))
            .collect()
    })
}

/// The type of the register that holds a type, and that of the loads and stores.
fn register(of: &str) -> String {
    match of {
        "pred" => "pred".to_owned(),
        "f16" | "bf16" => "b16".to_owned(),
        _ if bits(of) == 8 => "b32".to_owned(),
        _ => of.to_owned(),
    }
}

fn stored(of: &str) -> String {
    format!("b{}", bits(of))
}

/// The kernel that applies `text` to registers `%a`, `%b`, .. and stores `%d`. Predicates are in memory as integers.
fn kernel(text: &str, d: &str, sources: &[&str]) -> String {
    let mut k =
        format!("{HEADER}.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n) {{\n");
    k += "  .reg .b32 %id, %n, %size, %me, %word; .reg .b64 %at, %to, %i; .reg .pred %end;\n";
    k += "  mov.u32 %id, %ctaid.x; mov.u32 %size, %ntid.x; mov.u32 %me, %tid.x; mad.lo.u32 %id, %id, %size, %me;\n";
    k += "  ld.param.u32 %n, [n]; setp.ge.u32 %end, %id, %n; @%end ret;\n";
    k += &format!(
        "  ld.param.u64 %at, [in]; mul.wide.u32 %i, %id, {}; add.u64 %at, %at, %i;\n",
        8 * sources.len()
    );
    k += "  ld.param.u64 %to, [out]; mul.wide.u32 %i, %id, 8; add.u64 %to, %to, %i;\n";
    for (i, of) in sources.iter().enumerate() {
        let name = ["%a", "%b", "%c", "%e"][i];
        k += &format!("  .reg .{} {name};\n", register(of));
        if *of == "pred" {
            k += &format!(
                "  ld.global.u32 %word, [%at+{}]; setp.ne.u32 {name}, %word, 0;\n",
                8 * i
            );
        } else {
            k += &format!("  ld.global.{} {name}, [%at+{}];\n", stored(of), 8 * i);
        }
    }
    k += &format!("  .reg .{} %d;\n  {text}\n", register(d));
    k += &match d {
        "pred" => "  selp.u32 %word, 1, 0, %d; st.global.u32 [%to], %word;\n".to_owned(),
        _ => format!("  st.global.{} [%to], %d;\n", stored(d)),
    };
    k + "  ret;\n}\n"
}

/// Assembles a text, where the assembler is named.
pub fn assembles(ptx: &str) -> Option<Result<(), String>> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let ptxas = std::env::var_os("PTXAS")?;
    let name = format!(
        "ptx-{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    );
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, ptx).unwrap();
    let done = Command::new(ptxas)
        .args(["-arch=sm_90", "-o", "/dev/null"])
        .arg(&file)
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    Some(if done.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    })
}

/// Runs `text` on rows of operands; the results.
pub fn results(text: &str, d: &str, sources: &[&str], rows: &[Vec<u64>]) -> Vec<u64> {
    open();
    let ptx = kernel(text, d, sources);
    if let Some(Err(message)) = assembles(&ptx) {
        panic!("{text}: {message}");
    }
    let module = load(&ptx);
    let input = upload(&rows.concat());
    let out = upload(&vec![0u64; rows.len()]);
    let n = rows.len() as u32;
    let code = run(
        function(module, "k"),
        n.div_ceil(128),
        128,
        &[Arg::U64(out), Arg::U64(input), Arg::U32(n)],
    );
    assert_eq!(code, 0, "{text}: {}", graph_cuda_fake::last_error());
    let found = download(out, rows.len());
    free(input);
    free(out);
    found
}

/// Whether two results are the same value; NaNs are equal.
fn same(of: &str, a: u64, b: u64) -> bool {
    let nan = |v: u64| match of {
        "f16" => v & 0x7fff > 0x7c00,
        "bf16" => v & 0x7fff > 0x7f80,
        "f32" => f32::from_bits(v as u32).is_nan(),
        "f64" => f64::from_bits(v).is_nan(),
        _ => false,
    };
    let m = if of == "pred" { 1 } else { mask(of) };
    a & m == b & m || is_float(of) && nan(a & m) && nan(b & m)
}

/// Compares an instruction with `want`, which gets the bits of the operands, on all combinations of values of their types.
pub fn check(text: &str, d: &str, sources: &[&str], want: impl Fn(&[u64]) -> u64) {
    let lists: Vec<Vec<u64>> = sources
        .iter()
        .map(|of| {
            if *of == "pred" {
                vec![0, 1]
            } else {
                values(of)
            }
        })
        .collect();
    check_on(text, d, sources, &combinations(&lists), want);
}

/// Like `check`, for rows of operands.
pub fn check_on(
    text: &str,
    d: &str,
    sources: &[&str],
    rows: &[Vec<u64>],
    want: impl Fn(&[u64]) -> u64,
) {
    for (row, got) in rows.iter().zip(results(text, d, sources, rows)) {
        let want = want(row);
        assert!(
            same(d, got, want),
            "`{text}` of {row:x?} is {got:#x}, not {want:#x}"
        );
    }
}

/// Like `check`, with other values for some operands.
pub fn check_lists(
    text: &str,
    d: &str,
    sources: &[&str],
    lists: &[Vec<u64>],
    want: impl Fn(&[u64]) -> u64,
) {
    check_on(text, d, sources, &combinations(lists), want);
}
