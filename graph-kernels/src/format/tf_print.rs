//! `tf.print`'s style: no padding, a few entries at each edge of every axis, floats as short as `%g` makes them.

use super::floats::general;
use super::layout::Layout;
use super::{Spec, integer};
use crate::{Array, Buffer};

/// The text of an array as `tf.print` writes it: `[1 2 3 ... 8 9 10]`, `[[1 2]\n [3 4]]`, floats as `1.5` or `2`, truth values as 1 and
/// 0, strings quoted. `edge` is the number of entries shown at each edge of an axis that is longer than twice as many (`summarize`, 3 by
/// default in TensorFlow); `None` shows all. Format options decide the text of each value.
///
/// ```
/// use graph_kernels::{Array, format::{Spec, tf_print}};
/// assert_eq!(tf_print(&Array::new(&[2], vec![1.0, 2.5]), Some(3), &Spec::default()), "[1 2.5]");
/// assert_eq!(tf_print(&Array::new(&[4], vec![1, 2, 3, 4]), Some(1), &Spec::default()), "[1 ... 4]");
/// ```
pub fn tf_print(array: &Array, edge: Option<usize>, spec: &Spec) -> String {
    if array.is_empty() || edge == Some(0) {
        return nothing_of(array);
    }
    let layout = Layout {
        shape: array.shape(),
        edge,
        width: usize::MAX,
    };
    let positions = layout.positions();
    let text = |at| spec.text(array.buffer(), at, value);
    layout.render(&mut positions.into_iter().map(text))
}

/// The text of an array without shown values: the first axis decides whether something is left out.
fn nothing_of(array: &Array) -> String {
    match array.shape() {
        [] => "...".to_owned(),
        [0, ..] => "[]".to_owned(),
        [_] => "[ ...]".to_owned(),
        [_, inner @ ..] => format!("[{} ...]", "\n".repeat(inner.len())),
    }
}

fn value(buffer: &Buffer, at: usize) -> String {
    match buffer {
        Buffer::F32(v) => single(v[at]),
        Buffer::F64(v) => shortest(v[at], [15, 17], |text| text.parse() == Ok(v[at])),
        Buffer::F16(v) => single(v[at].to_f32()),
        Buffer::BF16(v) => single(v[at].to_f32()),
        Buffer::Bool(v) => u8::from(v[at]).to_string(),
        Buffer::Str(v) => quoted(&v[at]),
        integers => integer(integers, at),
    }
}

/// The text of an `f32`; 16-bit floats use it, too.
fn single(value: f32) -> String {
    shortest(f64::from(value), [6, 9], |text| text.parse() == Ok(value))
}

/// The value with `few` digits if these parse back to it, else with `many`, which are enough for every value.
fn shortest(value: f64, [few, many]: [usize; 2], reads_back: impl Fn(&str) -> bool) -> String {
    let text = general(value, few);
    if reads_back(&text) {
        text
    } else {
        general(value, many)
    }
}

/// A string in double quotes with C's escapes.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' | '\'' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use crate::{bf16, f16};
    use serde_json::Value;

    use super::*;

    fn plain(array: &Array, edge: Option<usize>) -> String {
        tf_print(array, edge, &Spec::default())
    }

    /// What TensorFlow 2.21 printed: `scripts/record_tf_print.py`.
    const RECORDED: &str = include_str!("tf_print.jsonl");

    fn array(case: &Value) -> Array {
        let list = |name: &str| case[name].as_array().unwrap().clone();
        let shape: Vec<usize> = list("shape")
            .iter()
            .map(|n| n.as_u64().unwrap() as usize)
            .collect();
        let values = list("values");
        let floats = || {
            values
                .iter()
                .map(|v| v.as_str().unwrap().parse::<f64>().unwrap())
        };
        let integers = || values.iter().map(|v| v.as_i64().unwrap());
        match case["dtype"].as_str().unwrap() {
            "float16" => Array::new(&shape, floats().map(f16::from_f64).collect()),
            "bfloat16" => Array::new(&shape, floats().map(bf16::from_f64).collect()),
            "float32" => Array::new(&shape, floats().map(|v| v as f32).collect()),
            "float64" => Array::new(&shape, floats().collect()),
            "int32" => Array::new(&shape, integers().map(|v| v as i32).collect()),
            "int64" => Array::new(&shape, integers().collect()),
            "uint8" => Array::new(&shape, integers().map(|v| v as u8).collect()),
            "bool" => Array::new(&shape, integers().map(|v| v != 0).collect()),
            _ => Array::new(
                &shape,
                values
                    .iter()
                    .map(|v| v.as_str().unwrap().to_owned())
                    .collect(),
            ),
        }
    }

    #[test]
    fn arrays_of_all_dtypes_and_many_ranks_print_as_recorded() {
        let mut cases = 0;
        for line in RECORDED.lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let edge = usize::try_from(case["summarize"].as_i64().unwrap()).ok();
            assert_eq!(plain(&array(&case), edge), case["text"], "{line}");
            cases += 1;
        }
        assert!(cases > 100);
    }

    /// What `Tensor::SummarizeValue` of TensorFlow writes where it shows no values.
    #[test]
    fn arrays_of_which_nothing_is_shown_print_as_tensorflow_s() {
        let empty = |shape: &[usize]| plain(&Array::new(shape, Vec::<i32>::new()), Some(3));
        assert_eq!(empty(&[0]), "[]");
        assert_eq!(empty(&[0, 2]), "[]");
        assert_eq!(empty(&[2, 0]), "[\n ...]");
        assert_eq!(empty(&[2, 3, 0]), "[\n\n ...]");
        assert_eq!(plain(&Array::new(&[2], vec![1, 2]), Some(0)), "[ ...]");
        assert_eq!(plain(&Array::new(&[1, 1], vec![1]), Some(0)), "[\n ...]");
        assert_eq!(plain(&Array::scalar(7), Some(0)), "...");
    }

    #[test]
    fn scalar_strings_are_quoted_too() {
        let text = Array::scalar("a\"b".to_owned());
        assert_eq!(plain(&text, Some(3)), "\"a\\\"b\"");
    }
}
