//! `check_numerics`: an op that produces an infinity or a NaN fails the run, with TensorFlow's message.

use std::fmt::Write;

use super::Executed;
use super::summary::{Summary, line};
use crate::error::Error;

/// Fails if the op's result has an infinite or NaN value. For an op that computes, this holds even if an operand had such a value;
/// an op that only moves values is an error only if no operand had one.
pub(super) fn check(executed: &Executed<'_>) -> Result<(), Error> {
    let Executed { op, output, .. } = executed;
    let computes = (op.element)(executed.attrs).is_some() || op.reduction.is_some();
    let finite = |array| Summary::of(array).is_none_or(|summary| summary.is_finite());
    match Summary::of(output) {
        Some(summary)
            if !summary.is_finite()
                && (computes || executed.operands.iter().all(|array| finite(array))) =>
        {
            Err(Error::run(
                message(executed, &summary),
                executed.location.clone(),
            ))
        }
        _ => Ok(()),
    }
}

fn message(executed: &Executed<'_>, summary: &Summary) -> String {
    let Executed { op, output, .. } = executed;
    let kinds = [
        (summary.negative_infinite, "-Inf", "-Inf"),
        (summary.positive_infinite, "+Inf", "+Inf"),
        (summary.nan, "NaN", "+NaN"),
    ];
    let found: Vec<_> = kinds.iter().filter(|(count, ..)| *count > 0).collect();
    let counts = found
        .iter()
        .map(|(count, _, label)| format!("  # of {label} elements: {count}\n"));
    let names: Vec<&str> = found.iter().map(|(_, name, _)| *name).collect();
    let how = match executed.graph {
        Some(_) => "graph",
        None => "eagerly-executing",
    };
    let mut text = format!(
        "!!! Detected Infinity or NaN in output 0 of {how} op \"{}\" (# of outputs: 1) !!!\n  dtype: {}\n  shape: {}\n{}",
        op.name,
        output.dtype(),
        tuple(output.shape()),
        counts.collect::<String>()
    );
    text.push_str(&inputs(executed));
    if let Some(name) = executed.graph {
        let _ = writeln!(text, "  Graph name: \"{name}\"");
    }
    text + "\n : Tensor had " + &listed(&names) + " values"
}

/// Describes the operands.
fn inputs(executed: &Executed<'_>) -> String {
    match executed.operands {
        [] => String::new(),
        [one] => format!("\n  Input tensor: {}\n", line(one)),
        many => {
            let lines = many.iter().enumerate();
            let lines = lines.map(|(n, array)| format!("         {n}: {}\n", line(array)));
            format!(
                "\n  Input tensors ({}):\n{}",
                many.len(),
                lines.collect::<String>()
            )
        }
    }
}

/// A shape as Python writes it.
fn tuple(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => {
            let dims: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("({})", dims.join(", "))
        }
    }
}

/// `a`, `a and b`, `a, b, and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [rest @ .., last] if rest.len() > 1 => format!("{}, and {last}", rest.join(", ")),
        _ => names.join(" and "),
    }
}

#[cfg(test)]
mod tests {
    use graph_kernels::Array;

    use super::*;
    use crate::error::Location;
    use crate::ops::{self, Attrs, OpDef};

    fn text(op: &'static OpDef, operands: &[&Array], output: &Array) -> Option<String> {
        let executed = Executed {
            op,
            attrs: &Attrs::default(),
            operands,
            output,
            location: &Location::unknown(),
            graph: None,
        };
        check(&executed).err().map(|e| e.message().to_owned())
    }

    #[test]
    fn the_text_is_tensorflows() {
        // TensorFlow 2.21: `tf.math.log(tf.constant([0., 1., -1.]))`, which shows the values of the input tensor instead.
        let (x, y) = (
            Array::new(&[3], vec![0f32, 1.0, -1.0]),
            Array::new(&[3], vec![f32::NEG_INFINITY, 0.0, f32::NAN]),
        );
        assert_eq!(
            text(&ops::LOG, &[&x], &y).unwrap(),
            "!!! Detected Infinity or NaN in output 0 of eagerly-executing op \"log\" (# of outputs: 1) !!!\n  \
             dtype: float32\n  shape: (3,)\n  # of -Inf elements: 1\n  # of +NaN elements: 1\n\n  \
             Input tensor: float32[3], min -1, max 1, mean 0\n\n : Tensor had -Inf and NaN values"
        );
    }

    #[test]
    fn kinds_are_listed_as_tensorflow_lists_them() {
        assert_eq!(listed(&["NaN"]), "NaN");
        assert_eq!(listed(&["+Inf", "NaN"]), "+Inf and NaN");
        assert_eq!(listed(&["-Inf", "+Inf", "NaN"]), "-Inf, +Inf, and NaN");
    }

    #[test]
    fn what_moves_values_is_not_at_fault_for_them() {
        let (bad, good) = (Array::scalar(f32::NAN), Array::scalar(1f32));
        assert!(text(&ops::ADD, &[&bad, &good], &bad).is_some());
        assert_eq!(text(&ops::RESHAPE, &[&bad], &bad), None);
        assert!(text(&ops::RESHAPE, &[&good], &bad).is_some());
        assert_eq!(text(&ops::ADD, &[&good, &good], &good), None);
    }
}
