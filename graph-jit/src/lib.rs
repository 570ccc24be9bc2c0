//! Machine code for the loops of graphs over scalars: an implementation of [`Codegen`] by Cranelift, for x86-64 and AArch64. Chains of
//! elementwise functions over arrays become vector code for AVX2 or AVX-512, in `chain`.
//!
//! `graph-kernels` interprets word programs, and asks for code when a program's loops have run long enough. [`register`] says that this
//! crate makes it. A program's steps are examined (`flow`, `live`), translated (`translate`, with `functions`, `division` and `by_constant`), and
//! compiled (`code`). Loops over small arrays become functions that call such code, in `bound`. All that is unsafe is in `code`, `chain/code.rs` and
//! `bound/code.rs`.
//!
//! A step that fails ends the code, which has changed nothing by then; the interpreter goes on from where the code began, and meets the
//! error. So errors have one source.

#![deny(unsafe_code)]

mod access;
#[cfg(target_arch = "x86_64")]
mod bound;
mod by_constant;
#[cfg(target_arch = "x86_64")]
mod chain;
#[allow(unsafe_code, reason = "calls into machine code and out of it")]
mod code;
mod division;
mod flow;
mod functions;
mod kind;
mod live;
mod row;
mod translate;

use std::fmt;
use std::sync::OnceLock;

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable, Flags};
#[cfg(target_arch = "x86_64")]
use graph_kernels::codegen::{ChainCode, ChainSource, LoopCode, LoopSource};
use graph_kernels::codegen::{
    Codegen, MemoryTypes, WordCode, WordSource, compile_words_after, set_codegen,
};

/// The environment variable that switches machine code off, or says after how many jumps back a program is compiled.
const VARIABLE: &str = "GRAPH_JIT";

/// Programs with more steps stay with the interpreter: the time to compile them grows faster than they do.
const STEPS: usize = 4096;

/// Makes machine code for this machine.
pub struct Cranelift {
    isa: OwnedTargetIsa,
}

impl Cranelift {
    /// `None` if Cranelift doesn't know this machine.
    pub fn new() -> Option<Cranelift> {
        let isa = cranelift_native::builder().ok()?.finish(flags()?).ok()?;
        Some(Cranelift { isa })
    }
}

fn flags() -> Option<Flags> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").ok()?;
    flags.set("unwind_info", "false").ok()?;
    let verify = if cfg!(debug_assertions) {
        "true"
    } else {
        "false"
    };
    flags.set("enable_verifier", verify).ok()?;
    Some(Flags::new(flags))
}

impl Cranelift {
    fn code(&self, source: &WordSource, memory: &MemoryTypes, entry: usize) -> Option<code::Code> {
        if source.steps.len() > STEPS || entry > source.steps.len() {
            return None;
        }
        let function = translate::function(source, memory, entry, self.isa.frontend_config())?;
        code::Code::new(&*self.isa, function, (source, memory), entry)
    }
}

impl Codegen for Cranelift {
    fn words(
        &self,
        source: &WordSource,
        memory: &MemoryTypes,
        entry: usize,
    ) -> Option<Box<dyn WordCode>> {
        Some(Box::new(self.code(source, memory, entry)?))
    }

    #[cfg(target_arch = "x86_64")]
    fn chain(&self, source: &ChainSource) -> Option<Box<dyn ChainCode>> {
        chain::compile(source)
    }

    #[cfg(target_arch = "x86_64")]
    fn bound_loop(&self, source: &LoopSource) -> Option<Box<dyn LoopCode>> {
        bound::compile(self, source)
    }
}

impl fmt::Debug for Cranelift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cranelift for {}", self.isa.triple())
    }
}

/// Makes word programs and chains become machine code, if Cranelift knows this machine. The environment variable `GRAPH_JIT` may be `off`, or a number:
/// after how many jumps back a program is compiled. Only the first call does anything.
///
/// ```
/// use graph_kernels::codegen::compile_words_after;
/// use graph_kernels::{DType, ElementOp, REGISTERS, WordProgram, WordStep};
///
/// // Multiplies r0 by r1 until it isn't below r2.
/// let operands = [0, 1].into_iter().collect();
/// let dtype = DType::I64;
/// let steps = [
///     WordStep::UnlessHolds { op: ElementOp::Less, dtype, operands: [0, 2], target: 3 },
///     WordStep::Apply { op: ElementOp::Mul, dtype, operands, to: 0 },
///     WordStep::Jump(0),
/// ];
/// let program = WordProgram::with_results(&steps, &[], &[(0, dtype)]).unwrap();
///
/// graph_jit::register();
/// compile_words_after(Some(5)); // and not after 10,000
/// let mut registers = [0; REGISTERS];
/// registers[..3].copy_from_slice(&[1, 3, 1000]);
/// program.run(&mut registers, &[]).unwrap();
/// assert_eq!(registers[0], 2187);
/// assert!(program.has_code());
/// ```
pub fn register() {
    static CRANELIFT: OnceLock<Option<Cranelift>> = OnceLock::new();
    CRANELIFT.get_or_init(|| {
        let value = std::env::var(VARIABLE).unwrap_or_default();
        match value.trim() {
            "" => {}
            "off" => compile_words_after(None),
            number => match number.parse() {
                Ok(jumps) => compile_words_after(Some(jumps)),
                Err(_) => log::warn!("{VARIABLE}={number} is neither `off` nor a number"),
            },
        }
        Cranelift::new()
    });
    if let Some(Some(cranelift)) = CRANELIFT.get() {
        set_codegen(cranelift);
    }
}

#[cfg(test)]
mod tests;
