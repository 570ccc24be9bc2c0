//! Ops as expressions.

use graph_runtime::Array;
use graph_runtime::ops::{Attr, Attrs, OpDef, window};

use super::literals::{element, nested, of_array};
use super::methods::{METHODS, OF_OPERANDS, OPERATORS};
use super::positions;

/// How a value is written.
#[derive(Clone, Debug)]
pub struct Text {
    /// Behind which a method can be called, or an operator stand.
    pub value: String,
    /// As an operand.
    pub operand: String,
    /// As a reference to a tensor.
    pub reference: String,
    /// As a value of its own. A graph function copies a tensor that is used later.
    pub owned: String,
}

impl Text {
    /// A variable of the source.
    pub fn variable(name: &str) -> Text {
        Text {
            value: name.to_owned(),
            operand: format!("&{name}"),
            reference: format!("&{name}"),
            owned: name.to_owned(),
        }
    }

    /// A weight of the model.
    pub fn weight(name: &str) -> Text {
        Text {
            value: format!("weights.{name}"),
            operand: format!("&weights.{name}"),
            reference: format!("&weights.{name}.read()"),
            owned: format!("weights.{name}.read()"),
        }
    }

    /// An expression.
    pub fn expression(text: String) -> Text {
        let bare = text.contains(' ') && !text.ends_with(')') || text.starts_with(['-', '!']);
        let value = if bare {
            format!("({text})")
        } else {
            text.clone()
        };
        Text {
            operand: value.clone(),
            reference: format!("&{value}"),
            value,
            owned: text,
        }
    }

    /// A small constant; as an operand, a scalar is a number.
    pub fn constant(array: &Array) -> Option<Text> {
        let literals = of_array(array)?;
        let nested = nested(&literals, array.shape());
        let value = format!("tensor({nested})");
        // A text isn't an operand.
        let is_number = array.shape().is_empty() && !nested.starts_with('"');
        Some(Text {
            operand: if is_number { nested } else { value.clone() },
            reference: format!("&{value}"),
            value: value.clone(),
            owned: value,
        })
    }
}

/// An op on operands as an expression.
pub fn of_op(op: &OpDef, attrs: &Attrs, x: &[Text]) -> Result<Text, String> {
    if let Some(expression) = operator(op.name, x) {
        return Ok(Text::expression(expression));
    }
    let expression = match METHODS.iter().find(|(name, _)| *name == op.name) {
        Some((_, template)) => filled(op.name, template, attrs, x)?,
        None if OF_OPERANDS.contains(&op.name) => {
            let operands: Vec<&str> = x[1..].iter().map(|x| x.operand.as_str()).collect();
            format!("{}.{}({})", x[0].value, op.name, operands.join(", "))
        }
        None => special(op.name, attrs, x)?,
    };
    Ok(Text::expression(expression))
}

fn operator(op: &str, x: &[Text]) -> Option<String> {
    match op {
        "neg" => return Some(format!("-{}", x[0].reference)),
        "bit_not" => return Some(format!("!{}", x[0].reference)),
        _ => {}
    }
    let (_, sign) = OPERATORS.iter().find(|(name, _)| *name == op)?;
    // A number can't stand on the left.
    let left = if x[0].operand.starts_with(['&', '(', 't']) {
        &x[0].operand
    } else {
        &x[0].value
    };
    Some(format!("{left} {sign} {}", x[1].operand))
}

/// A template of `METHODS` with its operands and attributes.
fn filled(op: &str, template: &str, attrs: &Attrs, x: &[Text]) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind
            .split_once('}')
            .expect("a template closes its braces");
        text += before;
        text += &match (name, name.parse::<usize>()) {
            (_, Ok(0)) => x[0].value.clone(),
            (_, Ok(n)) => x[n].operand.clone(),
            ("=0", _) => x[0].operand.clone(),
            ("..", _) => {
                let all: Vec<&str> = x.iter().map(|x| x.reference.as_str()).collect();
                all.join(", ")
            }
            ("window", _) => window_of(attrs)?,
            ("paddings", _) => paddings(attrs)?,
            (name, _) => match name.strip_prefix('&') {
                Some(n) => x[n.parse::<usize>().expect("the number of an operand")]
                    .reference
                    .clone(),
                None => attribute(attrs, name).ok_or_else(|| refused(op))?,
            },
        };
        rest = after;
    }
    Ok(text + rest)
}

/// An attribute as an argument.
fn attribute(attrs: &Attrs, name: &str) -> Option<String> {
    let (_, attr) = attrs.iter().find(|(own, _)| *own == name)?;
    Some(match attr {
        Attr::Int(n) => n.to_string(),
        Attr::Ints(list) => format!("{list:?}"),
        Attr::Bool(is) => is.to_string(),
        Attr::Text(text) => format!("{text:?}"),
        Attr::DType(dtype) => element(*dtype).to_owned(),
        Attr::Shape(shape) => format!("{:?}", shape.dims()?),
    })
}

fn window_of(attrs: &Attrs) -> Result<String, String> {
    let window = format!("{:?}", window(attrs).map_err(|e| e.to_string())?);
    Ok(window.replace("padding: ", "padding: Padding::"))
}

/// The attributes `before` and `after` as pairs.
fn paddings(attrs: &Attrs) -> Result<String, String> {
    let list = |name| attrs.ints(name).map_err(|e| e.to_string());
    let pairs: Vec<(&i64, &i64)> = list("before")?.iter().zip(list("after")?).collect();
    Ok(format!(
        "[{}]",
        pairs
            .iter()
            .map(|pair| format!("{pair:?}"))
            .collect::<Vec<_>>()
            .join(", ")
    ))
}

/// Ops that are written in more than one way.
fn special(op: &str, attrs: &Attrs, x: &[Text]) -> Result<String, String> {
    let missing = |error: graph_runtime::ops::AttrError| error.to_string();
    let is = |name| attrs.bool(name).map_err(missing);
    let operand = |n: usize| x[n].operand.as_str();
    let arguments = match op {
        "matmul" => match (is("transpose_a")?, is("transpose_b")?) {
            (false, false) => format!("matmul({})", operand(1)),
            (false, true) => format!("matmul_t({})", operand(1)),
            (true, false) => format!("t_matmul({})", operand(1)),
            (true, true) => return Err(refused(op)),
        },
        "reduce_sum" | "reduce_prod" | "reduce_mean" | "reduce_max" | "reduce_min"
        | "reduce_any" | "reduce_all" => {
            let name = op.trim_start_matches("reduce_");
            // No axes mean all of them to the op, and none to the method.
            match (attrs.ints("axes").map_err(missing)?, is("keep_dims")?) {
                ([], false) => format!("{name}()"),
                ([], true) => return Err(refused(op)),
                (axes, keep) => format!("{name}_axes(&{axes:?}, {keep})"),
            }
        }
        "solve" if !is("adjoint")? => format!("solve({})", operand(1)),
        "bincount" | "weighted_bincount" => bincount(attrs, &x[1..])?,
        "mirror_pad" => {
            let mode = attrs.text("mode").map_err(missing)?;
            format!("pad_{mode}(&{})", paddings(attrs)?)
        }
        "sparse_softmax_cross_entropy_with_logits" => {
            let logits = &x[1].value;
            return Ok(format!(
                "{logits}.sparse_softmax_cross_entropy({})",
                operand(0)
            ));
        }
        "strided_slice" => format!("get({})", positions::strided_slice(attrs)?),
        "slice_axis" => format!("get({})", positions::slice_axis(attrs, &x[1..])?),
        "slice_rows" => format!("get({})", positions::slice_rows(&x[1], &x[2])),
        "index" => {
            let parts: Vec<(i64, String)> = (0..)
                .zip(x[1..].iter().map(|x| x.operand.clone()))
                .collect();
            format!("get({})", positions::index(op, &parts)?)
        }
        "index_axis" => {
            let axis = attrs.int("axis").map_err(missing)?;
            format!(
                "get({})",
                positions::index(op, &[(axis, operand(1).to_owned())])?
            )
        }
        "set_part" => format!(
            "with_part({}, {})",
            positions::set_part(attrs, &x[2..])?,
            operand(1)
        ),
        "list_new" => return new_list(attrs, &x[0]),
        "list_extend" => {
            let (first, other) = (&x[0].reference, &x[1].value);
            return Ok(format!("concat([{first}, &{other}.reshape([-1])], 0)"));
        }
        _ => return Err(refused(op)),
    };
    Ok(format!("{}.{arguments}", x[0].value))
}

fn bincount(attrs: &Attrs, weights: &[Text]) -> Result<String, String> {
    let int = |name| attrs.int(name).map_err(|e| e.to_string());
    let (min, max) = (int("min")?, Some(int("max")?).filter(|max| *max >= 0));
    Ok(match weights {
        [] => format!("bincount_with({min}, {max:?})"),
        [weights, ..] => format!("weighted_bincount({}, {min}, {max:?})", weights.operand),
    })
}

/// A list. One without rows is there to grow.
fn new_list(attrs: &Attrs, size: &Text) -> Result<String, String> {
    let dtype = attrs.dtype("dtype").map_err(|e| e.to_string())?;
    let rows = attrs.shape("shape").map_err(|e| e.to_string())?.dims();
    let new = match size.operand.as_str() {
        "0_i32" | "0_i64" => "dynamic()".to_owned(),
        size => format!("new({size})"),
    };
    let known: Option<Vec<usize>> = rows.and_then(|dims| dims.get(1..)?.iter().copied().collect());
    let list = format!("TensorArray::<{}>::{new}", element(dtype));
    Ok(match known {
        Some(row) => format!("{list}.element_shape(&{row:?})"),
        None => list,
    })
}

/// The message for an op that isn't translated.
pub fn refused(op: &str) -> String {
    format!("`{op}` can't be translated yet")
}
