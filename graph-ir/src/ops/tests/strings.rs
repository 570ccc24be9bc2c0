//! Cases of strings, with the results of TensorFlow 2.21.

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    let text = |text: &str| scalar(text.to_owned());
    let separator = |text: &str| Attr::Text(text.to_owned());
    let substr = |x: Array, position: Array, length: Array, expected| {
        case(&STRING_SUBSTR, [x, position, length], expected)
    };
    let join = |axis, expected| {
        let x = Array::new(&[2, 2], ["a", "b", "c", "d"].map(str::to_owned).to_vec());
        case_with(
            &STRING_REDUCE_JOIN,
            [Attr::Int(axis), separator("-")],
            [x],
            expected,
        )
    };
    let split = |of: &str, by: &str, expected| {
        case_with(&STRING_SPLIT, [separator(by)], [text(of)], expected)
    };
    let as_string = |x: Array, precision, width, expected| {
        let attrs = [
            Attr::Int(precision),
            Attr::Bool(false),
            Attr::Bool(false),
            Attr::Int(width),
            separator(""),
        ];
        case_with(&AS_STRING, attrs, [x], expected)
    };
    let words = || texts(["hello", "world"]);
    vec![
        case(&STRING_CHARS, [texts(["äb", ""])], Value(vector([2, 0]))),
        case(
            &STRING_UPPER,
            [texts(["ab", "Äé"])],
            Value(texts(["AB", "ÄÉ"])),
        ),
        case(
            &STRING_LOWER,
            [texts(["AB", "Äé"])],
            Value(texts(["ab", "äé"])),
        ),
        case(
            &STRING_STRIP,
            [texts(["  a b\n", "\tx", " \u{a0}y"])],
            Value(texts(["a b", "x", "\u{a0}y"])),
        ),
        case(
            &STRING_UPPER,
            [scalar(1)],
            TypeError("`string_upper` is not defined for int32"),
        ),
        substr(words(), scalar(1), scalar(3), Value(texts(["ell", "orl"]))),
        substr(
            words(),
            vector([1, 2]),
            vector([3, 1]),
            Value(texts(["ell", "r"])),
        ),
        substr(
            words(),
            scalar(-3),
            scalar(100i64),
            Value(texts(["llo", "rld"])),
        ),
        substr(
            words(),
            scalar(1),
            scalar(-1),
            Value(texts(["ello", "orld"])),
        ),
        substr(text("häßlich"), scalar(1), scalar(2), Value(text("äß"))),
        substr(text("hello"), scalar(5), scalar(1), Value(text(""))),
        substr(
            text("hello"),
            scalar(6),
            scalar(1),
            RunError("pos 6 out of range for string b'hello' at index 0"),
        ),
        substr(
            text("hello"),
            scalar(i64::MIN),
            scalar(1),
            RunError("pos -9223372036854775808 out of range for string b'hello' at index 0"),
        ),
        join(0, Value(texts(["a-c", "b-d"]))),
        join(-1, Value(texts(["a-b", "c-d"]))),
        case_with(
            &STRING_REDUCE_JOIN,
            [Attr::Int(0), separator("-")],
            [Array::zeros(graph_kernels::DType::Str, &[0])],
            Value(text("")),
        ),
        split("a,b,,c", ",", Value(texts(["a", "b", "", "c"]))),
        split("a b  c", "", Value(texts(["a", "b", "c"]))),
        split("", ",", Value(texts([""]))),
        case_with(
            &STRING_SPLIT,
            [separator("")],
            [words()],
            TypeError("`string_split` takes a scalar here, not an array of shape [2]"),
        ),
        as_string(
            vector([1.5f32, -0.25]),
            1,
            6,
            Value(texts(["   1.5", "  -0.2"])),
        ),
        as_string(vector([7, -7]), -1, 0, Value(texts(["7", "-7"]))),
        as_string(texts(["abc", "ä"]), -1, 5, Value(texts(["  abc", "   ä"]))),
        as_string(vector([true]), -1, 9, Value(texts(["true"]))),
        as_string(
            vector([7]),
            3,
            0,
            TypeError("precision not supported for datatype int32"),
        ),
    ]
}
