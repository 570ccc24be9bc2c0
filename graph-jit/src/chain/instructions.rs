//! Which AVX2 instruction a step is.

use graph_kernels::codegen::{Comparison, LaneOp, LaneStep, LaneType, Rounding};
use iced_x86::Code;

/// A step as an instruction of 256 bits. The last operand may be in memory, if nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selected {
    /// `to = f(x)`.
    One(Code),
    /// `to = f(x)` with a constant.
    OneBy(Code, u32),
    /// `to = f(x)` of a register with a constant.
    Shift(Code, u32),
    /// `to = f(a, b)`; whether the operands may be exchanged.
    Two(Code, bool),
    /// `to = f(b, a)`.
    Exchanged(Code),
    /// `to = !f(a, b)`.
    Inverted(Code),
    /// `to = f(a, b)` with a constant.
    TwoBy(Code, u32),
    /// `to = a * b + c`: the forms in which the first operand is overwritten by `to * c + b`, by `b * to + c` and by `b * c + to`.
    MulAdd([Code; 3]),
    /// `to = mask ? a : b`, and the instructions for `mask & a` and `!mask & b`, where the other one is zero.
    Select(Code, [Code; 2]),
}

/// The instruction of a step; `None` if there is none. Inputs and numbers aren't calculated.
pub fn select(step: &LaneStep, size: usize) -> Option<Selected> {
    use LaneType::{F32, F64, I32, I64, Mask};
    use Selected::{Exchanged, Inverted, MulAdd, One, OneBy, Select, Shift, Two, TwoBy};
    Some(match (step.op, step.ty) {
        (LaneOp::Add, F32) => Two(Code::VEX_Vaddps_ymm_ymm_ymmm256, true),
        (LaneOp::Add, F64) => Two(Code::VEX_Vaddpd_ymm_ymm_ymmm256, true),
        (LaneOp::Add, I32) => Two(Code::VEX_Vpaddd_ymm_ymm_ymmm256, true),
        (LaneOp::Add, I64) => Two(Code::VEX_Vpaddq_ymm_ymm_ymmm256, true),
        (LaneOp::Sub, F32) => Two(Code::VEX_Vsubps_ymm_ymm_ymmm256, false),
        (LaneOp::Sub, F64) => Two(Code::VEX_Vsubpd_ymm_ymm_ymmm256, false),
        (LaneOp::Sub, I32) => Two(Code::VEX_Vpsubd_ymm_ymm_ymmm256, false),
        (LaneOp::Sub, I64) => Two(Code::VEX_Vpsubq_ymm_ymm_ymmm256, false),
        (LaneOp::Mul, F32) => Two(Code::VEX_Vmulps_ymm_ymm_ymmm256, true),
        (LaneOp::Mul, F64) => Two(Code::VEX_Vmulpd_ymm_ymm_ymmm256, true),
        (LaneOp::Mul, I32) => Two(Code::VEX_Vpmulld_ymm_ymm_ymmm256, true),
        (LaneOp::Div, F32) => Two(Code::VEX_Vdivps_ymm_ymm_ymmm256, false),
        (LaneOp::Div, F64) => Two(Code::VEX_Vdivpd_ymm_ymm_ymmm256, false),
        (LaneOp::MulAdd, F32) => MulAdd([
            Code::VEX_Vfmadd132ps_ymm_ymm_ymmm256,
            Code::VEX_Vfmadd213ps_ymm_ymm_ymmm256,
            Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256,
        ]),
        (LaneOp::MulAdd, F64) => MulAdd([
            Code::VEX_Vfmadd132pd_ymm_ymm_ymmm256,
            Code::VEX_Vfmadd213pd_ymm_ymm_ymmm256,
            Code::VEX_Vfmadd231pd_ymm_ymm_ymmm256,
        ]),
        (LaneOp::Sqrt, F32) => One(Code::VEX_Vsqrtps_ymm_ymmm256),
        (LaneOp::Sqrt, F64) => One(Code::VEX_Vsqrtpd_ymm_ymmm256),
        (LaneOp::Round(to), F32) => OneBy(Code::VEX_Vroundps_ymm_ymmm256_imm8, rounding(to)),
        (LaneOp::Round(to), F64) => OneBy(Code::VEX_Vroundpd_ymm_ymmm256_imm8, rounding(to)),
        (LaneOp::And, F32 | F64) => Two(Code::VEX_Vandps_ymm_ymm_ymmm256, true),
        (LaneOp::Or, F32 | F64) => Two(Code::VEX_Vorps_ymm_ymm_ymmm256, true),
        (LaneOp::Xor, F32 | F64) => Two(Code::VEX_Vxorps_ymm_ymm_ymmm256, true),
        (LaneOp::And, I32 | I64 | Mask) => Two(Code::VEX_Vpand_ymm_ymm_ymmm256, true),
        (LaneOp::Or, I32 | I64 | Mask) => Two(Code::VEX_Vpor_ymm_ymm_ymmm256, true),
        (LaneOp::Xor, I32 | I64 | Mask) => Two(Code::VEX_Vpxor_ymm_ymm_ymmm256, true),
        (LaneOp::ShiftLeft(by), I32) => Shift(Code::VEX_Vpslld_ymm_ymm_imm8, by.into()),
        (LaneOp::ShiftLeft(by), I64) => Shift(Code::VEX_Vpsllq_ymm_ymm_imm8, by.into()),
        (LaneOp::ShiftRight(by), I32) => Shift(Code::VEX_Vpsrld_ymm_ymm_imm8, by.into()),
        (LaneOp::ShiftRight(by), I64) => Shift(Code::VEX_Vpsrlq_ymm_ymm_imm8, by.into()),
        (LaneOp::ShiftRightSigned(by), I32) => Shift(Code::VEX_Vpsrad_ymm_ymm_imm8, by.into()),
        (LaneOp::Compare(how), F32) => TwoBy(Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, ordered(how)),
        (LaneOp::Compare(how), F64) => TwoBy(Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8, ordered(how)),
        (LaneOp::Compare(Comparison::Equal), I32) => Two(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, true),
        (LaneOp::Compare(Comparison::Less), I32) => Exchanged(Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256),
        (LaneOp::Compare(Comparison::LessEqual), I32) => {
            Inverted(Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256)
        }
        (LaneOp::Select, _) => {
            let blend = match size {
                4 => Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm,
                _ => Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm,
            };
            let zeroed = [
                Code::VEX_Vandps_ymm_ymm_ymmm256,
                Code::VEX_Vandnps_ymm_ymm_ymmm256,
            ];
            Select(blend, zeroed)
        }
        (LaneOp::ToFloat, F32) => One(Code::VEX_Vcvtdq2ps_ymm_ymmm256),
        (LaneOp::ToInteger, I32) => One(Code::VEX_Vcvttps2dq_ymm_ymmm256),
        _ => return None,
    })
}

/// The constant of a rounding instruction, which reports nothing.
fn rounding(to: Rounding) -> u32 {
    8 + match to {
        Rounding::Nearest => 0,
        Rounding::Down => 1,
        Rounding::Up => 2,
        Rounding::TowardsZero => 3,
    }
}

/// The constant of a comparison that is false for NaN and reports nothing.
fn ordered(comparison: Comparison) -> u32 {
    match comparison {
        Comparison::Equal => 0,
        Comparison::Less => 0x11,
        Comparison::LessEqual => 0x12,
    }
}
