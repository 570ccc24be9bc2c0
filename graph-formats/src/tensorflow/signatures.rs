//! The signatures of TensorFlow's ops: their arguments and results with names and types, as TensorFlow's own registry gives them.
//! `ops.txt` has one op a line, which `scripts/tensorflow_ops.py` writes. Both directions use it: a node's dtypes follow from its
//! arguments, and a function's nodes are referred to by the names of their results.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::proto::DataType;

/// The arguments and results of an op.
#[derive(Debug, Default)]
pub(crate) struct Signature {
    pub inputs: Vec<Arg>,
    pub outputs: Vec<Arg>,
}

/// An argument or a result.
#[derive(Debug)]
pub(crate) struct Arg {
    pub name: &'static str,
    pub ty: ArgType,
}

/// The type of an argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgType {
    /// One tensor of this dtype.
    Fixed(DataType),
    /// One tensor of the dtype in an attribute.
    Attr(&'static str),
    /// As many tensors of one dtype as an attribute says; a second attribute is the dtype, unless it is fixed.
    Many(&'static str, Option<&'static str>),
    /// Tensors of the dtypes in an attribute.
    List(&'static str),
}

/// The signature of an op.
pub(crate) fn find(op: &str) -> Option<&'static Signature> {
    static ALL: LazyLock<FxHashMap<&str, Signature>> =
        LazyLock::new(|| include_str!("ops.txt").lines().filter_map(parse).collect());
    ALL.get(op)
}

fn parse(line: &'static str) -> Option<(&'static str, Signature)> {
    let (name, arguments) = line.split_once(' ')?;
    let (inputs, outputs) = arguments.split_once("->")?;
    let args = |text: &'static str| text.split_whitespace().filter_map(arg).collect();
    let signature = Signature {
        inputs: args(inputs),
        outputs: args(outputs),
    };
    Some((name, signature))
}

fn arg(text: &'static str) -> Option<Arg> {
    let (name, ty) = text.split_once(':')?;
    let ty = match (ty.split_once('*'), fixed(ty)) {
        (Some((list, "")), _) => ArgType::List(list),
        (Some((number, of)), _) => ArgType::Many(number, fixed(of).is_none().then_some(of)),
        (None, Some(dtype)) => ArgType::Fixed(dtype),
        (None, None) => ArgType::Attr(ty),
    };
    Some(Arg { name, ty })
}

fn fixed(name: &str) -> Option<DataType> {
    Some(match name {
        "bool" => DataType::DtBool,
        "int32" => DataType::DtInt32,
        "int64" => DataType::DtInt64,
        "uint64" => DataType::DtUint64,
        "float32" => DataType::DtFloat,
        "string" => DataType::DtString,
        "resource" => DataType::DtResource,
        "variant" => DataType::DtVariant,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_signature_in_order() {
        let lines: Vec<&str> = include_str!("ops.txt").lines().collect();
        assert!(lines.is_sorted());
        assert!(
            lines
                .iter()
                .all(|line| find(line.split(' ').next().unwrap()).is_some())
        );
    }

    #[test]
    fn arguments_have_the_types_of_the_registry() {
        let concat = find("ConcatV2").unwrap();
        assert_eq!(concat.inputs[0].ty, ArgType::Many("N", Some("T")));
        assert_eq!(concat.inputs[1].ty, ArgType::Attr("Tidx"));
        assert_eq!(
            find("StatelessIf").unwrap().outputs[0].ty,
            ArgType::List("Tout")
        );
        assert_eq!(find("Shape").unwrap().outputs[0].name, "output");
        assert_eq!(
            find("Assert").unwrap().inputs[0].ty,
            ArgType::Fixed(DataType::DtBool)
        );
    }
}
