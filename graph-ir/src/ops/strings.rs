//! Ops on strings.

use graph_kernels::format::NumberFormat;
use graph_kernels::{self as kernels, DType};

use super::rules::{
    ANY, Inferred, STRING, axis, check_class, check_integers, check_scalar, merge, operands, unary,
    unary_to,
};
use super::{AttrError, Attrs};

use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    STRING_LENGTH "string_length" []: unary_to(STRING, DType::I32), (unary kernels::string_length), tf "StringLength",
        "The length of each string in bytes.";
    STRING_JOIN "string_join" ["separator"]: string_join(),
        (|x, a, out| kernels::string_join(x, a.text("separator")?, out)), tf "StringJoin",
        "The operands joined position by position with the separator between them; scalars broadcast.";
    STRING_CHARS "string_chars" []: unary_to(STRING, DType::I32), (unary kernels::string_chars),
        "The number of Unicode characters of each string.";
    STRING_UPPER "string_upper" []: unary(STRING), (unary kernels::string_upper), tf "StringUpper",
        "Each string in upper case; keeps the shape.";
    STRING_LOWER "string_lower" []: unary(STRING), (unary kernels::string_lower), tf "StringLower",
        "Each string in lower case; keeps the shape.";
    STRING_STRIP "string_strip" []: unary(STRING), (unary kernels::string_strip), tf "StringStrip",
        "Each string without the ASCII white space at its ends; keeps the shape.";
    STRING_SUBSTR "string_substr" []: string_substr(),
        (|x, _, out| kernels::string_substr(x[0], x[1], x[2], out)), tf "Substr",
        "The substring of each string; its position and maximum length are integer operands, each a scalar or of the same shape.";
    STRING_REDUCE_JOIN "string_reduce_join" ["axis", "separator"]: string_reduce_join(),
        (|x, a, out| kernels::string_reduce_join(x[0], a.int("axis")?, a.text("separator")?, out)), tf "ReduceJoin",
        "The strings along an axis joined into one with the separator between; the axis goes away.";
    STRING_SPLIT "string_split" ["separator"]: string_split(),
        (|x, a, out| kernels::string_split(x[0], a.text("separator")?, out)), tf "StringSplitV2",
        "The parts of one string between separators, [] -> [?]; its words if the separator is empty.";
    AS_STRING "as_string" ["precision", "scientific", "shortest", "width", "fill"]: as_string(),
        (|x, a, out| kernels::format::as_string(x[0], &number_format(a)?, out)), tf "AsString",
        "Each number, boolean or string as printf writes it, -1 for no precision; keeps the shape.";
}

fn string_join(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    attrs.text("separator")?;
    let mut shape = Shape::scalar();
    for ty in types {
        check_class(op, STRING, ty.dtype)?;
        shape = match (shape.rank(), ty.shape.rank()) {
            (_, Some(0)) => shape,
            (Some(0), _) => ty.shape.clone(),
            // An operand that may be a scalar gives no information about the shape of the others.
            (None, None) => Shape::unknown(),
            _ => merge(op, &shape, &ty.shape)?,
        };
    }
    Ok(TensorType::new(DType::Str, shape))
}

fn string_substr(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, position, length] = operands(op, types)?;
    check_class(op, STRING, x.dtype)?;
    let mut shape = x.shape.clone();
    for operand in [position, length] {
        check_integers(op, "positions", operand)?;
        // An operand that may be a scalar gives no information about the shape of the strings.
        if operand.shape.rank().is_some_and(|rank| rank > 0) {
            shape = merge(op, &shape, &operand.shape)?;
        }
    }
    Ok(TensorType::new(DType::Str, shape))
}

fn string_reduce_join(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    check_class(op, STRING, x.dtype)?;
    attrs.text("separator")?;
    let given = attrs.int("axis")?;
    let shape = match x.shape.dims() {
        None => Shape::unknown(),
        Some(dims) => {
            let joined = axis(given, dims.len())?;
            let kept = dims.iter().enumerate().filter(|(at, _)| *at != joined);
            Shape::of(kept.map(|(_, dim)| *dim))
        }
    };
    Ok(TensorType::new(DType::Str, shape))
}

fn string_split(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    check_class(op, STRING, x.dtype)?;
    check_scalar(op, x)?;
    attrs.text("separator")?;
    Ok(TensorType::new(DType::Str, Shape::of([None])))
}

/// The number format that the attributes of `as_string` describe.
fn number_format(attrs: &Attrs) -> Result<NumberFormat<'_>, AttrError> {
    let size = |name| {
        let value = attrs.int(name)?;
        usize::try_from(value).map_err(|_| AttrError::new(name, "a size"))
    };
    Ok(NumberFormat {
        precision: match attrs.int("precision")? {
            -1 => None,
            _ => Some(size("precision")?),
        },
        scientific: attrs.bool("scientific")?,
        shortest: attrs.bool("shortest")?,
        width: size("width")?,
        fill: attrs.text("fill")?,
    })
}

fn as_string(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let x = unary(op, types, attrs, ANY)?;
    number_format(attrs)?
        .check(x.dtype)
        .map_err(|error| error.to_string())?;
    Ok(TensorType::new(DType::Str, x.shape))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of strings, with what TensorFlow 2.21 gives.

    use graph_kernels::Array;

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
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
}
