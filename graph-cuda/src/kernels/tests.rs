//! The texts of kernels: every function of the table at every dtype, and each kind of kernel. With the environment variable `PTXAS`, which names
//! CUDA's assembler, all of them are assembled; it is the judge of syntax.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use graph_kernels::{DType, ElementOp};

use super::chain::{Access, Chain, Step};
use super::check::{Check, Fail};
use super::journal::{Entry, NextSeed};
use super::largest::Largest;
use super::lookup::{Find, Outside};
use super::map::Map;
use super::order::{Digits, Rank, Search};
use super::product::Multiply;
use super::random::{Distribution, Draw};
use super::reduce::Reduce;
use super::rows::RowProgram;
use super::scan::Scan;
use super::scatter::{Apply, Change};
use super::sort::{Far, SortTile};
use super::tile::Tile;
use super::together::Together;
use super::updates::Updates;
use super::{Description, WordKernel, text};
use crate::ops::table_dtype;

/// A chain of one function on operands of a dtype, if the function is defined for it.
fn one(op: ElementOp, dtype: DType, access: Access) -> Option<Chain> {
    let mut operands = vec![dtype; op.arity()];
    if op == ElementOp::Select {
        operands[0] = DType::Bool;
    }
    let result = op.output(&operands).ok()?;
    let count = operands.len();
    let mut steps: Vec<Step> = (0..count).map(Step::Operand).collect();
    let table = table_dtype(op, &operands);
    steps.push(Step::Element(op, table, (0..count).collect()));
    Some(Chain {
        operands: operands.iter().map(|dtype| (*dtype, access)).collect(),
        steps,
        dtype: result,
        checks: false,
    })
}

fn dtypes() -> impl Iterator<Item = DType> {
    DType::ALL.into_iter().filter(|dtype| *dtype != DType::Str)
}

#[test]
fn every_function_has_instructions_for_every_dtype() {
    for op in ElementOp::ALL {
        for dtype in dtypes() {
            let Some(chain) = one(*op, dtype, Access::Same) else {
                continue;
            };
            let operands: Vec<DType> = chain.operands.iter().map(|(dtype, _)| *dtype).collect();
            assert!(chain.is_supported_for(&operands), "{op:?} of {dtype}");
        }
    }
}

#[test]
fn texts_assemble() {
    let Some(ptxas) = std::env::var_os("PTXAS") else {
        return;
    };
    let folder = std::env::temp_dir().join(format!("kernels-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut wrong = Vec::new();
    for op in ElementOp::ALL {
        // The functions that a text defines depend on the dtype's width, so each width has a file.
        for wide in [false, true] {
            let dtypes = dtypes().filter(|dtype| (*dtype == DType::F64) == wide);
            let all = texts(*op, dtypes);
            if let Err(said) = assemble(&ptxas, &folder, &format!("{op:?}"), &all) {
                wrong.push(said);
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Texts of kernels, whose names say what they are, assemble.
fn all_assemble(texts: &[(String, String)]) {
    let Some(ptxas) = std::env::var_os("PTXAS") else {
        return;
    };
    let thread = format!("{:?}", std::thread::current().id());
    let folder = std::env::temp_dir().join(format!("kernels-{}-{thread}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let assembled = texts
        .iter()
        .filter_map(|(name, text)| assemble(&ptxas, &folder, name, text).err());
    let wrong: Vec<String> = assembled.collect();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn texts_of_row_programs_assemble() {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I64] {
        for (team, held, full, lanes) in [
            (1, 0, false, 1),
            (4, 3, false, 1),
            (32, 8, true, 4),
            (256, 4, false, 4),
            (512, 0, false, 4),
            (512, 8, true, 4),
        ] {
            let rows = RowProgram::normalization(dtype, team, held, full, lanes);
            let name = format!("rows-{dtype}-{team}-{held}");
            all.push((name, text(&rows)));
        }
    }
    all_assemble(&all);
}

/// Kernels that are one: those with shared memory, with one thread, and with a word for faults.
#[test]
fn texts_of_several_launches_assemble() {
    let rows = RowProgram::normalization(DType::F32, 32, 8, true, 4);
    let mut all = Vec::new();
    for sum in Reduce::samples() {
        all.push(text(&Together::sample(sum, rows.clone())));
    }
    all.push(text(&Together::sample(
        Multiply::sample(DType::F64, 1),
        Check,
    )));
    let named = all.into_iter().enumerate();
    let named: Vec<_> = named
        .map(|(i, text)| (format!("together-{i}"), text))
        .collect();
    all_assemble(&named);
}

#[test]
fn parts_of_a_kernel_share_memory_and_keep_their_faults() {
    let product = || Multiply::sample(DType::F32, 1);
    let (alone, both) = (
        text(&product()),
        text(&Together::sample(product(), product())),
    );
    let memory = |text: &str| {
        text.lines()
            .find(|line| line.contains(".shared"))
            .map(str::to_owned)
    };
    assert_eq!(memory(&alone), memory(&both));
    // The numbers of blocks are those of the part.
    assert_eq!(both.matches("%ctaid.x").count(), 1);
    // Each check has its own word.
    let checks = text(&Together::sample(Check, Check));
    let stores: Vec<&str> = checks
        .lines()
        .filter(|line| line.contains("st.global.b32"))
        .collect();
    assert!(stores.len() == 2 && stores[0] != stores[1], "{checks}");
}

#[test]
fn texts_of_running_sums_assemble() {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64, DType::F16, DType::I8, DType::U64] {
        for by_thread in [false, true] {
            let scan = Scan {
                dtype,
                combine: ElementOp::Add,
                exclusive: by_thread,
                reverse: true,
                by_thread,
                wide: dtype == DType::F64,
            };
            all.push((format!("scan-{dtype}-{by_thread}"), text(&scan)));
        }
    }
    all_assemble(&all);
}

#[test]
fn texts_of_transposes_assemble() {
    let mut all = Vec::new();
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
        for (others, wide) in [(0, false), (2, true)] {
            let name = format!("tile-{dtype}-{others}");
            all.push((name, text(&Tile::new(dtype, others, wide))));
        }
    }
    all_assemble(&all);
}

#[test]
fn texts_of_reductions_assemble() {
    let all = Reduce::samples();
    let texts = all.iter().enumerate();
    let texts = texts.map(|(i, reduce)| (format!("reduce-{i}"), text(reduce)));
    all_assemble(&texts.collect::<Vec<_>>());
}

#[test]
fn texts_of_word_programs_assemble() {
    all_assemble(
        &dtypes()
            .map(|dtype| named(WordKernel::sample(dtype)))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn texts_of_products_assemble() {
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I32] {
        for groups in [1, 2] {
            let name = format!("product-{dtype}-{groups}");
            all.push((name, text(&Multiply::sample(dtype, groups))));
        }
    }
    all_assemble(&all);
}

#[test]
fn texts_of_updates_assemble() {
    let dtypes = dtypes().filter(|dtype| *dtype != DType::Bool);
    let all = dtypes.map(|dtype| (format!("updates-{dtype}"), text(&Updates::sample(dtype))));
    all_assemble(&all.collect::<Vec<_>>());
}

/// Blocks find their piece by its last block, and pieces with one rule share its code.
#[test]
fn updates_of_several_pieces_are_one_kernel() {
    insta::assert_snapshot!(text(&Updates::sample(DType::F32)));
}

/// The text of a word program over `f32`: registers, jumps, and a place to go on at if a step fails.
#[test]
fn a_word_program_is_a_kernel_of_one_thread() {
    insta::assert_snapshot!(text(&WordKernel::sample(DType::F32)));
}

#[test]
fn texts_of_drawing_sorting_and_scattering_assemble() {
    all_assemble(&others());
}

/// The name and the text of a kernel.
fn named(description: impl Description + std::fmt::Debug) -> (String, String) {
    let name = format!("{description:?}").replace(|c: char| !c.is_alphanumeric(), "_");
    let text = text(&description);
    (name.chars().take(80).collect(), text)
}

/// Kernels that check, write entries, draw, sort and scatter.
fn others() -> Vec<(String, String)> {
    use Distribution as D;
    let values = vec![DType::U8, DType::U16, DType::U32, DType::U64];
    let mut all = vec![
        named(Check),
        named(Fail),
        named(NextSeed),
        named(Entry { values }),
    ];
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        let floats = [D::Uniform, D::Normal, D::Truncated];
        all.extend(floats.map(|distribution| named(Draw::of(distribution, dtype))));
    }
    for dtype in [DType::I32, DType::I64] {
        all.extend([D::Bits, D::Integers].map(|integers| named(Draw::of(integers, dtype))));
    }
    for size in [2, 64, 2048] {
        all.extend([false, true].map(|merges| named(SortTile { size, merges })));
    }
    all.extend([false, true].map(|mirrored| named(Far { mirrored })));
    use Outside as O;
    let outside = [
        O::Wrong,
        O::FromTheEnd,
        O::NegativeIsNowhere,
        O::LargeIsNowhere,
    ];
    all.extend(outside.map(|outside| named(Find::keys(outside))));
    for dtype in dtypes() {
        all.push(named(Apply::of(dtype, Change::Replace)));
        if dtype != DType::Bool {
            let digits = match dtype.bytes() {
                8 => vec![Digits::Low, Digits::High],
                _ => vec![Digits::All],
            };
            all.push(named(Largest { dtype }));
            let ranks = digits.into_iter().zip([false, true]);
            all.extend(ranks.map(|(digits, down)| named(Rank::of(dtype, down, digits))));
            all.extend([false, true].map(|right| named(Search { dtype, right })));
            let changes = [
                Change::Combine(ElementOp::Add),
                Change::Reduce(ElementOp::Maximum, 0),
                Change::Mean,
            ];
            all.extend(changes.map(|change| named(Apply::of(dtype, change))));
        }
    }
    all
}

/// The texts of a function at some dtypes, as one: each kernel has a name of its own.
fn texts(op: ElementOp, dtypes: impl Iterator<Item = DType>) -> String {
    let mut all = String::from(".version 7.0\n.target sm_75\n.address_size 64\n");
    let mut defined = false;
    for dtype in dtypes {
        for access in [Access::Same, Access::Strided] {
            let Some(chain) = one(op, dtype, access) else {
                continue;
            };
            let text = text(&Map::of(chain, 2));
            let name = format!("kernel_{dtype}_{access:?}");
            let text = text.replace(".entry kernel(", &format!(".entry {name}("));
            let (header, body) = text.split_at(text.find(".visible .entry").unwrap());
            if !defined && header.contains(".func") {
                let header = header.splitn(4, '\n').nth(3).unwrap();
                all.push_str(header);
                defined = true;
            }
            all.push_str(body);
        }
    }
    all
}

/// Assembles a text; an error is what the assembler says, with the lines that it means.
fn assemble(ptxas: &OsStr, folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let file = folder.join(format!("{name}.ptx"));
    std::fs::write(&file, text).unwrap();
    let output = Command::new(ptxas)
        .args(["-arch=sm_75", "-o"])
        .args([folder.join("out.cubin"), file])
        .output()
        .unwrap();
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let shown = said.lines().map(|line| {
        let number = line
            .split("line ")
            .nth(1)
            .and_then(|rest| rest.split(';').next());
        let number = number.and_then(|number| number.trim().parse::<usize>().ok());
        let code = number.and_then(|number| text.lines().nth(number - 1));
        format!("{name}: {line}\n    {}", code.unwrap_or_default())
    });
    Err(shown.take(6).collect::<Vec<_>>().join("\n"))
}
