//! `tf.print`'s style: nothing padded, three entries at each edge of every axis, floats as short as `%g` makes them.

use super::floats::general;
use super::layout::Layout;
use crate::{Array, Buffer};

/// The text of an array as `tf.print` gives it: `[1 2 3 ... 8 9 10]`, `[[1 2]\n [3 4]]`, floats as `1.5` or `2`, truth
/// values as 1 and 0, strings quoted unless the array is a scalar.
///
/// ```
/// use graph_kernels::{Array, format};
/// assert_eq!(format::tf_print(&Array::new(&[2], vec![1.0, 2.5])), "[1 2.5]");
/// ```
pub fn tf_print(array: &Array) -> String {
    if let (Buffer::Str(v), 0) = (array.buffer(), array.rank()) {
        return v[0].clone();
    }
    let layout = Layout {
        shape: array.shape(),
        edge: Some(3),
        width: usize::MAX,
    };
    let positions = layout.positions();
    layout.render(&mut positions.into_iter().map(|at| value(array.buffer(), at)))
}

fn value(buffer: &Buffer, at: usize) -> String {
    match buffer {
        Buffer::F32(v) => shortest(f64::from(v[at]), [6, 9], |text| text.parse() == Ok(v[at])),
        Buffer::F64(v) => shortest(v[at], [15, 17], |text| text.parse() == Ok(v[at])),
        Buffer::F16(v) => general(v[at].to_f64(), 6),
        Buffer::BF16(v) => general(v[at].to_f64(), 6),
        Buffer::I32(v) => v[at].to_string(),
        Buffer::I64(v) => v[at].to_string(),
        Buffer::U8(v) => v[at].to_string(),
        Buffer::Bool(v) => u8::from(v[at]).to_string(),
        Buffer::Str(v) => quoted(&v[at]),
    }
}

/// The digits that any float of the type survives if they read back as the value, else those that every float needs.
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
    use super::*;

    #[test]
    fn long_axes_show_three_at_each_edge() {
        assert_eq!(
            tf_print(&Array::new(&[10], (1..=10).collect::<Vec<i32>>())),
            "[1 2 3 ... 8 9 10]"
        );
        assert_eq!(
            tf_print(&Array::new(&[6], (1..=6).collect::<Vec<i32>>())),
            "[1 2 3 4 5 6]"
        );
        assert_eq!(
            tf_print(&Array::new(&[7, 1], (0..7).collect::<Vec<i32>>())),
            "[[0]\n [1]\n [2]\n ...\n [4]\n [5]\n [6]]"
        );
    }

    #[test]
    fn rows_stand_on_lines_of_their_own() {
        assert_eq!(
            tf_print(&Array::new(&[2, 2], vec![1, 2, 3, 4])),
            "[[1 2]\n [3 4]]"
        );
        assert_eq!(
            tf_print(&Array::new(&[2, 1, 1], vec![1, 2])),
            "[[[1]]\n\n [[2]]]"
        );
        assert_eq!(tf_print(&Array::new(&[0], Vec::<i32>::new())), "[]");
    }

    #[test]
    fn values_are_as_short_as_they_can_be() {
        assert_eq!(tf_print(&Array::scalar(1.5f32)), "1.5");
        assert_eq!(tf_print(&Array::scalar(2f32)), "2");
        assert_eq!(tf_print(&Array::scalar(1f32 / 3.0)), "0.333333343");
        assert_eq!(tf_print(&Array::scalar(0.1)), "0.1");
        assert_eq!(tf_print(&Array::scalar(1e20)), "1e+20");
        assert_eq!(tf_print(&Array::scalar(1e-5f32)), "1e-05");
        assert_eq!(
            tf_print(&Array::new(
                &[3],
                vec![f32::INFINITY, f32::NEG_INFINITY, f32::NAN]
            )),
            "[inf -inf nan]"
        );
        assert_eq!(tf_print(&Array::new(&[2], vec![true, false])), "[1 0]");
        assert_eq!(
            tf_print(&Array::new(&[2], vec!["a".to_owned(), "b\"".to_owned()])),
            "[\"a\" \"b\\\"\"]"
        );
        assert_eq!(tf_print(&Array::scalar("a".to_owned())), "a");
    }
}
