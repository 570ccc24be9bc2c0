//! Random programs, each written once and compiled twice: over `i32` as plain Rust, and over `Tensor<i32>` under
//! `#[graph_fn]`. Traced, cached and eager runs must return and print the same as plain Rust, with one trace
//! for all inputs.

use graph_runtime::collect_prints;
use graph_runtime::prelude::*;

/// A program in its two forms.
struct Program {
    name: &'static str,
    plain: fn(i32, i32, i32) -> i32,
    graph: fn(Tensor<i32>, Tensor<i32>, Tensor<i32>) -> Tensor<i32>,
    function: fn() -> &'static graph_runtime::GraphFunction,
}

/// Compiles each body in both forms.
macro_rules! programs {
    ($(fn $name:ident($a:ident, $b:ident, $c:ident) $body:tt)*) => {
        /// The bodies over `i32`.
        #[allow(warnings, clippy::all)]
        mod plain {
            use graph_runtime::graph_print;
            type Int = i32;
            fn tensor(value: i32) -> i32 { value }
            $(pub fn $name($a: i32, $b: i32, $c: i32) -> i32 $body)*
        }

        /// The bodies over tensors.
        #[allow(warnings, clippy::all)]
        mod graph {
            use graph_runtime::prelude::*;
            type Int = Tensor<i32>;
            $(
                #[graph_fn]
                pub fn $name($a: Tensor<i32>, $b: Tensor<i32>, $c: Tensor<i32>) -> Tensor<i32> $body
            )*
        }

        /// All programs of this file.
        pub const PROGRAMS: &[$crate::Program] = &[$($crate::Program {
            name: stringify!($name),
            plain: plain::$name,
            graph: graph::$name,
            function: graph::$name::function,
        }),*];
    };
}
use programs;

/// The files, which are modules.
macro_rules! files {
    ($($file:ident)*) => {
        $(mod $file;)*
        const FILES: &[&[Program]] = &[$($file::PROGRAMS),*];
    };
}
files! { programs_01 programs_02 programs_03 programs_04 programs_05 programs_06 programs_07 programs_08 programs_09 programs_10 programs_11 programs_12 programs_13 programs_14 programs_15 programs_16 programs_17 programs_18 programs_19 programs_20 }

const INPUTS: &[[i32; 3]] = &[
    [0, 0, 0],
    [1, 2, 3],
    [-4, 7, 11],
    [25, -3, 2],
    [100, 9, -50],
    [3, 3, 3],
    [-1, -20, 5],
    [12, 1, 30],
];

/// What a program returns and prints, for all inputs.
type Outcome = (i32, Vec<String>);

fn outcomes(run: impl Fn(i32, i32, i32) -> i32) -> Vec<Outcome> {
    INPUTS
        .iter()
        .map(|&[a, b, c]| collect_prints(|| run(a, b, c)))
        .collect()
}

/// The ways of running a program that differ from plain Rust.
fn differences(way: &str, found: &mut Vec<String>) {
    for program in FILES.iter().copied().flatten() {
        let expected = outcomes(program.plain);
        let caught = std::panic::catch_unwind(|| {
            outcomes(|a, b, c| (program.graph)(tensor(a), tensor(b), tensor(c)).item())
        });
        let name = program.name;
        let actual = match caught {
            Ok(actual) => actual,
            Err(payload) => {
                let text = payload
                    .downcast_ref::<String>()
                    .cloned()
                    .unwrap_or_default();
                found.push(format!("{name} {way}: panics: {text}"));
                continue;
            }
        };
        for ((input, expected), actual) in INPUTS.iter().zip(&expected).zip(&actual) {
            if expected != actual {
                found.push(format!(
                    "{name} {way} {input:?}: {actual:?}, not {expected:?}"
                ));
                break;
            }
        }
    }
}

#[test]
fn programs_mean_over_tensors_what_they_mean_over_integers() {
    let mut found = Vec::new();
    differences("traced", &mut found);
    differences("from the cache", &mut found);
    for program in FILES.iter().copied().flatten() {
        let count = (program.function)().trace_count();
        if count != 1 {
            found.push(format!("{} has {count} traces", program.name));
        }
    }
    run_functions_eagerly(true);
    differences("eagerly", &mut found);
    run_functions_eagerly(false);
    assert!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn the_files_are_what_the_generator_writes() {
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_generate_programs"))
        .arg("--check")
        .status();
    assert!(
        status.is_ok_and(|s| s.success()),
        "run `cargo run -p graph-tests --bin generate_programs`"
    );
}
