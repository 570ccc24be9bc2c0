//! Ops as expressions, and constants as literals.

use graph_runtime::ops::{Attrs, OpDef, window};
use graph_runtime::{Array, DType};

/// How a value is written.
#[derive(Clone, Debug)]
pub struct Text {
    /// Behind which a method can be called, or an operator stand.
    pub value: String,
    /// As an operand.
    pub operand: String,
    /// As a value of its own. A graph function copies a tensor that is used later.
    pub owned: String,
}

impl Text {
    /// A variable of the source.
    pub fn variable(name: &str) -> Text {
        Text {
            value: name.to_owned(),
            operand: format!("&{name}"),
            owned: name.to_owned(),
        }
    }

    /// A weight of the model.
    pub fn weight(name: &str) -> Text {
        Text {
            value: format!("weights.{name}"),
            operand: format!("&weights.{name}"),
            owned: format!("weights.{name}.read()"),
        }
    }

    /// An expression.
    pub fn expression(text: String) -> Text {
        let bare = text.contains(' ') && !text.ends_with(')') || text.starts_with('-');
        let value = if bare {
            format!("({text})")
        } else {
            text.clone()
        };
        Text {
            operand: value.clone(),
            value,
            owned: text,
        }
    }

    /// A small constant; as an operand, a scalar is a number.
    pub fn constant(array: &Array) -> Option<Text> {
        let numbers = numbers(array)?;
        let nested = nested(&numbers, array.shape());
        let value = format!("tensor({nested})");
        Some(Text {
            operand: if array.shape().is_empty() {
                nested
            } else {
                value.clone()
            },
            value: value.clone(),
            owned: value,
        })
    }
}

/// The values of an array as Rust writes them.
fn numbers(array: &Array) -> Option<Vec<String>> {
    macro_rules! of_type {
        ($type:ident) => {
            array
                .values::<$type>()?
                .iter()
                .map(|n| format!(concat!("{:?}_", stringify!($type)), n))
                .collect::<Vec<String>>()
        };
    }
    let numbers = match array.dtype() {
        DType::F32 => of_type!(f32),
        DType::F64 => of_type!(f64),
        DType::I32 => of_type!(i32),
        DType::I64 => of_type!(i64),
        DType::Bool => array
            .values::<bool>()?
            .iter()
            .map(bool::to_string)
            .collect(),
        _ => return None,
    };
    // `inf` and `NaN` aren't numbers of the source.
    let is_number = |text: &String| !text.contains("inf") && !text.contains("NaN");
    numbers.iter().all(is_number).then_some(numbers)
}

/// Values as nested arrays of Rust.
fn nested(values: &[String], sizes: &[usize]) -> String {
    let Some((count, inner)) = sizes.split_first() else {
        return values.concat();
    };
    let rows = values.chunks(values.len() / count);
    let rows: Vec<String> = rows.map(|row| nested(row, inner)).collect();
    format!("[{}]", rows.join(", "))
}

/// The Rust type of a dtype's elements.
pub fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::I8 => "i8",
        DType::I16 => "i16",
        DType::I32 => "i32",
        DType::I64 => "i64",
        DType::U8 => "u8",
        DType::U16 => "u16",
        DType::U32 => "u32",
        DType::U64 => "u64",
        DType::Bool => "bool",
        DType::Str => "String",
    }
}

/// An op on operands as an expression.
pub fn of_op(op: &OpDef, attrs: &Attrs, x: &[Text]) -> Result<Text, String> {
    let expression = operator(op.name, x)
        .or_else(|| function(op.name, x))
        .map_or_else(|| method(op.name, attrs, x), Ok)?;
    Ok(Text::expression(expression))
}

fn operator(op: &str, x: &[Text]) -> Option<String> {
    let sign = match op {
        "add" => "+",
        "sub" => "-",
        "mul" => "*",
        "div" => "/",
        "rem" => "%",
        "bit_and" => "&",
        "bit_or" => "|",
        "bit_xor" => "^",
        "neg" => return Some(format!("-{}", x[0].operand)),
        _ => return None,
    };
    // A number can't stand on the left.
    let left = if x[0].operand.starts_with(['&', '(', 't']) {
        &x[0].operand
    } else {
        &x[0].value
    };
    Some(format!("{left} {sign} {}", x[1].operand))
}

/// Ops whose arguments are operands alone.
fn function(op: &str, x: &[Text]) -> Option<String> {
    let operands: Vec<&str> = x[1..].iter().map(|x| x.operand.as_str()).collect();
    let name = match op {
        "reshape_to" => return None,
        "select" => return Some(format!("where_({}, {})", x[0].operand, operands.join(", "))),
        "less" => "lt",
        "less_equal" => "le",
        "greater" => "gt",
        "greater_equal" => "ge",
        "shape_of" => "shape_tensor",
        "size_of" => "size",
        "rank_of" => "rank_tensor",
        "abs" | "sign" | "square" | "relu" | "exp" | "log" | "sqrt" | "rsqrt" | "sin" | "cos"
        | "tanh" | "sigmoid" | "floor" | "ceil" | "round" | "is_nan" | "logical_not" | "erf"
        | "floor_div" | "floor_mod" | "pow" | "maximum" | "minimum" | "equal" | "not_equal"
        | "logical_and" | "logical_or" | "logical_xor" => op,
        _ => return None,
    };
    Some(format!("{}.{name}({})", x[0].value, operands.join(", ")))
}

/// Ops with attributes.
fn method(op: &str, attrs: &Attrs, x: &[Text]) -> Result<String, String> {
    let missing = |error: graph_runtime::ops::AttrError| error.to_string();
    let int = |name| attrs.int(name).map_err(missing);
    let ints = |name| {
        attrs
            .ints(name)
            .map(|ints| format!("{ints:?}"))
            .map_err(missing)
    };
    let is = |name| attrs.bool(name).map_err(missing);
    let window = || -> Result<String, String> {
        let window = format!("{:?}", window(attrs).map_err(missing)?);
        Ok(window.replace("padding: ", "padding: Padding::"))
    };
    let operands: Vec<&str> = x.iter().map(|x| x.operand.as_str()).collect();
    let arguments = match op {
        "cast" => {
            let dtype = attrs.dtype("dtype").map_err(missing)?;
            return Ok(format!("{}.cast::<{}>()", x[0].value, element(dtype)));
        }
        "concat" => {
            return Ok(format!(
                "concat([{}], {})",
                operands.join(", "),
                int("axis")?
            ));
        }
        "matmul" => match (is("transpose_a")?, is("transpose_b")?) {
            (false, false) => format!("matmul({})", operands[1]),
            (false, true) => format!("matmul_t({})", operands[1]),
            _ => return Err(refused(op)),
        },
        "reduce_sum" | "reduce_prod" | "reduce_mean" | "reduce_max" | "reduce_min" => {
            let name = op.trim_start_matches("reduce_");
            // No axes mean all of them to the op, and none to the method.
            match (ints("axes")?.as_str(), is("keep_dims")?) {
                ("[]", false) => format!("{name}()"),
                ("[]", true) => return Err(refused(op)),
                (axes, keep) => format!("{name}_axes(&{axes}, {keep})"),
            }
        }
        "softmax" | "log_softmax" | "argmax" | "argmin" | "expand_dims" => {
            format!("{op}({})", int("axis")?)
        }
        "reshape" => format!("reshape({})", ints("shape")?),
        "broadcast_to" => format!("broadcast_to({})", ints("shape")?),
        "transpose" => format!("permute({})", ints("perm")?),
        "squeeze" => format!("squeeze(&{})", ints("axes")?),
        "gather" => format!("gather({})", operands[1]),
        "relax_shape" => format!(
            "relax_shape(&{:?})",
            attrs
                .shape("shape")
                .map_err(missing)?
                .dims()
                .ok_or_else(|| refused(op))?
        ),
        "conv2d" | "depthwise_conv2d" => format!("{op}({}, {})", operands[1], window()?),
        "max_pool2d" | "avg_pool2d" => format!("{op}({}, {})", ints("size")?, window()?),
        _ => return Err(refused(op)),
    };
    Ok(format!("{}.{arguments}", x[0].value))
}

/// The message for an op that isn't translated.
pub fn refused(op: &str) -> String {
    format!("`{op}` can't be translated yet")
}
