//! The elementwise functions of the op table as instructions. The table of `graph-kernels` says what each function is; here stands how a GPU
//! computes it.

use graph_kernels::{DType, ElementOp};

use super::code::{Code, Operand, Reg, Width};
use super::convert::{calculated_as, conversion, convert, narrowed};
use super::memory::width;

/// Whether a function can fail: integers can't be divided by zero, and have no negative powers.
pub fn can_fail(op: ElementOp, dtype: DType) -> bool {
    use ElementOp::{Div, FloorDiv, FloorMod, Pow, Rem};
    dtype.is_integer() && matches!(op, Div | Rem | FloorDiv | FloorMod | Pow)
}

/// Applies a function to elements. `dtype` is that of the function's table: the operands' dtype, which for `select` is that of the last two.
/// Returns the result, or `None` if a GPU has no instructions for the function.
pub fn element(code: &mut Code, op: ElementOp, dtype: DType, operands: &[Reg]) -> Option<Reg> {
    use ElementOp as E;
    let mut f = Function {
        ty: calculated_as(dtype),
        dtype,
        code,
    };
    if let Some(to) = conversion(op) {
        return Some(convert(code, dtype, to, operands[0]));
    }
    if dtype == DType::Bool {
        return f.of_truth(op, operands);
    }
    let float = dtype.is_float();
    let x = operands[0];
    let y = *operands.last().unwrap_or(&x);
    let value = match op {
        E::Less => return Some(f.compare("lt", x, y)),
        E::LessEqual => return Some(f.compare("le", x, y)),
        E::Greater => return Some(f.compare("gt", x, y)),
        E::GreaterEqual => return Some(f.compare("ge", x, y)),
        E::Equal => return Some(f.compare("eq", x, y)),
        // Numbers that aren't comparable aren't equal.
        E::NotEqual if float => return Some(f.compare("neu", x, y)),
        E::NotEqual => return Some(f.compare("ne", x, y)),
        E::IsNan => return Some(f.compare("nan", x, x)),
        E::IsInf => {
            let (size, infinity) = (f.abs(x), f.number(f64::INFINITY));
            return Some(f.compare("eq", size, infinity));
        }
        E::IsFinite => {
            let (size, infinity) = (f.abs(x), f.number(f64::INFINITY));
            return Some(f.compare("lt", size, infinity));
        }
        E::Select => return Some(f.choose(x, operands[1], operands[2])),
        E::TrueDiv if !float => return Some(f.quotient_of_integers(x, y)),
        E::Maximum => return Some(f.larger("gt", x, y)),
        E::Minimum => return Some(f.larger("lt", x, y)),
        E::Add => f.binary("add", x, y),
        E::Sub => f.binary("sub", x, y),
        E::Mul => f.binary("mul", x, y),
        E::TrueDiv => f.binary("div", x, y),
        E::Div => {
            f.must_not_be_zero(y);
            f.binary("div", x, y)
        }
        E::Rem if float => f.call("rem", &[x, y]),
        E::Rem => {
            f.must_not_be_zero(y);
            f.remainder(x, y)
        }
        E::FloorDiv if float => {
            let quotient = f.binary("div", x, y);
            f.rounded("rmi", quotient)
        }
        E::FloorDiv => f.floored("floor_div", x, y),
        E::FloorMod if float => f.floor_mod(x, y),
        E::FloorMod => f.floored("floor_mod", x, y),
        E::DivNoNan => {
            let quotient = f.binary("div", x, y);
            f.zero_where_zero(y, quotient)
        }
        E::Xdivy => {
            let quotient = f.binary("div", x, y);
            f.zero_where_zero(x, quotient)
        }
        E::Xlogy => {
            let log = f.call("log", &[y]);
            let product = f.binary("mul", x, log);
            f.zero_where_zero(x, product)
        }
        E::Xlog1py => {
            let log = f.call("log1p", &[y]);
            let product = f.binary("mul", x, log);
            f.zero_where_zero(x, product)
        }
        E::Pow => {
            if !float {
                f.must_not_be_negative(y);
            }
            f.call("pow", &[x, y])
        }
        E::Atan2 => f.call("atan2", &[x, y]),
        E::SquaredDifference => {
            let difference = f.binary("sub", x, y);
            f.binary("mul", difference, difference)
        }
        E::LeakyRelu => {
            let (zero, below) = (f.number(0.0), f.binary("mul", x, y));
            let positive = f.compare("gt", x, zero);
            f.choose(positive, x, below)
        }
        E::BitAnd => f.bits("and", x, y),
        E::BitOr => f.bits("or", x, y),
        E::BitXor => f.bits("xor", x, y),
        E::BitNot => f.op(&format!("not.{}", f.bit_type()), &[x.into()]),
        E::LeftShift => f.shift("shl", x, y),
        E::RightShift => f.shift("shr", x, y),
        E::Neg => f.negated(x),
        E::Abs => f.abs(x),
        E::Sign => f.sign(x),
        E::Square => f.binary("mul", x, x),
        E::Relu => f.at_least_zero(x),
        E::Relu6 => {
            let (above, six) = (f.at_least_zero(x), f.number(6.0));
            let too_large = f.compare("gt", above, six);
            f.choose(too_large, six, above)
        }
        E::Reciprocal => {
            let one = f.number(1.0);
            f.binary("div", one, x)
        }
        E::Sqrt => f.op(&format!("sqrt.rn.{}", f.ty), &[x.into()]),
        E::Rsqrt => {
            let (one, root) = (
                f.number(1.0),
                f.op(&format!("sqrt.rn.{}", f.ty), &[x.into()]),
            );
            f.binary("div", one, root)
        }
        E::Softsign => {
            let (one, size) = (f.number(1.0), f.abs(x));
            let sum = f.binary("add", one, size);
            f.binary("div", x, sum)
        }
        E::Elu => {
            let below = f.call("expm1", &[x]);
            f.where_negative(x, below, x)
        }
        E::Selu => {
            let (below, above) = (f.call("expm1", &[x]), f.number(1.050_700_987_355_480_5));
            let factor = f.number(1.758_099_340_847_376_8);
            let (below, above) = (f.binary("mul", factor, below), f.binary("mul", above, x));
            f.where_negative(x, below, above)
        }
        E::Floor => f.rounded("rmi", x),
        E::Ceil => f.rounded("rpi", x),
        E::Round => f.rounded("rni", x),
        E::Trunc => f.rounded("rzi", x),
        E::Cbrt => f.call("cbrt", &[x]),
        E::Exp => f.call("exp", &[x]),
        E::Exp2 => f.call("exp2", &[x]),
        E::Expm1 => f.call("expm1", &[x]),
        E::Log => f.call("log", &[x]),
        E::Log1p => f.call("log1p", &[x]),
        E::Log2 => f.call("log2", &[x]),
        E::Log10 => f.call("log10", &[x]),
        E::Sin => f.call("sin", &[x]),
        E::Cos => f.call("cos", &[x]),
        E::Tan => f.call("tan", &[x]),
        E::Asin => f.call("asin", &[x]),
        E::Acos => f.call("acos", &[x]),
        E::Atan => f.call("atan", &[x]),
        E::Sinh => f.call("sinh", &[x]),
        E::Cosh => f.call("cosh", &[x]),
        E::Tanh => f.call("tanh", &[x]),
        E::Asinh => f.call("asinh", &[x]),
        E::Acosh => f.call("acosh", &[x]),
        E::Atanh => f.call("atanh", &[x]),
        E::Erf => f.call("erf", &[x]),
        E::Erfc => f.call("erfc", &[x]),
        E::Sigmoid => f.call("sigmoid", &[x]),
        E::Softplus => f.call("softplus", &[x]),
        _ => return None,
    };
    Some(narrowed(code, dtype, value))
}

/// What the instructions of one function have in common.
struct Function<'a> {
    code: &'a mut Code,
    /// The type with which they compute.
    ty: &'static str,
    dtype: DType,
}

impl Function<'_> {
    fn op(&mut self, name: &str, operands: &[Operand]) -> Reg {
        self.code.op(width(self.dtype), name, operands)
    }

    fn bit_type(&self) -> &'static str {
        match width(self.dtype) {
            Width::Double => "b64",
            Width::Word => "b32",
            Width::Predicate => "pred",
        }
    }

    /// `add`, `sub`, `mul` or `div`, rounded to the nearest if they are of floats.
    fn binary(&mut self, name: &str, x: Reg, y: Reg) -> Reg {
        let how = match (self.dtype.is_float(), name) {
            (true, _) => ".rn",
            (false, "mul") => ".lo",
            (false, _) => "",
        };
        let name = format!("{name}{how}.{}", self.ty);
        self.op(&name, &[x.into(), y.into()])
    }

    fn compare(&mut self, how: &str, x: Reg, y: Reg) -> Reg {
        let name = format!("setp.{how}.{}", self.ty);
        self.code.op(Width::Predicate, &name, &[x.into(), y.into()])
    }

    fn choose(&mut self, condition: Reg, x: Reg, y: Reg) -> Reg {
        let name = format!("selp.{}", self.bit_type());
        self.op(&name, &[x.into(), y.into(), condition.into()])
    }

    /// A number of the type with which the function computes.
    fn number(&mut self, value: f64) -> Reg {
        let value = match self.ty {
            "f32" => Operand::F32((value as f32).to_bits()),
            "f64" => Operand::F64(value.to_bits()),
            _ => Operand::Int(value as i64),
        };
        self.code.copy(value, width(self.dtype))
    }

    fn call(&mut self, name: &str, operands: &[Reg]) -> Reg {
        let name = super::math::named(name, self.ty);
        self.code.call(name, operands, width(self.dtype))
    }

    fn rounded(&mut self, how: &str, x: Reg) -> Reg {
        let name = format!("cvt.{how}.{0}.{0}", self.ty);
        self.op(&name, &[x.into()])
    }

    fn bits(&mut self, name: &str, x: Reg, y: Reg) -> Reg {
        let name = format!("{name}.{}", self.bit_type());
        self.op(&name, &[x.into(), y.into()])
    }

    fn abs(&mut self, x: Reg) -> Reg {
        if self.dtype.is_unsigned() {
            return x;
        }
        let name = format!("abs.{}", self.ty);
        self.op(&name, &[x.into()])
    }

    fn negated(&mut self, x: Reg) -> Reg {
        if self.dtype.is_unsigned() {
            let zero = self.number(0.0);
            return self.binary("sub", zero, x);
        }
        let name = format!("neg.{}", self.ty);
        self.op(&name, &[x.into()])
    }

    /// The first operand where the comparison holds or where it is NaN, else the second.
    fn larger(&mut self, how: &str, x: Reg, y: Reg) -> Reg {
        // `gtu` holds for NaN, too, but for a NaN on either side.
        let mut first = self.compare(how, x, y);
        if self.dtype.is_float() {
            let is_nan = self.compare("nan", x, x);
            let either = [first.into(), is_nan.into()];
            first = self.code.op(Width::Predicate, "or.pred", &either);
        }
        self.choose(first, x, y)
    }

    fn sign(&mut self, x: Reg) -> Reg {
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let positive = self.compare("gt", x, zero);
        // Zeros keep their sign, and NaN stays.
        let mut sign = self.choose(positive, one, x);
        if !self.dtype.is_unsigned() {
            let (minus, negative) = (self.number(-1.0), self.compare("lt", x, zero));
            sign = self.choose(negative, minus, sign);
        }
        sign
    }

    fn at_least_zero(&mut self, x: Reg) -> Reg {
        let zero = self.number(0.0);
        self.where_negative(x, zero, x)
    }

    fn where_negative(&mut self, x: Reg, below: Reg, other: Reg) -> Reg {
        let zero = self.number(0.0);
        let negative = self.compare("lt", x, zero);
        self.choose(negative, below, other)
    }

    fn zero_where_zero(&mut self, x: Reg, value: Reg) -> Reg {
        let zero = self.number(0.0);
        let is_zero = self.compare("eq", x, zero);
        self.choose(is_zero, zero, value)
    }

    fn remainder(&mut self, x: Reg, y: Reg) -> Reg {
        let quotient = self.binary("div", x, y);
        let product = self.binary("mul", quotient, y);
        self.binary("sub", x, product)
    }

    fn floored(&mut self, name: &str, x: Reg, y: Reg) -> Reg {
        self.must_not_be_zero(y);
        match (self.dtype.is_unsigned(), name) {
            (true, "floor_div") => self.binary("div", x, y),
            (true, _) => self.remainder(x, y),
            (false, _) => self.call(name, &[x, y]),
        }
    }

    fn floor_mod(&mut self, x: Reg, y: Reg) -> Reg {
        let remainder = self.call("rem", &[x, y]);
        let zero = self.number(0.0);
        let below = self.compare("lt", remainder, zero);
        let divisor_below = self.compare("lt", y, zero);
        let predicate = Width::Predicate;
        let differ = [below.into(), divisor_below.into()];
        let differ = self.code.op(predicate, "xor.pred", &differ);
        let nonzero = self.compare("neu", remainder, zero);
        let moves = [differ.into(), nonzero.into()];
        let moves = self.code.op(predicate, "and.pred", &moves);
        let moved = self.binary("add", remainder, y);
        self.choose(moves, moved, remainder)
    }

    fn quotient_of_integers(&mut self, x: Reg, y: Reg) -> Reg {
        let to = match self.dtype {
            DType::I32 | DType::I64 | DType::U32 | DType::U64 => DType::F64,
            _ => DType::F32,
        };
        let dtype = self.dtype;
        let [x, y] = [x, y].map(|value| convert(self.code, dtype, to, value));
        let name = format!("div.rn.{}", calculated_as(to));
        self.code.op(width(to), &name, &[x.into(), y.into()])
    }

    /// Shifts by a count that is limited to the dtype's bits.
    fn shift(&mut self, name: &str, x: Reg, by: Reg) -> Reg {
        let most = self.number((self.dtype.bytes() * 8 - 1) as f64);
        let by = self.at_least_zero(by);
        let too_far = self.compare("gt", by, most);
        let by = self.choose(too_far, most, by);
        let by = self.code.widened(by, Width::Word);
        let ty = if name == "shl" {
            self.bit_type()
        } else {
            self.ty
        };
        self.op(&format!("{name}.{ty}"), &[x.into(), by.into()])
    }

    fn must_not_be_zero(&mut self, y: Reg) {
        if self.dtype.is_integer() {
            let zero = self.number(0.0);
            let is_zero = self.compare("eq", y, zero);
            self.code.fail_if(is_zero);
        }
    }

    fn must_not_be_negative(&mut self, y: Reg) {
        if !self.dtype.is_unsigned() {
            let zero = self.number(0.0);
            let negative = self.compare("lt", y, zero);
            self.code.fail_if(negative);
        }
    }

    /// The functions of truth values.
    fn of_truth(&mut self, op: ElementOp, operands: &[Reg]) -> Option<Reg> {
        use ElementOp as E;
        let x: Operand = operands[0].into();
        let y: Operand = (*operands.last()?).into();
        let (name, operands) = match op {
            E::LogicalAnd | E::BitAnd => ("and.pred", vec![x, y]),
            E::LogicalOr | E::BitOr => ("or.pred", vec![x, y]),
            E::LogicalXor | E::BitXor | E::NotEqual => ("xor.pred", vec![x, y]),
            E::LogicalNot => ("not.pred", vec![x]),
            E::Equal => {
                let differ = self.code.op(Width::Predicate, "xor.pred", &[x, y]);
                ("not.pred", vec![differ.into()])
            }
            E::Select => {
                // Predicates can't be selected: `c && a || !c && b`.
                let predicate = Width::Predicate;
                let first = self
                    .code
                    .op(predicate, "and.pred", &[x, operands[1].into()]);
                let not = self.code.op(predicate, "not.pred", &[x]);
                let second = self.code.op(predicate, "and.pred", &[not.into(), y]);
                ("or.pred", vec![first.into(), second.into()])
            }
            _ => return None,
        };
        Some(self.code.op(Width::Predicate, name, &operands))
    }
}
