//! Which instruction a step is, with AVX2 and with AVX-512.

use graph_kernels::codegen::{Comparison, LaneOp, LaneStep, LaneType, Rounding};
use iced_x86::{Code, Register};

/// The vectors of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// Those of AVX2: 32 bytes, in 16 registers.
    Narrow,
    /// Those of AVX-512: 64 bytes, in 32 registers.
    Wide,
}

impl Vectors {
    pub fn bytes(self) -> usize {
        match self {
            Vectors::Narrow => 32,
            Vectors::Wide => 64,
        }
    }

    pub fn registers(self) -> usize {
        match self {
            Vectors::Narrow => 16,
            Vectors::Wide => 32,
        }
    }

    /// A vector register by its number.
    pub fn register(self, n: usize) -> Register {
        match self {
            Vectors::Narrow => Register::YMM0 + n as u32,
            Vectors::Wide => Register::ZMM0 + n as u32,
        }
    }

    /// The number of a vector register.
    pub fn number(self, register: Register) -> usize {
        register as usize - self.register(0) as usize
    }

    /// One of two instructions.
    fn of(self, narrow: Code, wide: Code) -> Code {
        match self {
            Vectors::Narrow => narrow,
            Vectors::Wide => wide,
        }
    }

    /// The instruction that loads a vector.
    pub fn load(self) -> Code {
        self.of(
            Code::VEX_Vmovups_ymm_ymmm256,
            Code::EVEX_Vmovups_zmm_k1z_zmmm512,
        )
    }

    /// The instruction that stores a vector, past the caches if asked to.
    pub fn store(self, streams: bool) -> Code {
        match streams {
            true => self.of(Code::VEX_Vmovntps_m256_ymm, Code::EVEX_Vmovntps_m512_zmm),
            false => self.of(
                Code::VEX_Vmovups_ymmm256_ymm,
                Code::EVEX_Vmovups_zmmm512_k1z_zmm,
            ),
        }
    }

    /// `a ^ b`.
    pub fn xor(self) -> Code {
        self.of(
            Code::VEX_Vpxor_ymm_ymm_ymmm256,
            Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32,
        )
    }

    /// The instruction that extends bytes to integers of a size, and the one that subtracts these.
    pub fn extend(self, size: usize) -> (Code, Code) {
        match size {
            4 => (
                self.of(
                    Code::VEX_Vpmovzxbd_ymm_xmmm64,
                    Code::EVEX_Vpmovzxbd_zmm_k1z_xmmm128,
                ),
                self.of(
                    Code::VEX_Vpsubd_ymm_ymm_ymmm256,
                    Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32,
                ),
            ),
            _ => (
                self.of(
                    Code::VEX_Vpmovzxbq_ymm_xmmm32,
                    Code::EVEX_Vpmovzxbq_zmm_k1z_xmmm64,
                ),
                self.of(
                    Code::VEX_Vpsubq_ymm_ymm_ymmm256,
                    Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64,
                ),
            ),
        }
    }
}

/// The instruction that loads integers of 32 bits to lanes of 64.
pub fn load_halves(vectors: Vectors) -> Code {
    vectors.of(
        Code::VEX_Vpmovzxdq_ymm_xmmm128,
        Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256,
    )
}

/// A step as an instruction. The last operand may be in memory, if nothing else is said.
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
    /// A comparison with a constant into a mask register, of which the second instruction makes a vector.
    Mask(Code, u32, Code),
    /// `to = a * b + c`: the forms in which the first operand is overwritten by `to * c + b`, by `b * to + c` and by `b * c + to`.
    MulAdd([Code; 3]),
    /// `to = f(a, b) ? c : d`: the comparison with its constant into a mask register, and the blend by that.
    Choice(Code, u32, Code),
    /// `to = mask ? a : b`, and the instructions for `mask & a` and `!mask & b`, where the other one is zero.
    Select(Blend, [Code; 2]),
    /// The beginning of a loop, before the values that it carries.
    Loop,
    /// A value that a loop carries.
    Carried,
    /// The end of a loop.
    Repeat,
    /// The end of a loop whose iterations are counted.
    Times,
}

/// How values are chosen by a mask.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Blend {
    /// Into any register.
    Lanes(Code),
    /// Bit by bit, over the mask, with a constant.
    Bits(Code, u32),
}

/// The constant for `mask ? a : b` of three bits.
const CHOICE: u32 = 0xCA;

macro_rules! codes {
    ($vectors:ident: $narrow:ident $wide:ident) => {
        $vectors.of(Code::$narrow, Code::$wide)
    };
}

/// The instruction of a step for numbers of a size; `None` if there is none. Inputs and numbers aren't calculated.
pub fn select(step: &LaneStep, size: usize, vectors: Vectors) -> Option<Selected> {
    use LaneType::{F32, F64, I32, I64, Mask};
    use Selected::{MulAdd, One, OneBy, Shift, Two};
    let v = vectors;
    Some(match (step.op, step.ty) {
        (LaneOp::Add, F32) => Two(
            codes!(v: VEX_Vaddps_ymm_ymm_ymmm256 EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er),
            true,
        ),
        (LaneOp::Add, F64) => Two(
            codes!(v: VEX_Vaddpd_ymm_ymm_ymmm256 EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er),
            true,
        ),
        (LaneOp::Add, I32) => Two(
            codes!(v: VEX_Vpaddd_ymm_ymm_ymmm256 EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32),
            true,
        ),
        (LaneOp::Add, I64) => Two(
            codes!(v: VEX_Vpaddq_ymm_ymm_ymmm256 EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64),
            true,
        ),
        (LaneOp::Sub, F32) => Two(
            codes!(v: VEX_Vsubps_ymm_ymm_ymmm256 EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er),
            false,
        ),
        (LaneOp::Sub, F64) => Two(
            codes!(v: VEX_Vsubpd_ymm_ymm_ymmm256 EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er),
            false,
        ),
        (LaneOp::Sub, I32 | I64) => Two(v.extend(size).1, false),
        (LaneOp::Mul, F32) => Two(
            codes!(v: VEX_Vmulps_ymm_ymm_ymmm256 EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er),
            true,
        ),
        (LaneOp::Mul, F64) => Two(
            codes!(v: VEX_Vmulpd_ymm_ymm_ymmm256 EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er),
            true,
        ),
        (LaneOp::Mul, I32) => Two(
            codes!(v: VEX_Vpmulld_ymm_ymm_ymmm256 EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32),
            true,
        ),
        (LaneOp::Div, F32) => Two(
            codes!(v: VEX_Vdivps_ymm_ymm_ymmm256 EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er),
            false,
        ),
        (LaneOp::Div, F64) => Two(
            codes!(v: VEX_Vdivpd_ymm_ymm_ymmm256 EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er),
            false,
        ),
        (LaneOp::MulAdd, F32) => MulAdd([
            codes!(v: VEX_Vfmadd132ps_ymm_ymm_ymmm256 EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er),
            codes!(v: VEX_Vfmadd213ps_ymm_ymm_ymmm256 EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er),
            codes!(v: VEX_Vfmadd231ps_ymm_ymm_ymmm256 EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er),
        ]),
        (LaneOp::MulAdd, F64) => MulAdd([
            codes!(v: VEX_Vfmadd132pd_ymm_ymm_ymmm256 EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er),
            codes!(v: VEX_Vfmadd213pd_ymm_ymm_ymmm256 EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er),
            codes!(v: VEX_Vfmadd231pd_ymm_ymm_ymmm256 EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er),
        ]),
        (LaneOp::Sqrt, F32) => {
            One(codes!(v: VEX_Vsqrtps_ymm_ymmm256 EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er))
        }
        (LaneOp::Sqrt, F64) => {
            One(codes!(v: VEX_Vsqrtpd_ymm_ymmm256 EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er))
        }
        (LaneOp::Round(to), F32) => OneBy(
            codes!(v: VEX_Vroundps_ymm_ymmm256_imm8 EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae),
            rounding(to),
        ),
        (LaneOp::Round(to), F64) => OneBy(
            codes!(v: VEX_Vroundpd_ymm_ymmm256_imm8 EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae),
            rounding(to),
        ),
        (LaneOp::And, F32 | F64) => Two(and(v), true),
        (LaneOp::Or, F32 | F64) => Two(
            codes!(v: VEX_Vorps_ymm_ymm_ymmm256 EVEX_Vorps_zmm_k1z_zmm_zmmm512b32),
            true,
        ),
        (LaneOp::Xor, F32 | F64) => Two(
            codes!(v: VEX_Vxorps_ymm_ymm_ymmm256 EVEX_Vxorps_zmm_k1z_zmm_zmmm512b32),
            true,
        ),
        (LaneOp::And, I32 | I64 | Mask) => Two(
            codes!(v: VEX_Vpand_ymm_ymm_ymmm256 EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32),
            true,
        ),
        (LaneOp::Or, I32 | I64 | Mask) => Two(
            codes!(v: VEX_Vpor_ymm_ymm_ymmm256 EVEX_Vpord_zmm_k1z_zmm_zmmm512b32),
            true,
        ),
        (LaneOp::Xor, I32 | I64 | Mask) => Two(v.xor(), true),
        (LaneOp::ShiftLeft(by), I32) => Shift(
            codes!(v: VEX_Vpslld_ymm_ymm_imm8 EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8),
            by.into(),
        ),
        (LaneOp::ShiftLeft(by), I64) => Shift(
            codes!(v: VEX_Vpsllq_ymm_ymm_imm8 EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8),
            by.into(),
        ),
        (LaneOp::ShiftRight(by), I32) => Shift(
            codes!(v: VEX_Vpsrld_ymm_ymm_imm8 EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8),
            by.into(),
        ),
        (LaneOp::ShiftRight(by), I64) => Shift(
            codes!(v: VEX_Vpsrlq_ymm_ymm_imm8 EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8),
            by.into(),
        ),
        (LaneOp::ShiftRightSigned(by), I32) => Shift(
            codes!(v: VEX_Vpsrad_ymm_ymm_imm8 EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8),
            by.into(),
        ),
        (LaneOp::Compare(how), ty) => return compare(how, ty, v),
        (LaneOp::Select, _) => {
            let blend = match (v, size) {
                (Vectors::Wide, _) => {
                    Blend::Bits(Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8, CHOICE)
                }
                (_, 4) => Blend::Lanes(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm),
                _ => Blend::Lanes(Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm),
            };
            let without =
                codes!(v: VEX_Vandnps_ymm_ymm_ymmm256 EVEX_Vandnps_zmm_k1z_zmm_zmmm512b32);
            Selected::Select(blend, [and(v), without])
        }
        (LaneOp::ToFloat, F32) => {
            One(codes!(v: VEX_Vcvtdq2ps_ymm_ymmm256 EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er))
        }
        (LaneOp::ToInteger, I32) => {
            One(codes!(v: VEX_Vcvttps2dq_ymm_ymmm256 EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae))
        }
        _ => return None,
    })
}

/// `a & b` of floats.
fn and(v: Vectors) -> Code {
    codes!(v: VEX_Vandps_ymm_ymm_ymmm256 EVEX_Vandps_zmm_k1z_zmm_zmmm512b32)
}

/// The instruction of a comparison.
fn compare(how: Comparison, ty: LaneType, vectors: Vectors) -> Option<Selected> {
    let (narrow, wide, by, to_vector) = match ty {
        LaneType::F32 => (
            Selected::TwoBy(Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, ordered(how)),
            Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae,
            ordered(how),
            Code::EVEX_Vpmovm2d_zmm_kr,
        ),
        LaneType::F64 => (
            Selected::TwoBy(Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8, ordered(how)),
            Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae,
            ordered(how),
            Code::EVEX_Vpmovm2q_zmm_kr,
        ),
        LaneType::I32 => {
            let greater = Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256;
            let (narrow, by) = match how {
                Comparison::Equal => (Selected::Two(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, true), 0),
                Comparison::Less => (Selected::Exchanged(greater), 1),
                Comparison::LessEqual => (Selected::Inverted(greater), 2),
            };
            let wide = Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8;
            (narrow, wide, by, Code::EVEX_Vpmovm2d_zmm_kr)
        }
        LaneType::I64 => {
            let greater = Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256;
            let (narrow, by) = match how {
                Comparison::Equal => (Selected::Two(Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256, true), 0),
                Comparison::Less => (Selected::Exchanged(greater), 1),
                Comparison::LessEqual => (Selected::Inverted(greater), 2),
            };
            let wide = Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8;
            (narrow, wide, by, Code::EVEX_Vpmovm2q_zmm_kr)
        }
        LaneType::Mask => return None,
    };
    Some(match vectors {
        Vectors::Narrow => narrow,
        Vectors::Wide => Selected::Mask(wide, by, to_vector),
    })
}

/// The instructions for a select by the mask of a comparison, which with AVX-512 needn't become a vector.
pub fn choice(comparison: &LaneStep, size: usize, vectors: Vectors) -> Option<Selected> {
    let LaneOp::Compare(how) = comparison.op else {
        return None;
    };
    let Selected::Mask(compare, by, _) = compare(how, comparison.ty, vectors)? else {
        return None;
    };
    let blend = match size {
        4 => Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32,
        _ => Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64,
    };
    Some(Selected::Choice(compare, by, blend))
}

/// The smaller and the larger of two floats: of two zeros, and where one is NaN, the second operand.
pub fn extremes(ty: LaneType, v: Vectors) -> Option<[Code; 2]> {
    match ty {
        LaneType::F32 => Some([
            codes!(v: VEX_Vminps_ymm_ymm_ymmm256 EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae),
            codes!(v: VEX_Vmaxps_ymm_ymm_ymmm256 EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae),
        ]),
        LaneType::F64 => Some([
            codes!(v: VEX_Vminpd_ymm_ymm_ymmm256 EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae),
            codes!(v: VEX_Vmaxpd_ymm_ymm_ymmm256 EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae),
        ]),
        _ => None,
    }
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
