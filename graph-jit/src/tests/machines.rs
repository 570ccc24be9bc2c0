//! Code is made for both kinds of machines, on whichever the tests run. For the other one it is only compiled.

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::{OwnedTargetIsa, lookup_by_name};
use graph_kernels::codegen::{MemoryTypes, WordSource};

use super::functions::{functions, one_step};
use super::random::case;
use crate::flags;
use crate::translate::function;

fn machines() -> Vec<OwnedTargetIsa> {
    let names = [
        "aarch64-linux",
        "aarch64-apple-darwin",
        "x86_64-linux",
        "x86_64-windows",
    ];
    names
        .iter()
        .map(|name| {
            let builder = lookup_by_name(name).unwrap();
            builder.finish(flags().unwrap()).unwrap()
        })
        .collect()
}

/// The number of bytes of the code.
fn compile(source: &WordSource, memory: &MemoryTypes, entry: usize, isa: &OwnedTargetIsa) -> usize {
    let function = function(source, memory, entry, isa.frontend_config()).unwrap();
    let mut context = Context::for_function(function);
    let code = context.compile(&**isa, &mut ControlPlane::default());
    let code = code.unwrap_or_else(|e| panic!("{}: {e:?}\n{source:#?}", isa.triple()));
    // Code with open addresses is refused. AArch64 has instructions for all that isn't called; old x86-64 rounds by functions.
    let aarch64 = isa.triple().to_string().starts_with("aarch64");
    assert!(!aarch64 || code.buffer.relocs().is_empty());
    code.code_buffer().len()
}

#[test]
fn every_function_has_code_on_every_machine() {
    for isa in machines() {
        for (op, dtype, _, output) in functions() {
            assert!(
                compile(
                    &one_step(op, dtype, output),
                    &MemoryTypes::default(),
                    0,
                    &isa
                ) > 0
            );
        }
    }
}

#[test]
fn random_programs_have_code_on_every_machine() {
    for isa in machines() {
        for seed in 0..40 {
            let case = case(seed);
            assert!(compile(&case.source, &case.types(), 0, &isa) > 0);
        }
    }
}
